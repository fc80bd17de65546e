/** What `serve` and `dev` share: the lock, the app, the ready line, the end. */
import { readFileSync } from 'node:fs';
import { type App, type AppParts, createApp } from '../app.ts';
import { type Clock, monotonicMs } from '../clock.ts';
import type { Settings } from '../config.ts';
import { lockFolder } from '../db/lock.ts';
import { makeFolder, openFolder, usable } from '../folder.ts';
import { startLog } from '../log.ts';
import { type ListenParts, type Listening, addressOf, listen } from '../server.ts';
import { OperatorError } from '../errors.ts';
import { reasonOf } from '../system-errors.ts';

/** SIGTERM must be obeyed within 5 s (contract section 13). */
const STOP_GRACE_MS = 4000;

export interface Serving {
  readonly data: string;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly mode: AppParts['mode'];
  readonly seed?: AppParts['seed'];
  readonly open?: AppParts['open'];
  /** Runs after the folder is open and before the first request: refuses or prepares it. */
  readonly prepare: (app: App) => Promise<void>;
}

/** Serves until a signal; resolves when everything accepted is finished. */
export async function serve({ data, settings, clock, mode, seed, open, prepare }: Serving): Promise<void> {
  const log = startLog(settings['log.nivel']);
  makeFolder(data);
  const lock = usable(data, () => lockFolder(data));
  if (lock === undefined)
    throw new OperatorError(
      `A pasta de dados ${data} já está em uso por outro catp. Pare-o antes, ou use outra pasta com --data.`,
    );
  const app = await createApp({
    folder: openFolder(data),
    settings,
    clock,
    mode,
    log,
    stopwatch: monotonicMs,
    addressOf,
    ...(seed && { seed }),
    ...(open && { open }),
  });
  await prepare(app);
  const listenings = listenOnAll(settings, app);
  app.start();
  // Before anybody can know that it serves: a stop that comes right then is obeyed like any other.
  const told = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  const [plain, secure] = listenings;
  process.stdout.write(`catp: pronto em ${plain?.url}\n`);
  if (secure !== undefined) process.stdout.write(`catp: TLS em ${secure.url}\n`);

  await told;
  await Promise.all(listenings.map((listening) => listening.stop(STOP_GRACE_MS)));
  await app.close();
  lock.release();
}

function listenOnAll(settings: Settings, app: App): Listening[] {
  const { host } = settings;
  const bodyMax = Math.max(settings['importacao.maximo'], settings['corpo.maximo']) + BODY_ENVELOPE_BYTES;
  const plain = listenOrExplain({ host, port: settings.porta, fetch: app.fetch, bodyMax }, '--port');
  const port = settings['tls.porta'];
  if (port === undefined) return [plain];
  const tls = { cert: readPem(settings, 'tls.certificado'), key: readPem(settings, 'tls.chave') };
  return [plain, listenOrExplain({ host, port, fetch: app.fetch, bodyMax, tls }, '--tls-port')];
}

function readPem(settings: Settings, name: 'tls.certificado' | 'tls.chave'): string {
  try {
    return readFileSync(settings[name], 'utf8');
  } catch (error) {
    throw new OperatorError(
      `${name}: não foi possível ler '${settings[name]}' (${reasonOf(error)}). Indique um arquivo PEM.`,
    );
  }
}

function listenOrExplain(parts: ListenParts, flag: string): Listening {
  try {
    return listen(parts);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(
      `Não foi possível escutar em ${parts.host}:${parts.port} (${reason}). Escolha outra porta com ${flag}.`,
    );
  }
}

/** Room for the frame of a multipart body around a file of the largest size. */
const BODY_ENVELOPE_BYTES = 1024 * 1024;
