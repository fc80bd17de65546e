/** Connections that are cut: before the first byte of an answer, or in the middle of one. */
import type { RealTime } from '../../clock.ts';
import { nodeHttp } from '../../system/builtin.ts';
import type { OwnSocket } from '../../system/own-socket.ts';

/** The runtime cuts a connection whose answer is a stream that fails; without a reason it says nothing of it. */
export const cut = (): Response =>
  new Response(new ReadableStream({ pull: (controller) => controller.error(undefined) }));

/** What was sent before a cut gets so long to arrive: a client that is told of the cut first may drop it. */
const ARRIVAL_MS = 50;

/**
 * Sends the head of `answer` with its whole length, `bytes` of its body, and cuts. The runtime tells no length of a stream,
 * so head and beginning go to the connection past it, where the system shows it to us (`findSocket`); elsewhere they go out
 * in chunks, of which the last is missing.
 */
export async function truncated(
  answer: Response,
  bytes: number,
  findSocket: () => OwnSocket | undefined,
  realTime: RealTime,
): Promise<Response> {
  const whole = await answer.bytes();
  const begun = whole.subarray(0, bytes);
  const socket = findSocket();
  const arrived = () => new Promise<void>((resolve) => void realTime.after(ARRIVAL_MS, resolve));
  if (socket !== undefined) {
    await socket.write(Buffer.concat([headOf(answer, whole.length), begun]), arrived);
    await arrived();
    return cut();
  }
  let isSent = false;
  const content = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!isSent && begun.length > 0) controller.enqueue(begun);
        else {
          await arrived();
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
    .filter(([name]) => !OURS.includes(name))
    .map(([name, value]) => `${name}: ${value}`);
  const reason = nodeHttp().STATUS_CODES[status] ?? '';
  return Buffer.from(
    [`HTTP/1.1 ${status} ${reason}`, ...lines, `content-length: ${length}`, '', ''].join('\r\n'),
    'latin1',
  );
}

/** What this answer says of itself. */
const OURS = ['content-length', 'transfer-encoding', 'connection'];
