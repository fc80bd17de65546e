/**
 * Chooses which kinds and states of a comparison are sent or fetched. The plan is shown before anything is
 * moved.
 */
import type { JSX } from 'preact';
import { useLocation } from 'wouter-preact';
import { STANDING_WORDS } from '../../catalogue/members/standing.ts';
import type { Comparison, Remote, Run, RunStarted } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useForm } from '../api/use-form.ts';
import { Checkbox } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { withCount } from '../words.ts';
import { countOf } from './counts.tsx';
import {
  COMPARISONS,
  KINDS,
  KIND_NAMES,
  MOVED,
  type RemoteKind,
  type RemoteState,
  STATES,
  isMovedByDefault,
} from './words.ts';

/** Records that were marked individually. */
export interface MarkedRecords {
  readonly kinds: readonly RemoteKind[];
  readonly states: readonly RemoteState[];
  readonly codigos: readonly string[];
}

export interface MoveDialogProps {
  readonly remote: Remote;
  readonly company: string;
  readonly comparison: Comparison;
  readonly direction: Run['direction'];
  readonly markedRecords?: MarkedRecords;
  readonly onClose: () => void;
}

export function MoveDialog(props: MoveDialogProps): JSX.Element {
  const { remote, company, comparison, direction, markedRecords, onClose } = props;
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
