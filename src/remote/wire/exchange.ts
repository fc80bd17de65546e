/** One request to a remote and what came of it: the Clock says how long is too long (contract section 18). */
import { type Clock, MINUTE_MS } from '../../clock.ts';
import { type Asked, type Exchanged, MAX_BYTES, exchange as ask } from '../../outgoing/exchange.ts';

/** Contract section 18: a request has 60 s, an export 60 s without a byte. */
const PATIENCE_MS = MINUTE_MS;

export interface RemoteRequest extends Asked {
  /** It asks for a list, whose answer may be longer. */
  readonly isList?: boolean | undefined;
}

/** Bytes that a good answer may have. */
export const maxBytesOf = ({ to, isList = false }: Pick<RemoteRequest, 'to' | 'isList'>): number =>
  to === undefined ? (isList ? MAX_BYTES.list : MAX_BYTES.answer) : MAX_BYTES.export;

/** `stopping`: the process ends, and nobody waits for the answer. */
export async function exchange(
  request: RemoteRequest,
  clock: Clock,
  stopping: AbortSignal,
): Promise<Exchanged> {
  const time = { after: (ms: number, work: () => void) => clock.at(clock.now() + ms, work) };
  const patience = request.to === undefined ? { wholeMs: PATIENCE_MS } : { idleMs: PATIENCE_MS };
  const exchanged = await ask(request, { time, ...patience, maxBytes: maxBytesOf(request), stopping });
  return exchanged.kind === 'broken' && exchanged.code === 'STALLED'
    ? { kind: 'broken', code: 'LATE' }
    : exchanged;
}
