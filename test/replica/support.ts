/** A substitute for Litestream: its control socket, with answers that a test defines. */
import { mkdtempSync, rmSync } from 'node:fs';
import { type ServerResponse, createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Litestream {
  readonly socket: string;
  /** The requested databases, one for each request. */
  readonly requests: string[];
  /** The answer to each later request. `hold`: it waits for `release`. */
  behaviour: 'sync' | 'fail' | 'hold';
  /** Answers the held requests. */
  release(): void;
  /** Resolves when this number of requests has arrived. */
  cameTo(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function openLitestream(): Promise<Litestream> {
  const folder = mkdtempSync(join(tmpdir(), 'catp-replica-'));
  const heldResponses: ServerResponse[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const reply = (response: ServerResponse, status: number, body: object): void => {
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      litestream.requests.push((JSON.parse(text) as { path: string }).path);
      if (litestream.behaviour === 'hold') heldResponses.push(response);
      else if (litestream.behaviour === 'fail') reply(response, 500, { error: 'replica not reachable' });
      else reply(response, 200, { status: 'synced' });
      for (const { count, resolve } of waiting) if (litestream.requests.length >= count) resolve();
    });
  });
  const litestream: Litestream = {
    socket: join(folder, 's'),
    requests: [],
    behaviour: 'sync',
    release: () => {
      for (const response of heldResponses.splice(0)) reply(response, 200, { status: 'synced' });
    },
    cameTo: (count) =>
      new Promise((resolve) => {
        if (litestream.requests.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    close: async () => {
      litestream.release();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await new Promise<void>((resolve) => server.listen(litestream.socket, resolve));
  return litestream;
}
