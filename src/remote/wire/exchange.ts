/** One request to a remote and what came of it: the Clock says how long is too long (contract section 18). */
import { type Clock, MINUTE_MS } from '../../clock.ts';
import { type Asked, type Exchanged as Outcome, exchange as ask } from '../../outgoing/exchange.ts';

/** Contract section 18: a request has 60 s, an export 60 s without a byte. */
const PATIENCE_MS = MINUTE_MS;
/** Answers are records and refusals; an export goes to a file. */
const BODY_MAX_BYTES = 16 * 2 ** 20;

export type Exchanged =
  | (Extract<Outcome, { kind: 'answered' }> & { readonly text: string })
  /** `code`: of the system, of TLS, or `LATE`, `CUT`, `HUGE`. */
  | Extract<Outcome, { kind: 'broken' }>;

/** `stopping`: the process ends, and nobody waits for the answer. */
export async function exchange(asked: Asked, clock: Clock, stopping: AbortSignal): Promise<Exchanged> {
  const time = { after: (ms: number, work: () => void) => clock.at(clock.now() + ms, work) };
  const patience = asked.to === undefined ? { wholeMs: PATIENCE_MS } : { idleMs: PATIENCE_MS };
  const exchanged = await ask(asked, { time, ...patience, bodyMaxBytes: BODY_MAX_BYTES, stopping });
  if (exchanged.kind === 'answered') return { ...exchanged, text: exchanged.body.toString('utf8') };
  return exchanged.code === 'STALLED' ? { kind: 'broken', code: 'LATE' } : exchanged;
}
