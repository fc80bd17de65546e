/**
 * Sends one request to a remote and returns the result. The Clock measures the timeouts (contract section
 * 18).
 */
import { type Clock, MINUTE_MS } from '../../clock.ts';
import { type Exchanged, MAX_BYTES, type OutgoingRequest, exchange as ask } from '../../outgoing/exchange.ts';

/** Contract section 18: a request has 60 s; an export has 60 s without a byte. */
const TIMEOUT_MS = MINUTE_MS;

export interface RemoteRequest extends OutgoingRequest {
  /** True for a list, whose answer may be longer. */
  readonly isList?: boolean | undefined;
}

/** Returns the size limit of a successful answer in bytes. */
export const maxBytesOf = ({ to, isList = false }: Pick<RemoteRequest, 'to' | 'isList'>): number =>
  to === undefined ? (isList ? MAX_BYTES.list : MAX_BYTES.answer) : MAX_BYTES.export;

/** Sends the request. `stopping`: the process ends, and nobody waits for the answer. */
export async function exchange(
  request: RemoteRequest,
  clock: Clock,
  stopping: AbortSignal,
): Promise<Exchanged> {
  const time = { after: (ms: number, work: () => void) => clock.at(clock.now() + ms, work) };
  const timeout = request.to === undefined ? { totalMs: TIMEOUT_MS } : { idleMs: TIMEOUT_MS };
  const exchanged = await ask(request, { time, ...timeout, maxBytes: maxBytesOf(request), stopping });
  return exchanged.kind === 'broken' && exchanged.code === 'STALLED'
    ? { kind: 'broken', code: 'LATE' }
    : exchanged;
}
