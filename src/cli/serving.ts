/** What `serve` and `dev` share: the lock, the app, the ready line, the end. */
import { type App, type AppParts, createApp } from '../app.ts';
import { type Clock, monotonicMs } from '../clock.ts';
import type { Settings } from '../config.ts';
import { lockFolder } from '../db/lock.ts';
import { openFolder } from '../folder.ts';
import { startLog } from '../log.ts';
import { addressOf, listen } from '../server.ts';
import { OperatorError } from '../errors.ts';

/** SIGTERM must be obeyed within 5 s (contract section 13). */
const STOP_GRACE_MS = 4000;

export interface Serving {
  readonly data: string;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly mode: AppParts['mode'];
  readonly seed?: AppParts['seed'];
  /** Runs after the folder is open and before the first request: refuses or prepares it. */
  readonly prepare: (app: App) => Promise<void>;
}

/** Serves until a signal; resolves when everything accepted is finished. */
export async function serve({ data, settings, clock, mode, seed, prepare }: Serving): Promise<void> {
  const log = startLog(settings['log.nivel']);
  const folder = openFolder(data);
  const lock = lockFolder(folder.path);
  if (lock === undefined)
    throw new OperatorError(
      `A pasta de dados ${data} já está em uso por outro catp. Pare-o antes, ou use outra pasta com --data.`,
    );
  const app = await createApp({
    folder,
    settings,
    clock,
    mode,
    log,
    stopwatch: monotonicMs,
    addressOf,
    ...(seed && { seed }),
  });
  await prepare(app);
  const { host, porta } = settings;
  const listening = listenOrExplain(host, porta, app, Math.max(settings['importacao.maximo'], settings['corpo.maximo']));
  app.start();
  process.stdout.write(`catp: pronto em ${listening.url}\n`);

  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  await listening.stop(STOP_GRACE_MS);
  await app.close();
  lock.release();
}

function listenOrExplain(host: string, port: number, app: App, bodyMax: number) {
  try {
    return listen({ host, port, fetch: app.fetch, bodyMax: bodyMax + BODY_ENVELOPE_BYTES });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`Não foi possível escutar em ${host}:${port} (${reason}). Escolha outra porta com --port.`);
  }
}

/** Room for the frame of a multipart body around a file of the largest size. */
const BODY_ENVELOPE_BYTES = 1024 * 1024;
