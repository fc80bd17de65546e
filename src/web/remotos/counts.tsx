/** Counts the records by state. Each number filters the list below and is kept in the address. */
import { STANDING_WORDS } from '../../catalogue/members/standing.ts';
import type { Comparison } from '../api/answers.ts';
import { Icon } from '../ui/icon.tsx';
import { countText } from '../words.ts';
import { KINDS, KIND_NAMES, type RemoteKind, type RemoteState, STATES, STATE_NAMES } from './words.ts';

/** '' in either member: all. */
export interface SelectedCounts {
  readonly kind: RemoteKind | '';
  readonly state: RemoteState | '';
}

export const countOf = ({ counts }: Comparison, kind: RemoteKind, state: RemoteState): number =>
  counts?.[kind][state] ?? 0;

/** Counts the records that are not equal. */
export const differenceCount = (comparison: Comparison): number =>
  STATE_NAMES.filter((state) => state !== 'igual').reduce(
    (sum, state) => KIND_NAMES.reduce((subtotal, kind) => subtotal + countOf(comparison, kind, state), sum),
    0,
  );

/** Returns the default filter: the state that most needs a person. */
export function defaultSelection(comparison: Comparison): SelectedCounts {
  for (const state of STATE_NAMES)
    for (const kind of KIND_NAMES)
      if (state !== 'igual' && countOf(comparison, kind, state) > 0) return { kind, state };
  return { kind: '', state: '' };
}

export const Counts = ({
  comparison,
  counts,
  onShow,
}: {
  readonly comparison: Comparison;
  readonly counts: SelectedCounts;
  readonly onShow: (selectedCounts: SelectedCounts) => void;
}) => (
  <dl class="remote-counts">
    {KIND_NAMES.map((kind) => {
      const states = STATE_NAMES.filter((state) => countOf(comparison, kind, state) > 0);
      return (
        <div key={kind}>
          <dt>{KINDS[kind][1]}</dt>
          <dd>
            {states.length === 0 && <span class="remote-none">nenhum, dos dois lados</span>}
            {states.map((state) => (
              <button
                key={state}
                type="button"
                class={`remote-chip ${STATES[state].tone}`}
                title={STATES[state].meaning}
                aria-pressed={counts.kind === kind && counts.state === state}
                onClick={() => onShow({ kind, state })}
              >
                <Icon name={STATES[state].icon} />
                {STANDING_WORDS[state]} <strong>{countText(countOf(comparison, kind, state))}</strong>
              </button>
            ))}
          </dd>
        </div>
      );
    })}
  </dl>
);
