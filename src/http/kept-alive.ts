/**
 * Keeps the connection of an answer alive during long work, so that neither this server nor a proxy closes it
 * as idle. JSON may begin with white space: a space is sent every few seconds, and then the record.
 */
import type { RealTime } from '../clock.ts';
import { type Logger, faultOf } from '../log/log.ts';
import { JSON_TYPE } from './answers.ts';
import { type Answer, ok } from './operation.ts';

/** Interval of the spaces: proxies commonly close an idle connection after 60 s, this server after 120 s. */
export const KEEP_ALIVE_MS = 10_000;

/** Receives a failure that comes too late for a status. */
export type OnLateFault = (error: unknown) => void;

export const lateFaultOf =
  (log: Logger): OnLateFault =>
  (error) =>
    log.error('Um trabalho longo falhou depois de começada a resposta: {error}', { error: faultOf(error) });

const NOT_YET = Symbol('not yet');

/**
 * Answers work that ends within `KEEP_ALIVE_MS`, or is refused in that time, as usual. Longer work gets the
 * status 200 before its end. If it then fails, the connection is cut, so that no client takes the work for
 * done.
 */
export async function keptAlive(
  work: Promise<object>,
  realTime: RealTime,
  onLateFault: OnLateFault,
): Promise<Answer> {
  const soon = await within(KEEP_ALIVE_MS, work, realTime);
  if (soon !== NOT_YET) return ok(soon);
  work.catch(onLateFault);
  const encoder = new TextEncoder();
  const content = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(encoder.encode(' ')),
      async pull(controller) {
        const record = await within(KEEP_ALIVE_MS, work, realTime);
        controller.enqueue(encoder.encode(record === NOT_YET ? ' ' : JSON.stringify(record)));
        if (record !== NOT_YET) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { headers: { 'Content-Type': JSON_TYPE }, content };
}

async function within<T>(ms: number, work: Promise<T>, realTime: RealTime): Promise<T | typeof NOT_YET> {
  const { promise: over, resolve } = Promise.withResolvers<typeof NOT_YET>();
  const timer = realTime.after(ms, () => resolve(NOT_YET));
  try {
    return await Promise.race([work, over]);
  } finally {
    timer.cancel();
  }
}
