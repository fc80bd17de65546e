/** Control socket of Litestream (0.5.18 or later): puts the whole log into the replica now. */
import { resolve as absolute } from 'node:path';
import type { RealTime } from '../clock.ts';
import { MAX_BYTES, exchange } from '../outgoing/exchange.ts';
import { foreignText } from '../validation/text.ts';

export type Synced = { readonly ok: true } | { readonly ok: false; readonly message: string };

export interface SyncRequest {
  readonly socketPath: string;
  readonly database: string;
  readonly waitMs: number;
  readonly time: Pick<RealTime, 'after'>;
}

const OK = 200;

/** Resolves when the replica has everything that was committed at the call. Never rejects. */
export async function syncBy({ socketPath, database, waitMs, time }: SyncRequest): Promise<Synced> {
  // Litestream may run in another folder, so the path is absolute.
  const path = absolute(database);
  const body = JSON.stringify({ path, wait: true, timeout: Math.ceil(waitMs / 1000) });
  const exchanged = await exchange(
    {
      url: new URL('http://litestream/sync'),
      socketPath,
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) },
    },
    { time, totalMs: waitMs, maxBytes: MAX_BYTES.answer, stopping: new AbortController().signal },
  );
  if (exchanged.kind === 'answered')
    return exchanged.status === OK
      ? { ok: true }
      : failed(`o Litestream respondeu ${exchanged.status}: ${wordsIn(exchanged.body)}`);
  const { code } = exchanged;
  if (code === 'LATE') return failed(`o Litestream não respondeu em ${waitMs} ms`);
  if (code === 'CUT' || code === 'HUGE') return failed('a resposta do Litestream foi interrompida');
  return failed(`o Litestream não atende em ${socketPath} (${code})`);
}

const failed = (message: string): Synced => ({ ok: false, message });

const wordsIn = (body: Buffer): string => foreignText(body.toString('utf8').trim());
