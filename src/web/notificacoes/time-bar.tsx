/** Shows the duration of an attempt against the deadline. */
import type { DeliveryAttempt } from '../api/answers.ts';
import { countText } from '../words.ts';
import { DEADLINE_MS, barOf, phasesOf } from './phases.ts';

const HEIGHT = 10;

export function TimeBar({ attempt }: { readonly attempt: DeliveryAttempt }) {
  const { width, deadline } = barOf(attempt.ms);
  return (
    <span class={`notif-bar ${attempt.outcome === 'delivered' ? 'good' : 'bad'}`}>
      <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <rect class="notif-bar-all" width="100" height={HEIGHT} />
        <rect class="notif-bar-time" width={width} height={HEIGHT} />
        <line x1={deadline} x2={deadline} y1="0" y2={HEIGHT} />
      </svg>
      <span class="notif-bar-ms">
        {countText(attempt.ms)} ms <span class="hidden">do prazo de {countText(DEADLINE_MS)} ms</span>
      </span>
    </span>
  );
}

const REACHED = { done: 'feito', failed: 'aqui falhou', 'not reached': 'não chegou a' } as const;

/** Shows the phases that the attempt reached: name, connection, TLS, answer, body. */
export const Phases = ({
  attempt,
  endpoint,
}: {
  readonly attempt: DeliveryAttempt;
  readonly endpoint: string;
}) => (
  <ol class="notif-phases">
    {phasesOf(attempt, endpoint).map(({ label, state }) => (
      <li key={label} class={state.replace(' ', '-')}>
        {label} <span class="hidden">({REACHED[state]})</span>
      </li>
    ))}
  </ol>
);
