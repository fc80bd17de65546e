/**
 * Shows the changes of each of the latest tables: totals, and the NCMs and attributes of the selected one.
 */
import type { AttributeTableOfHistory, ChangeCounts, ChangesOfTable, NcmOfHistory } from '../api/answers.ts';
import { useFilters } from '../api/use-filters.ts';
import { useResource } from '../api/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { Card, ResourceView, ResourceTable } from '../ui/page.tsx';
import type { Column } from '../ui/table.tsx';
import { countText, dayText, momentText } from '../words.ts';
import { Kind, NcmLink } from './difference.tsx';
import { TABLES } from './words.ts';

export function History() {
  const tables = useResource<readonly AttributeTableOfHistory[]>(`${TABLES}/history`);
  const [{ mudou }, setFilters] = useFilters(['mudou']);
  const selectedTable = tables.value?.find(({ id }) => String(id) === mudou);
  const columns: readonly Column<AttributeTableOfHistory>[] = [
    { key: 'versao', title: 'Versão', cell: ({ versao }) => <bdi>{versao}</bdi> },
    { key: 'loadedAt', title: 'Carregada em', cell: ({ loadedAt }) => momentText(loadedAt) },
    {
      key: 'inForceOn',
      title: 'Em vigor desde',
      cell: ({ inForceOn }) => (inForceOn === null ? <span class="muted">nunca</span> : dayText(inForceOn)),
    },
    { key: 'ncms', title: 'NCMs', cell: ({ ncms }) => countsText(ncms) },
    { key: 'attributes', title: 'Atributos', cell: ({ attributes }) => countsText(attributes) },
    {
      key: 'do',
      title: 'Ações',
      align: 'right',
      cell: ({ id, versao }) => (
        <Button
          small
          label={`Ver o que mudou na tabela ${versao}`}
          pressed={String(id) === mudou}
          onPress={() => setFilters({ mudou: String(id) })}
        >
          Ver o que mudou
        </Button>
      ),
    },
  ];
  return (
    <div class="stack">
      <Card title="As últimas tabelas">
        <ResourceTable
          resource={tables}
          caption="As últimas tabelas"
          columns={columns}
          rowKey={({ id }) => id}
          empty="Nenhuma tabela foi carregada ainda."
        />
      </Card>
      {selectedTable !== undefined && <Changes key={selectedTable.id} table={selectedTable} />}
    </div>
  );
}

function Changes({ table: { id, versao, since } }: { readonly table: AttributeTableOfHistory }) {
  const changes = useResource<ChangesOfTable>(`${TABLES}/${id}/changes`);
  const title =
    since === null
      ? `O que a tabela ${versao}, a primeira, trouxe`
      : `O que a tabela ${versao} mudou desde a ${since.versao}`;
  return (
    <Card title={title}>
      <ResourceView resource={changes} lines={4}>
        {({ ncms, attributes }) => (
          <div class="attributes-difference">
            <Kind title="NCMs" changes={ncms} textOf={NcmLink} changedOf={ChangedNcm} />
            <Kind title="Atributos" changes={attributes} textOf={Code} changedOf={Code} />
          </div>
        )}
      </ResourceView>
    </Card>
  );
}

const Code = (codigo: string) => <code>{codigo}</code>;

const ChangedNcm = ({ ncm, added, removed, changed }: NcmOfHistory) => (
  <>
    {NcmLink(ncm)}{' '}
    <span class="muted">
      {[
        ...added.map((codigo) => `${codigo} a mais`),
        ...removed.map((codigo) => `${codigo} a menos`),
        ...changed.map((codigo) => `${codigo} muda`),
      ].join(', ')}
    </span>
  </>
);

const countsText = ({ added, removed, changed }: ChangeCounts): string => {
  const texts = [
    [added, 'a mais'],
    [removed, 'a menos'],
    [changed, changed === 1 ? 'muda' : 'mudam'],
  ] as const;
  const phrases = texts.flatMap(([number, words]) => (number === 0 ? [] : [`${countText(number)} ${words}`]));
  return phrases.length === 0 ? 'nada muda' : phrases.join(', ');
};
