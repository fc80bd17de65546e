/**
 * Shows the result of a comparison: counted, listed, decided one by one, and moved to the side that lacks it.
 */
import { useMemo, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { STANDING_WORDS } from '../../catalogue/members/standing.ts';
import type { ComparedRecord, Comparison, Remote, Run, RunStarted } from '../api/answers.ts';
import { useRight } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { useFilters } from '../api/use-filters.ts';
import { usePages } from '../api/use-pages.ts';
import type { Filter } from '../kit/list/filters.tsx';
import { List } from '../kit/list/list.tsx';
import { useList } from '../kit/list/use-list.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { Input, Checkbox } from '../ui/field.tsx';
import { Card } from '../ui/page.tsx';
import { api } from '../api/api.ts';
import { useForm } from '../api/use-form.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { withCount } from '../words.ts';
import { DecideAll, isDoubtful } from './decide-all.tsx';
import { Counts, type SelectedCounts, countOf, differenceCount, defaultSelection } from './counts.tsx';
import { columnsFor } from './record-columns.tsx';
import { RecordPanel } from './record-panel.tsx';
import {
  COMPARISONS,
  KIND_NAMES,
  MOVED,
  STATES,
  STATE_NAMES,
  VERBS,
  hasAddress,
  isMovedByDefault,
  KINDS,
  type RemoteKind,
  type RemoteState,
} from './words.ts';

const FILTERS: readonly Filter[] = [
  { name: 'text', label: 'Nome ou código', field: (binding) => <Input type="search" {...binding} /> },
];
const ALL = 'todos';

const keyOf = ({ kind, codigo, remoteCodigo, name }: ComparedRecord): string =>
  [kind, codigo, remoteCodigo, name].join('\n');
const nameOf = ({ name }: ComparedRecord): string => name;

export function Differences(props: {
  readonly remote: Remote;
  readonly company: string;
  readonly comparison: Comparison;
  /** True when no other run is active. */
  readonly canMove: boolean;
  readonly onDecided: () => void;
}) {
  const { remote, company, comparison, canMove, onDecided } = props;
  const [filters, setFilters] = useFilters(['kind', 'state', 'text']);
  const selection = recordsOnPage(filters, comparison);
  const { kind, state } = selection;
  const path = `${COMPARISONS}/${comparison.id}/records`;
  const list = useList<ComparedRecord>({
    path,
    baseQuery: { ...selection },
    filters: FILTERS,
    keyOf,
    useRows: usePages,
  });
  const [open, setOpen] = useState<ComparedRecord>();
  const [moving, setMoving] = useState<{
    readonly direction: Run['direction'];
    readonly markedRecords?: MarkedRecords;
  }>();
  const reading = useAction(list.markedRows, (rows) =>
    setMoving({ direction: 'send', markedRecords: markedRecordsOf(rows) }),
  );
  const columns = useMemo(
    () => columnsFor({ hasState: state === '', hasKind: kind === '', onOpen: setOpen }),
    [state, kind],
  );
  // Codes select only local records, and a code belongs to one kind.
  const canChoose = kind !== '' && state !== '' && MOVED.send.includes(state) && hasAddress(remote);
  const mayApprove = useRight('aprovacao', company);
  const decided = (): void => {
    onDecided();
    list.pages.reload();
  };
  const rows = list.pages.rows;
  const index = open === undefined ? -1 : rows.findIndex((row) => keyOf(row) === keyOf(open));
  const next = index === -1 ? undefined : rows[index + 1];
  return (
    <Card
      title={differenceCount(comparison) === 0 ? 'O que foi comparado' : 'O que difere'}
      actions={
        <Moves
          remote={remote}
          comparison={comparison}
          canMove={canMove}
          onMove={(direction) => setMoving({ direction })}
        />
      }
    >
      <div class="stack">
        <Counts comparison={comparison} counts={selection} onShow={setFilters} />
        <p class="muted">
          {state !== '' && `${STANDING_WORDS[state]}: ${STATES[state].meaning} ${STATES[state].action} `}
          {(kind !== '' || state !== '') && (
            <Button kind="bare" small onPress={() => setFilters({ kind: '', state: ALL })}>
              Mostrar todos os registros
            </Button>
          )}
        </p>
        <ErrorAlert error={reading.error} />
        <List
          list={list}
          name={`comparacao_${comparison.id}`}
          caption="Registros comparados"
          words={['registro', 'registros', 'Nenhum registro']}
          columns={columns}
          onOpen={setOpen}
          choose={canChoose ? nameOf : undefined}
          actions={
            mayApprove && isDoubtful(state) && kind !== 'vinculo' ? (
              <DecideAll
                comparison={comparison}
                state={state}
                query={list.query}
                total={list.pages.total ?? 0}
                onDecided={decided}
              />
            ) : (
              canChoose &&
              list.marked > 0 && (
                <Button small disabled={!canMove} isBusy={reading.isBusy} onPress={() => void reading.run()}>
                  Enviar os escolhidos
                </Button>
              )
            )
          }
          nothing="Nenhum registro assim: o que havia foi decidido. Escolha outro estado acima."
        />
      </div>
      {open !== undefined && (
        <RecordPanel
          key={keyOf(open)}
          remote={remote}
          company={company}
          comparison={comparison}
          record={open}
          onNext={next === undefined ? undefined : () => setOpen(next)}
          onDecided={decided}
          onClose={() => setOpen(undefined)}
        />
      )}
      {moving !== undefined && (
        <MoveDialog
          remote={remote}
          company={company}
          comparison={comparison}
          {...moving}
          onClose={() => setMoving(undefined)}
        />
      )}
    </Card>
  );
}

/** Reads the filter from the address. An unknown word filters nothing. */
function recordsOnPage(
  filters: Readonly<Record<'kind' | 'state', string>>,
  comparison: Comparison,
): SelectedCounts {
  const kind = KIND_NAMES.find((name) => name === filters.kind) ?? '';
  const state = STATE_NAMES.find((name) => name === filters.state) ?? '';
  if (kind !== '' || state !== '' || filters.state === ALL) return { kind, state };
  return defaultSelection(comparison);
}

const markedRecordsOf = (rows: readonly ComparedRecord[]): MarkedRecords => ({
  kinds: [...new Set(rows.map(({ kind }) => kind))],
  states: [...new Set(rows.map(({ state }) => state))],
  codigos: [...new Set(rows.flatMap(({ codigo }) => codigo ?? []))],
});

/** Offers the moves: over the network, or as files that a person uploads at the remote. */
function Moves(props: {
  readonly remote: Remote;
  readonly comparison: Comparison;
  readonly canMove: boolean;
  readonly onMove: (direction: Run['direction']) => void;
}) {
  const { remote, comparison, canMove, onMove } = props;
  const hasRecordsToMove = (
    direction: Run['direction'],
    isCounted: (state: (typeof STATE_NAMES)[number]) => boolean,
  ): boolean =>
    MOVED[direction].some(
      (state) => isCounted(state) && KIND_NAMES.some((kind) => countOf(comparison, kind, state) > 0),
    );
  const directions = (['send', 'fetch'] as const).filter((direction) =>
    hasRecordsToMove(direction, () => true),
  );
  return (
    <Actions>
      {directions.map((direction) => (
        <Button key={direction} disabled={!canMove} onPress={() => onMove(direction)}>
          {VERBS[direction]}…
        </Button>
      ))}
      {hasRecordsToMove('send', isMovedByDefault) && (
        <DownloadButton
          kind={hasAddress(remote) ? 'bare' : 'quiet'}
          path={`${COMPARISONS}/${comparison.id}/files.zip`}
          fallbackName={`remoto_${remote.name}.zip`}
        >
          Arquivos para upload
        </DownloadButton>
      )}
    </Actions>
  );
}

/** Records that were marked individually. */
interface MarkedRecords {
  readonly kinds: readonly RemoteKind[];
  readonly states: readonly RemoteState[];
  readonly codigos: readonly string[];
}

interface MoveDialogProps {
  readonly remote: Remote;
  readonly company: string;
  readonly comparison: Comparison;
  readonly direction: Run['direction'];
  readonly markedRecords?: MarkedRecords;
  readonly onClose: () => void;
}

/**
 * Chooses which kinds and states of a comparison are sent or fetched. The plan is shown before anything is
 * moved.
 */
function MoveDialog({ remote, company, comparison, direction, markedRecords, onClose }: MoveDialogProps) {
  const [, navigate] = useLocation();
  const states = MOVED[direction].filter((state) =>
    KIND_NAMES.some((kind) => countOf(comparison, kind, state) > 0),
  );
  const kinds = KIND_NAMES.filter((kind) => states.some((state) => countOf(comparison, kind, state) > 0));
  const form = useForm<Readonly<Record<string, boolean>>>({
    ...Object.fromEntries(kinds.map((kind) => [kind, true])),
    ...Object.fromEntries(states.map((state) => [state, isMovedByDefault(state)])),
  });
  const { values } = form;
  const selection: Pick<MarkedRecords, 'kinds' | 'states'> = markedRecords ?? {
    kinds: kinds.filter((kind) => values[kind] === true),
    states: states.filter((state) => values[state] === true),
  };
  const ofState = (state: RemoteState): number =>
    selection.kinds.reduce((sum, kind) => sum + countOf(comparison, kind, state), 0);
  const total = selection.states.reduce((sum, state) => sum + ofState(state), 0);
  const plan = async (): Promise<void> => {
    if (selection.kinds.length === 0 || selection.states.length === 0)
      return form.refuse([{ place: '', code: null, message: 'Marque ao menos um tipo e um estado.' }]);
    const started = await form.submit(() =>
      api.post<RunStarted>(`${COMPARISONS}/${comparison.id}/runs`, {
        direction,
        simulate: true,
        ...selection,
        // A plan deactivates nothing: the limit protects the run that follows it.
        maxDeactivations: Number.MAX_SAFE_INTEGER,
      }),
    );
    if (started !== undefined) navigate(`/remotos/${started.id}?cpfCnpjRaiz=${company}`);
  };
  return (
    <FormDialog
      title={direction === 'send' ? `Enviar a ${remote.name}` : `Trazer de ${remote.name}`}
      action="Ver o plano"
      form={form}
      onClose={onClose}
      onSave={plan}
    >
      {markedRecords === undefined ? (
        <>
          <fieldset>
            <legend>De que tipos</legend>
            {kinds.map((kind) => (
              <Checkbox key={kind} label={KINDS[kind][1]} {...boundTo(form, kind)} />
            ))}
          </fieldset>
          <fieldset>
            <legend>Em que estados</legend>
            {states.map((state) => (
              <Checkbox
                key={state}
                label={`${STANDING_WORDS[state]}: ${withCount(ofState(state), 'registro', 'registros')}`}
                help={STATES[state].action}
                {...boundTo(form, state)}
              />
            ))}
          </fieldset>
        </>
      ) : null}
      <p role="status">
        {markedRecords === undefined
          ? `${withCount(total, 'registro', 'registros')}. `
          : `Só ${withCount(markedRecords.codigos.length, 'registro escolhido', 'registros escolhidos')}. `}
        O plano mostra cada passo; nada é {direction === 'send' ? 'enviado' : 'trazido'} antes que você o
        confirme.
      </p>
    </FormDialog>
  );
}

const boundTo = (form: ReturnType<typeof useForm<Readonly<Record<string, boolean>>>>, name: string) => {
  const { value, ...bound } = form.field(name);
  return { ...bound, value: value === true };
};
