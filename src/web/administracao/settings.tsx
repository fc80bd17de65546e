/** Shows the settings in force. They are changed in catp.toml or the environment. */
import type { ListedSetting } from '../api/answers.ts';
import { useFilters } from '../api/use-filters.ts';
import { useResource } from '../api/use-resource.ts';
import { Badge } from '../ui/badge.tsx';
import { Input } from '../ui/field.tsx';
import { ResourceView } from '../ui/page.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { withCount, finder } from '../words.ts';

const COLUMNS: readonly Column<ListedSetting>[] = [
  { key: 'name', title: 'Configuração', code: true, cell: ({ name }) => name },
  {
    key: 'value',
    title: 'Valor',
    code: true,
    cell: ({ value }) => (value === '' ? '–' : <bdi>{value}</bdi>),
  },
  {
    key: 'isDefault',
    title: 'Origem',
    cell: ({ isDefault }) => (isDefault ? <Badge tone="muted">padrão</Badge> : <Badge>alterada</Badge>),
  },
  { key: 'description', title: 'Para que serve', cell: ({ description }) => description },
];

export function Settings() {
  const settings = useResource<readonly ListedSetting[]>('/appliance/api/settings');
  const [{ busca }, setFilters] = useFilters(['busca']);
  const has = finder(busca);
  return (
    <div class="stack">
      <p class="muted">
        Só para ler: mudam no <code>catp.toml</code> ou no ambiente, e valem no próximo início. Segredos não
        são mostrados. Cada uma é explicada em <a href="/ajuda/configuracoes">Configurações</a>.
      </p>
      <div class="filters" role="search">
        <Input
          label="Procurar"
          type="search"
          value={busca}
          onChange={(text) => setFilters({ busca: text }, { replace: true })}
        />
      </div>
      <ResourceView resource={settings} lines={8}>
        {(all) => {
          const changed = all.filter(({ isDefault }) => !isDefault).length;
          return (
            <>
              <p class="muted" role="status">
                {withCount(all.length, 'configuração', 'configurações')},{' '}
                {withCount(changed, 'diferente do padrão', 'diferentes do padrão')}
              </p>
              <Table
                caption="Configurações em vigor"
                columns={COLUMNS}
                rows={all.filter(({ name, value, description }) => has(`${name} ${value} ${description}`))}
                rowKey={({ name }) => name}
                empty="Nenhuma configuração com essas palavras."
              />
            </>
          );
        }}
      </ResourceView>
    </div>
  );
}
