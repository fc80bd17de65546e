/** Cuts connections before the first byte of an answer, or in the middle of it. */
import type { RealTime } from '../../clock.ts';
import { nodeHttp } from '../../system/builtin.ts';
import type { OwnSocket } from '../../system/own-socket.ts';

/**
 * Returns a stream that fails, which makes the runtime cut the connection. It fails without a reason, so that
 * the runtime logs no error.
 */
export const cutConnection = (): Response =>
  new Response(new ReadableStream({ pull: (controller) => controller.error(undefined) }));

/** The time that sent bytes have to arrive before the cut. A client that sees the cut first may drop them. */
const ARRIVAL_MS = 50;

/**
 * Sends the head of `answer` with the full length and `bytes` of its body, then cuts. The runtime sends no
 * length for a stream, so head and body go directly to the socket where the system exposes it (`findSocket`).
 * Elsewhere they are sent in chunks without the last chunk.
 */
export async function truncateAnswer(
  answer: Response,
  bytes: number,
  findSocket: () => OwnSocket | undefined,
  realTime: RealTime,
): Promise<Response> {
  const body = await answer.bytes();
  const beginning = body.subarray(0, bytes);
  const socket = findSocket();
  const waitForArrival = () => new Promise<void>((resolve) => void realTime.after(ARRIVAL_MS, resolve));
  if (socket !== undefined) {
    await socket.write(Buffer.concat([headOf(answer, body.length), beginning]), waitForArrival);
    await waitForArrival();
    return cutConnection();
  }
  let isSent = false;
  const content = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!isSent && beginning.length > 0) controller.enqueue(beginning);
        else {
          await waitForArrival();
          controller.error(undefined);
        }
        isSent = true;
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(content, { status: answer.status, headers: answer.headers });
}

function headOf({ status, headers }: Response, length: number): Buffer {
  const lines = [...headers]
    .filter(([name]) => !OWN_HEADERS.includes(name))
    .map(([name, value]) => `${name}: ${value}`);
  const reason = nodeHttp().STATUS_CODES[status] ?? '';
  return Buffer.from(
    [`HTTP/1.1 ${status} ${reason}`, ...lines, `content-length: ${length}`, '', ''].join('\r\n'),
    'latin1',
  );
}

/** Headers that this function sets. */
const OWN_HEADERS = ['content-length', 'transfer-encoding', 'connection'];
