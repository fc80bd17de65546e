/** Lists the failed attempts of a day (the operation `falhas` of the specification). */
import type { DeliveryFailure, DeliverySummary } from '../api/answers.ts';
import { useSession } from '../api/session.ts';
import { useFilters } from '../api/use-filters.ts';
import { useResource } from '../api/use-resource.ts';
import { DayInput } from '../ui/typed-input.tsx';
import { Card, ResourceView } from '../ui/page.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { useCopyOf } from '../ui/use-copy-of.ts';
import { withCount, dayText as dayInWords } from '../words.ts';
import { prettyJson } from './json.ts';
import { DELIVERIES, SUBSCRIPTIONS, useOwnCompany } from './addresses.ts';
import { compactDay, dayOfCompact, printedMoment } from './moments.ts';

const COLUMNS: readonly Column<DeliveryFailure>[] = [
  { key: 'data', title: 'Quando', code: true, cell: ({ data }) => `${printedMoment(data)}${data.slice(16)}` },
  { key: 'evento', title: 'Evento', cell: ({ evento }) => <strong>{evento}</strong> },
  { key: 'descricao', title: 'O que aconteceu', cell: ({ descricao }) => descricao },
  {
    key: 'conteudo',
    title: 'Corpo',
    cell: ({ conteudo }) => (
      <details>
        <summary>Ver</summary>
        <pre class="notif-body">{prettyJson(conteudo)}</pre>
      </details>
    ),
  },
];

export function FailuresTab() {
  const { administrador } = useSession();
  const { cpfCnpjRaiz: own } = useOwnCompany();
  const [{ data }, setFilters] = useFilters(['data']);
  const today = useResource<DeliverySummary>(data === '' ? `${DELIVERIES}/summary` : undefined, {
    query: { days: 1 },
  }).value?.days.at(-1)?.day;
  const displayedDay = data === '' ? (today ?? '') : dayOfCompact(data) || data;
  const [typedText, setTypedText] = useCopyOf(displayedDay);
  const failures = useResource<readonly DeliveryFailure[]>(`${SUBSCRIPTIONS}/falhas`, { query: { data } });
  return (
    <Card title="Falhas do dia">
      <div class="filters">
        <DayInput
          label="Dia"
          value={typedText}
          error={failures.error?.problems.find(({ place }) => place === 'data')?.message}
          onChange={(text) => {
            setTypedText(text);
            if (compactDay(text) !== '') setFilters({ data: compactDay(text) });
          }}
        />
      </div>
      <ResourceView resource={failures}>
        {(all) => {
          const rows = all.filter(({ conteudo }) => isAboutCompany(own, conteudo));
          return (
            <>
              <p class="muted" role="status">
                {withCount(rows.length, 'falha', 'falhas')} em {dayInWords(displayedDay)}
                {administrador && ', das suas próprias assinaturas'}.
              </p>
              <Table
                caption="Falhas do dia"
                columns={COLUMNS}
                rows={rows}
                rowKey={({ id }) => id}
                empty="Nenhuma falha de entrega nesse dia. Os registros são guardados por 30 dias."
              />
            </>
          );
        }}
      </ResourceView>
    </Card>
  );
}

/**
 * Filters by company, which the operation does not support. Bodies of another company are hidden; bodies
 * without a company are shown to everybody.
 */
function isAboutCompany(company: string | undefined, conteudo: string): boolean {
  const eventCompany = /"cpfCnpjRaiz"\s*:\s*"([^"]*)"/.exec(conteudo)?.[1];
  return company === undefined || eventCompany === undefined || eventCompany === company;
}
