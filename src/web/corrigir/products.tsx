/** Products to correct: the queue by reason and NCM, or the group that the address names. */
import type { ListedAttributeTable, Mending } from '../api/answers.ts';
import { queryOf } from '../api/client.ts';
import { rolesOf, useSession } from '../api/session.ts';
import { useCompany } from '../api/use-company.ts';
import { useFilters } from '../api/use-filters.ts';
import { useResource } from '../api/use-resource.ts';
import { PRODUCT_PAGES } from '../produtos/product.ts';
import { useRemotes } from '../remotos/use-remotes.ts';
import { Notice } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { ResourceView } from '../ui/page.tsx';
import { Select } from '../ui/select.tsx';
import { EmptyList } from '../ui/table.tsx';
import { TABLES } from '../atributos/words.ts';
import { dayText } from '../words.ts';
import { Group } from './group.tsx';
import { BY_SYSTEM, DUE, REFUSED, sameReason } from './mending.ts';
import { Queue } from './queue.tsx';

export function ProductsToCorrect() {
  const company = useCompany();
  const [{ fonte, reason, member, ncm }, setFilters] = useFilters([
    'fonte',
    'reason',
    'member',
    'ncm',
    'text',
  ]);
  const tables = useResource<readonly ListedAttributeTable[]>(TABLES);
  const remotes = useRemotes(company, rolesOf(useSession()).includes('representative'));
  const toMend = fonte === '' ? BY_SYSTEM : fonte;
  // A group of one NCM loads the data of that NCM only. A change of the source has another path, so no stale
  // data is shown.
  const query = queryOf({ cpfCnpjRaiz: company, toMend, ncm: reason === '' ? '' : ncm });
  const mending = useResource<Mending>(company === '' ? undefined : `${PRODUCT_PAGES}/reasons${query}`);
  // An agent first chooses a company.
  if (company === '') return <EmptyList>Escolha uma empresa para ver os produtos dela.</EmptyList>;
  const on = tables.value?.find(({ id }) => String(id) === toMend)?.scheduledOn[0];
  return (
    <div class="stack">
      {reason === '' && (
        <div class="filters">
          <Select
            label="Quais"
            value={toMend}
            options={sourcesOf(tables.value ?? [], remotes.length > 0 || toMend === REFUSED)}
            onChange={(source) => setFilters({ fonte: source === BY_SYSTEM ? '' : source })}
          />
        </div>
      )}
      <ResourceView resource={mending} lines={8}>
        {(answer) => {
          const group = answer.reasons.find(sameReason({ reason, member }));
          const queue = { company, toMend, on };
          const back = (): void => setFilters({ reason: '', member: '', ncm: '', text: '' });
          if (group !== undefined)
            return (
              <Group
                key={`${reason} ${member} ${ncm}`}
                queue={queue}
                ncm={ncm}
                mendingReason={group}
                onBack={back}
              />
            );
          if (reason === '') return <Queue queue={queue} answer={answer} />;
          return (
            <Notice tone="good">
              <p>Nenhum produto tem mais este motivo.</p>
              <Button small onPress={back}>
                Todos os motivos
              </Button>
            </Notice>
          );
        }}
      </ResourceView>
    </div>
  );
}

const sourcesOf = (tables: readonly ListedAttributeTable[], hasRemotes: boolean) => [
  { value: BY_SYSTEM, label: 'Desativados pelo sistema' },
  ...(hasRemotes ? [{ value: REFUSED, label: 'Recusados por um remoto' }] : []),
  { value: DUE, label: 'Ativos a que falta o que ainda vai ser exigido' },
  ...tables.map(({ id, versao, inForce, scheduledOn: [on] }) => ({
    value: String(id),
    label: inForce
      ? `Ativos que a tabela em vigor (${versao}) não admite`
      : `Inválidos na tabela ${versao}${on === undefined ? '' : `, a partir de ${dayText(on)}`}`,
  })),
];
