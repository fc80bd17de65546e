/** Litestream's control socket (0.5.18 or later): everything that the log holds is put into the replica now. */
import { resolve as absolute } from 'node:path';
import { nodeHttp } from '../system/builtin.ts';

export type Synced = { readonly ok: true } | { readonly ok: false; readonly message: string };

const OK = 200;
/** Its own words are short. */
const WORDS_MAX = 300;

/** Resolves when the replica has all that was committed when it was asked; never rejects. */
export function syncBy(socketPath: string, database: string, waitMs: number): Promise<Synced> {
  const { promise, resolve } = Promise.withResolvers<Synced>();
  const failed = (message: string): void => {
    resolve({ ok: false, message });
    request.destroy();
  };
  // Another program, which may stand in another folder.
  const path = absolute(database);
  const body = JSON.stringify({ path, wait: true, timeout: Math.ceil(waitMs / 1000) });
  const request = nodeHttp().request({
    ...{ socketPath, path: '/sync', method: 'POST', timeout: waitMs },
    headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
  });
  request.on('timeout', () => failed(`o Litestream não respondeu em ${waitMs} ms`));
  request.on('error', (error: NodeJS.ErrnoException) =>
    failed(`o Litestream não atende em ${socketPath} (${error.code ?? error.message})`),
  );
  request.on('response', (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (part: string) => (text = (text + part).slice(0, WORDS_MAX)));
    response.on('error', () => failed('a resposta do Litestream foi interrompida'));
    response.on('end', () =>
      response.statusCode === OK
        ? resolve({ ok: true })
        : failed(`o Litestream respondeu ${response.statusCode}: ${text.trim()}`),
    );
  });
  request.end(body);
  return promise;
}
