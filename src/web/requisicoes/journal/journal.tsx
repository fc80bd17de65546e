/** Shows the latest requests live, and one of them in full. */
import { useMemo } from 'preact/hooks';
import type { LoggedRequest } from '../../api/answers.ts';
import { api } from '../../api/api.ts';
import { useSession } from '../../api/session.ts';
import { useFilters } from '../../api/use-filters.ts';
import { ErrorAlert } from '../../ui/alert.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Checkbox, Input } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/progress.tsx';
import { type Column, EmptyList } from '../../ui/table.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { countText, withCount } from '../../words.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { FilterBar } from '../../ui/page.tsx';
import { Select } from '../../ui/select.tsx';
import { useCopyOf } from '../../ui/use-copy-of.ts';
import { addressOf, timeOf } from '../words.ts';
import { METHODS } from '../fault/rule.ts';
import { OneRequest } from './one-request.tsx';
import { matchesFilters } from './rows.ts';
import { Outcome } from './outcome.tsx';
import { type JournalView, useJournal } from './use-journal.ts';

export function JournalTab() {
  const [{ pages }, setPages] = useFilters(['pages']);
  const journal = useJournal(pages === 'true');
  const [filters] = useFilters(['operation', 'status', 'method', 'path']);
  const [{ requisicao }, setSelected] = useFilters(['requisicao']);
  const { operation, status, method, path } = filters;
  const matches = useMemo(
    () => journal.rows.filter((row) => matchesFilters(row, { operation, status, method, path })),
    [journal.rows, operation, status, method, path],
  );
  const columns = useMemo(() => columnsWith((id) => setSelected({ requisicao: String(id) })), [setSelected]);
  const isFiltered = Object.values(filters).some((value) => value !== '');
  return (
    <div class="stack requests">
      <JournalFilterBar rows={journal.rows} />
      <Checkbox
        label="Mostrar também o que esta interface pede"
        value={pages === 'true'}
        onChange={(isShown) => setPages({ pages: isShown ? 'true' : '' })}
      />
      <JournalState journal={journal} matchCount={matches.length} />
      <ErrorAlert error={journal.error} />
      {!journal.isReady && journal.error === undefined && <Skeleton />}
      {journal.isReady && matches.length === 0 && (
        <EmptyList>
          {isFiltered && journal.rows.length > 0
            ? 'Nenhuma requisição do diário combina com esses filtros.'
            : 'Nenhuma requisição ainda. Assim que um programa seu chamar a API, ela aparece aqui.'}
        </EmptyList>
      )}
      {matches.length > 0 && (
        <VirtualTable
          caption="Requisições"
          columns={columns}
          count={matches.length}
          row={(index) => matches[index]}
          onOpen={({ id }) => setSelected({ requisicao: String(id) })}
        />
      )}
      {requisicao !== '' && (
        <OneRequest key={requisicao} id={requisicao} onClose={() => setSelected({ requisicao: '' })} />
      )}
    </div>
  );
}

const LIVE = {
  connecting: ['calm', 'clock', 'Conectando…'],
  live: ['good', 'check', 'Ao vivo'],
  lost: ['warn', 'alert', 'Sem conexão: reconectando…'],
} as const;

function JournalState(props: { readonly journal: JournalView; readonly matchCount: number }) {
  const { journal, matchCount } = props;
  const { administrador } = useSession();
  const { rows, live, isPaused, waiting, setPaused, emptied } = journal;
  const [tone, icon, text] =
    isPaused && live === 'live' ? (['warn', 'dash', 'Pausado'] as const) : LIVE[live];
  return (
    <div class="requests-state">
      <span role="status">
        <Badge tone={tone} icon={icon}>
          {text}
        </Badge>
      </span>
      <span class="muted">
        {matchCount === rows.length
          ? withCount(matchCount, 'requisição', 'requisições')
          : `${countText(matchCount)} de ${withCount(rows.length, 'requisição', 'requisições')}`}
        {waiting > 0 && `, ${withCount(waiting, 'nova', 'novas')}`}
      </span>
      <div class="actions">
        <Button small onPress={() => setPaused(!isPaused)} pressed={isPaused}>
          Pausar
        </Button>
        {administrador && (
          <ConfirmButton
            label="Esvaziar"
            small
            disabled={rows.length === 0}
            title="Esvaziar o diário?"
            action="Esvaziar"
            danger
            send={() => api.delete('/appliance/api/requests')}
            onDone={emptied}
          >
            <p>As requisições guardadas na memória somem desta página e da API. O catálogo não muda.</p>
          </ConfirmButton>
        )}
      </div>
    </div>
  );
}

const columnsWith = (open: (id: number) => void): readonly Column<LoggedRequest>[] => [
  { key: 'at', title: 'Hora', width: 90, code: true, cell: timeOf },
  { key: 'status', title: 'Status', width: 110, cell: (row) => <Outcome row={row} /> },
  { key: 'method', title: 'Método', width: 90, code: true, cell: ({ method }) => method },
  {
    key: 'path',
    title: 'Caminho',
    cell: (row) => (
      <button type="button" class="link" title={addressOf(row)} onClick={() => open(row.id)}>
        {addressOf(row)}
      </button>
    ),
  },
  {
    key: 'ms',
    title: 'Duração',
    width: 100,
    align: 'right' as const,
    cell: ({ ms }) => `${ms.toLocaleString('pt-BR', { maximumFractionDigits: 1 })} ms`,
  },
  { key: 'problems', title: 'O que houve', width: 260, cell: (row) => <bdi>{reasonOf(row)}</bdi> },
];

function reasonOf({ problems, fault }: LoggedRequest): string {
  const simulated = fault === null ? '' : `falha simulada: ${fault}`;
  const [first] = problems;
  if (first === undefined) return simulated;
  const others = problems.length > 1 ? ` (+${problems.length - 1})` : '';
  return [simulated, first.message + others].filter((part) => part !== '').join('; ');
}

const NAMES = ['operation', 'status', 'method', 'path'] as const;
const NONE = { operation: '', status: '', method: '', path: '' };

/** The filters of the journal. The address keeps them under the names of the API. */
function JournalFilterBar({ rows }: { readonly rows: readonly LoggedRequest[] }) {
  const [filters, setFilters] = useFilters(NAMES);
  // Back and forward in the browser history also change the fields.
  const [typedValues, setTypedValues] = useCopyOf(filters);
  const update = (changes: Partial<typeof filters>): void =>
    setTypedValues((before) => ({ ...before, ...changes }));
  const operations = useMemo(
    () => [...new Set(rows.flatMap(({ operation }) => operation ?? []))].toSorted().map(optionOf),
    [rows],
  );
  const methods = useMemo(() => [...new Set([...METHODS, filters.method])].filter(Boolean), [filters.method]);
  return (
    <FilterBar onFilter={() => setFilters(typedValues)}>
      <Input label="Caminho" code value={typedValues.path} onChange={(path) => update({ path })} />
      <Combobox
        label="Operação"
        free
        value={typedValues.operation}
        options={operations}
        onChange={(operation) => update({ operation })}
      />
      <Select
        label="Método"
        value={typedValues.method}
        options={[{ value: '', label: 'Todos' }, ...methods.map(optionOf)]}
        onChange={(method) => update({ method })}
      />
      <Input
        label="Status"
        code
        inputMode="numeric"
        value={typedValues.status}
        onChange={(status) => update({ status })}
      />
      {Object.values(filters).some(Boolean) && (
        <Button kind="bare" onPress={() => setFilters(NONE)}>
          Limpar
        </Button>
      )}
    </FilterBar>
  );
}

const optionOf = (value: string) => ({ value, label: value });
