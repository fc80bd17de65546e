/** The shared part of `serve` and `dev`: the app, the ready line, the shutdown. */
import { fstatSync, writeSync } from 'node:fs';
import { type App, type AppParts, createApp } from '../assembly/app.ts';
import { upgradedText } from '../backup/model.ts';
import { type Clock, REAL_TIME, SECOND_MS, SystemClock, monotonicMs } from '../clock.ts';
import { type Settings, isDefault, settingTexts } from '../settings/config.ts';
import { publishClock } from '../db/folder-clock.ts';
import { type DataFolder, openExistingFolder, openFolder, withUsableFolder } from '../db/folder.ts';
import { LogFile } from '../log/log-file.ts';
import { type LogSink, type Logger, jsonLinesTo, plainLines, startLog } from '../log/log.ts';
import type { Screen } from '../dev/screen/screen.ts';
import { InFlight } from '../http/in-flight.ts';
import { type Listening, listen } from '../http/server.ts';
import type { Credentials } from '../tls/credentials.ts';
import { HandshakeFaults } from '../tls/handshake-faults.ts';
import { listenTls } from '../tls/listener.ts';
import { Origins } from '../tls/origins.ts';
import { supervisorOf } from '../service/supervisor.ts';
import { onConsoleEnd } from '../windows/console.ts';
import type { ServiceControl } from '../windows/service-control.ts';
import { logFaults } from './failure.ts';
import type { LockedFolder } from './locked-folder.ts';
import { listenOrExplain, listenAddressesOf } from './ports.ts';
import { type Ready, removeReadyFile, writeReadyFile } from './ready-file.ts';

/** The time that current requests have to finish. SIGTERM must be obeyed within 5 s (contract section 13). */
const STOP_GRACE_MS = 3000;
/**
 * The time limit of the whole shutdown. Unfinished work is done at the next start. No acknowledged write is
 * lost.
 */
const STOP_DEADLINE_MS = 4500;

const STANDARD_OUTPUT = 1;
const STANDARD_ERROR = 2;

export interface ServeOptions {
  readonly lockedFolder: LockedFolder;
  readonly credentials: Credentials;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly mode: AppParts['mode'];
  readonly seed?: AppParts['seed'];
  readonly localReceivers?: AppParts['localReceivers'];
  readonly ownSecrets?: AppParts['ownSecrets'];
  readonly stubs?: AppParts['stubs'];
  readonly open?: AppParts['open'];
  readonly commands: AppParts['commands'];
  /** The file that reports to programs that requests are served. */
  readonly readyFile?: string;
  /** The service manager of Windows, if it started this process. */
  readonly manager?: ServiceControl;
  /** Ends the server as a signal does, when it resolves. */
  readonly endRequest?: Promise<void>;
  /** Refuses or prepares the folder after it is open and before the first request. */
  readonly prepare: (app: App) => Promise<void>;
  /** Logs a line for each request and each delivery. */
  readonly logsAll?: boolean;
  /** The screen of a development instance. */
  readonly screen?: Screen | undefined;
  /** Runs when all accepted requests are answered, before the folder is closed. */
  readonly onFinished?: (app: App) => Promise<void>;
  /** Called once the server accepts requests. */
  readonly onReady?: (addresses: Addresses, app: App) => void;
}

export interface Addresses {
  readonly http: string;
  readonly https: string | undefined;
}

/** Serves until a signal. Resolves when all accepted requests are finished. */
export async function serve(options: ServeOptions): Promise<void> {
  const opened = new AsyncDisposableStack();
  const running = await start(options, opened).catch(async (error: unknown) => {
    await closeFailed(opened);
    throw error;
  });
  await runToEnd(options, running, opened);
}

/**
 * Closes what a failed start opened: Windows removes no file that is open. The fault of the start is
 * reported, so a fault of this cleanup is not.
 */
async function closeFailed(opened: AsyncDisposableStack): Promise<void> {
  const { promise: deadline, resolve } = Promise.withResolvers<void>();
  const timer = REAL_TIME.after(STOP_DEADLINE_MS, resolve);
  await Promise.race([opened.disposeAsync().catch(() => undefined), deadline]);
  timer.cancel();
}

/** A server that accepts requests. */
interface Running {
  readonly app: App;
  readonly log: Logger;
  readonly listenings: readonly Listening[];
  readonly supervisor: Awaited<ReturnType<typeof supervisorOf>>;
  /** Resolves when the server is to stop. */
  readonly ended: Promise<void>;
}

/** Starts the server. `opened` gets what has to be closed at its end. */
async function start(options: ServeOptions, opened: AsyncDisposableStack): Promise<Running> {
  const {
    lockedFolder,
    credentials,
    settings,
    clock,
    mode,
    seed,
    open,
    commands,
    prepare,
    readyFile,
    screen,
  } = options;
  const log = startLog(settings['log.nivel'], logSink(options));
  logFaults(log);
  const observers = [
    ...(options.logsAll === true ? [(await import('../dev/screen/json-lines.ts')).jsonLines(log)] : []),
    ...(screen === undefined ? [] : [screen]),
  ];
  const { path: data, inspection } = lockedFolder;
  if (inspection !== undefined) opened.use(inspection);
  const publishedClock = withUsableFolder(data, () => publishClock(data, clock));
  opened.defer(() => publishedClock.end());
  if (readyFile !== undefined) removeReadyFile(readyFile);
  const realClock = new SystemClock();
  const origins = new Origins(
    settings,
    () => credentials.trust,
    () => realClock.now(),
    mode === 'dev' ? (text) => log.info('{text}', { text }) : undefined,
  );
  const folder = mode === 'serve' ? openExistingFolder(data) : openFolder(data);
  const upgraded = lockedFolder.isSettled ? undefined : await upgradeFolder(options, folder);
  if (upgraded !== undefined) log.warning(upgradedText(upgraded, upgraded.copy.path));
  const app = await createApp({
    folder,
    settings,
    clock,
    mode,
    log,
    stopwatch: monotonicMs,
    origins,
    commands,
    certificateMsLeft: () => credentials.pair && credentials.pair.until - realClock.now(),
    ...(seed && { seed }),
    ...(options.localReceivers && { localReceivers: true }),
    ...(options.ownSecrets && { ownSecrets: options.ownSecrets }),
    ...(options.stubs !== undefined && { stubs: options.stubs }),
    open: { ...open, ...(inspection && { inspected: () => inspection.handOver() }) },
    ...(observers.length > 0 && {
      onAttempt: (...attempt) => observers.forEach((requestDisplay) => requestDisplay.attempt(...attempt)),
    }),
  });
  opened.defer(() => app.close());
  await prepare(app);
  const { manager } = options;
  const supervisor = await supervisorOf({ environment: Bun.env, realTime: REAL_TIME, log, manager });
  for (const { request } of observers) app.development?.journal.listen(request);
  const listenings = await listenOnAll(settings, credentials, app, log);
  if (!isDefault('servidor.segundosCabecalho', settingTexts(settings)))
    log.warning(
      'servidor.segundosCabecalho vale só para HTTPS: em HTTP sem TLS o runtime fecha aos 12 segundos a conexão cujo primeiro cabeçalho não chegou inteiro.',
    );
  credentials.warnOfFiles(log, new SystemClock().now());
  credentials.watch(REAL_TIME, log);
  // Without TLS files, `dev` ends with its terminal. A server reloads its files on SIGHUP.
  if (mode === 'serve' || settings['tls.porta'] !== undefined)
    process.on('SIGHUP', () => void supervisor.reloading(() => credentials.reload(log)));
  app.start();
  // The signals are watched before the ready line is written: a program that reads it may stop the server at
  // once.
  const ended = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
    void options.endRequest?.then(resolve);
    // A service has no window, and would be notified of every user's sign-off.
    if (manager === undefined) onConsoleEnd(resolve);
    else void manager.stopped.then(resolve);
  });
  const [plain, secure] = listenings;
  // All lines are written together: a program that waits for the first one may close the pipe after it.
  const tls = secure === undefined ? '' : `catp: TLS em ${secure.url}\n`;
  if (readyFile !== undefined) writeReadyFile(readyFile, readyOf(listenings));
  print(`catp: pronto em ${plain?.url}\n${tls}`);
  supervisor.ready(`pronto em ${listenings.map(({ url }) => url).join(' e ')}`);
  options.onReady?.({ http: plain?.url ?? '', https: secure?.url }, app);
  return { app, log, listenings, supervisor, ended };
}

/** Loaded late: few starts upgrade anything. */
async function upgradeFolder({ settings, clock, mode }: ServeOptions, folder: DataFolder) {
  const { upgrade } = await import('../backup/upgrade.ts');
  const place = settings['backup.pasta'];
  return upgrade({ folder, keys: folder.keys, place, clock, mayBeNew: mode === 'dev' });
}

/** Waits for the end, finishes all accepted requests, and closes what is open. */
async function runToEnd(
  { lockedFolder, credentials, readyFile, screen, onFinished }: ServeOptions,
  { app, log, listenings, supervisor, ended }: Running,
  opened: AsyncDisposableStack,
): Promise<void> {
  await ended;
  supervisor.stopping();
  // This timer is never cancelled: without it the process would wait for a reader of the log that has gone.
  REAL_TIME.after(STOP_DEADLINE_MS, () => {
    log.warning('O encerramento passou de {ms} ms e foi cortado; o que faltou é feito no próximo início.', {
      ms: STOP_DEADLINE_MS,
    });
    process.exit(0);
  });
  credentials.stop();
  await Promise.all([app.stop(), ...listenings.map((listening) => listening.stop(STOP_GRACE_MS))]);
  try {
    await onFinished?.(app);
  } finally {
    await opened.disposeAsync();
    if (readyFile !== undefined) removeReadyFile(readyFile);
    screen?.flush();
    lockedFolder.release();
  }
}

const readyOf = ([plain, secure]: readonly Listening[]): Ready => ({
  url: plain?.url ?? '',
  port: Number(new URL(plain?.url ?? '').port),
  tlsUrl: secure?.url ?? null,
  pid: process.pid,
});

/** Writes without `process.stdout`: the first requests would wait while the runtime loads its streams. */
const print = (text: string): void => void writeSync(STANDARD_OUTPUT, text);

/**
 * Returns the destination of the log: a file, if the settings name one. Faults that end the process go to it
 * too.
 */
function logSink({ settings, screen, mode }: ServeOptions): LogSink {
  if (settings['log.arquivo'] !== '')
    return jsonLinesTo(new LogFile(settings['log.arquivo'], settings['log.tamanho'], settings['log.manter']));
  if (screen !== undefined) return (record) => screen.record(record);
  return mode === 'serve' && isTerminal(STANDARD_ERROR) ? plainLines : jsonLinesTo();
}

/**
 * Returns true for a terminal. It uses the file status: the runtime's `isatty` would slow down every start.
 */
function isTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false; // closed
  }
}

async function listenOnAll(
  settings: Settings,
  credentials: Credentials,
  app: App,
  log: Logger,
): Promise<Listening[]> {
  const { fetch } = app;
  const inFlight = new InFlight();
  const [plain, secure] = listenAddressesOf(settings);
  const listening = await listenOrExplain(plain, () => listen({ ...plain, fetch, inFlight }));
  if (secure === undefined) return [listening];
  const listeningTls = await listenOrExplain(secure, () =>
    listenTls({
      ...secure,
      fetch,
      inFlight,
      credentials,
      connections: settings['servidor.conexoes'],
      headerMs: settings['servidor.segundosCabecalho'] * SECOND_MS,
      onHandshakeFailed: new HandshakeFaults(log, REAL_TIME).note,
    }),
  );
  return [listening, listeningTls];
}
