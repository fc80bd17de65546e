/** Lists each step: its operation, its record, and the message of the remote if it refused. */
import { Link } from 'wouter-preact';
import type { Run, RunStep } from '../../api/answers.ts';
import type { Page } from '../../api/pages.ts';
import { addressFor } from '../../api/use-company.ts';
import { useFilters } from '../../api/use-filters.ts';
import { usePages } from '../../api/use-pages.ts';
import { PagedTable } from '../../kit/list/paged-table.tsx';
import { Notice, type Tone } from '../../ui/alert.tsx';
import { Badge } from '../../ui/badge.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { WithNcms } from '../../ui/ncm.tsx';
import { Card } from '../../ui/page.tsx';
import { Select } from '../../ui/select.tsx';
import type { Column } from '../../ui/table.tsx';
import { withCount } from '../../words.ts';
import { KINDS, OPERATIONS, RUNS, remoteCodeText, rewordSentence } from '../words.ts';
import { sum } from './operations.ts';

type Outcome = RunStep['outcome'];

const OUTCOMES: Readonly<
  Record<Outcome, readonly [sent: string, fetched: string, tone: Tone | 'muted', icon: IconName]>
> = {
  refused: ['Recusado', 'Recusado', 'bad', 'cross'],
  uncertain: ['Incerto', 'Incerto', 'warn', 'alert'],
  skipped: ['Ficou de fora', 'Ficou de fora', 'muted', 'dash'],
  pending: ['Por enviar', 'Por trazer', 'calm', 'clock'],
  sent: ['Enviado', 'Trazido', 'good', 'check'],
  adopted: ['Já estava lá', 'Já estava aqui', 'good', 'check'],
};
const NAMES = Object.keys(OUTCOMES) as readonly Outcome[];
const wordOf = (outcome: Outcome, { direction }: Run): string =>
  OUTCOMES[outcome][direction === 'send' ? 0 : 1];

const countOf = ({ operations }: Run, outcome: Outcome): number =>
  sum(operations.filter((runOperation) => runOperation.outcome === outcome));

const ALL = 'todos';

export function Steps({ run }: { readonly run: Run }) {
  const [{ outcome: filter }, setFilters] = useFilters(['outcome']);
  const first = countOf(run, 'refused') > 0 ? 'refused' : ALL;
  const choice = NAMES.find((name) => name === filter) ?? (filter === ALL ? ALL : first);
  const outcome = choice === ALL ? '' : choice;
  return (
    <Card title="Passos">
      <div class="stack">
        <div class="filters">
          <Select
            label="Mostrar"
            value={choice}
            options={[
              { value: ALL, label: `Todos (${run.total})` },
              ...NAMES.filter((name) => name === choice || countOf(run, name) > 0).map((value) => ({
                value,
                label: `${wordOf(value, run)} (${countOf(run, value)})`,
              })),
            ]}
            onChange={(next) => setFilters({ outcome: next })}
          />
        </div>
        {outcome === 'refused' && countOf(run, 'refused') > 0 && <CorrectionHint run={run} />}
        {/* Steps that end move to another list, so each list is loaded again. */}
        <Rows
          key={`${outcome} ${countOf(run, outcome === '' ? 'pending' : outcome)}`}
          run={run}
          outcome={outcome}
        />
      </div>
    </Card>
  );
}

/**
 * Links to the correction of refusals. Refused products wait in a queue, grouped by the message of the
 * remote.
 */
const CorrectionHint = ({ run: { cpfCnpjRaiz, direction } }: { readonly run: Run }) => (
  <Notice tone="warn">
    <p>
      {direction === 'send' ? (
        <>
          O que o outro lado recusou se corrige aqui: abra o registro pelo código, ou todos os produtos em{' '}
          <Link href={addressFor('/corrigir?fonte=refused', cpfCnpjRaiz)}>A corrigir</Link>. Depois compare, e
          o que ainda difere pode ir de novo.
        </>
      ) : (
        'As regras daqui não deixam gravar o que veio assim: corrija-o lá, compare e traga de novo.'
      )}
    </p>
  </Notice>
);

const SIZE = 100;
const PAGING = {
  size: SIZE,
  pageOf: (answer: unknown, size: number): Page<RunStep> => {
    const items = answer as readonly RunStep[]; // checked by the contract tests
    return { items, next: items.length < size ? null : (items.at(-1)?.n ?? null) };
  },
};

function Rows({ run, outcome }: { readonly run: Run; readonly outcome: Outcome | '' }) {
  const pages = usePages<RunStep>(`${RUNS}/${run.id}/steps`, { outcome }, PAGING);
  const remaining = (outcome === '' ? run.total : countOf(run, outcome)) - pages.rows.length;
  return (
    <PagedTable
      pages={pages}
      caption="Passos"
      columns={columnsOf(run)}
      empty="Nenhum passo assim."
      rowKey={({ n }) => n}
      more={remaining > 0 ? `Mostrar mais (${withCount(remaining, 'passo', 'passos')})` : ''}
    />
  );
}

const columnsOf = (run: Run): readonly Column<RunStep>[] => [
  { key: 'n', title: 'Passo', align: 'right', cell: ({ n }) => n },
  {
    key: 'what',
    title: 'O que',
    cell: ({ kind, operation }) => `${KINDS[kind][0]}: ${OPERATIONS[operation][0].toLowerCase()}`,
  },
  { key: 'name', title: 'Nome', cell: ({ name }) => <bdi>{name}</bdi> },
  { key: 'codigo', title: 'Código aqui', code: true, cell: (step) => <Code step={step} run={run} /> },
  { key: 'remoteCodigo', title: 'Código lá', code: true, cell: remoteCodeText },
  {
    key: 'outcome',
    title: 'Resultado',
    cell: ({ outcome }) => (
      <Badge tone={OUTCOMES[outcome][2]} icon={OUTCOMES[outcome][3]}>
        {wordOf(outcome, run)}
      </Badge>
    ),
  },
  { key: 'message', title: 'Mensagem do outro lado', cell: RemoteMessage },
];

/** Shows the code of a record, with a link when the record exists locally. */
function Code({ step, run }: { readonly step: RunStep; readonly run: Run }) {
  const { kind, codigo, operation, outcome } = step;
  if (run.direction === 'fetch' && operation === 'include' && outcome !== 'sent') return <>{codigo}</>;
  const pages = kind === 'operador' ? 'operadores' : 'produtos';
  return <Link href={`/${pages}/${run.cpfCnpjRaiz}/${encodeURIComponent(codigo)}`}>{codigo}</Link>;
}

function RemoteMessage({ outcome, code, message, candidates }: RunStep) {
  if (message === null && candidates.length === 0) return <>–</>;
  return (
    <>
      {message !== null && <WithNcms text={rewordSentence(message)} />}
      {outcome === 'refused' && code !== null && <p class="muted">{code}</p>}
      {candidates.length > 0 && (
        <p class="muted">
          Lá há: {candidates.map(({ remoteCodigo, name }) => `${remoteCodigo} ${name}`).join('; ')}.
        </p>
      )}
    </>
  );
}
