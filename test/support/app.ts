/** A whole server in process: real SQLite in its own folder, a test clock, the fixed users of `dev`. */
import { afterAll } from 'bun:test';
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type App, type AppParts, createApp } from '../../src/assembly/app.ts';
import { commandsFor } from '../../src/cli/commands.ts';
import { type EpochMs, TestClock, monotonicMs } from '../../src/clock.ts';
import { readSettings } from '../../src/settings/config.ts';
import type { Core } from '../../src/assembly/core.ts';
import { seedDevelopment } from '../../src/demo/seed.ts';
import { type DataFolder, openFolder } from '../../src/db/folder.ts';
import { type Listening, listen } from '../../src/http/server.ts';
import type { SettingName } from '../../src/settings/settings.ts';
import { listenTls } from '../../src/tls/listener.ts';
import { putNewDatabase } from './new-database.ts';
import { lastingDiskOf, quickFolder } from './quick-disk.ts';
import { type Scheme, serverCredentials, trusting } from './tls.ts';
import { silentLog } from '../../src/log/log.ts';
import { ownCommand } from '../../src/assembly/reading/read-dispatcher.ts';
import type { AnyReadRequest } from '../../src/assembly/reading/texts.ts';
import { WorkProcesses } from '../../src/reading/work-process.ts';

/** 2026-01-15 09:00 in Brasília. */
export const START = Date.parse('2026-01-15T12:00:00Z');

export interface OpenAppOptions {
  readonly settings?: Partial<Record<SettingName, string>>;
  readonly clock?: TestClock;
  /** Loads the demo catalogue and attribute table too. */
  readonly demo?: boolean;
  /** Reuses the folder of a closed app. */
  readonly folder?: string;
  readonly parts?: Partial<AppParts>;
  /** Requests use a real socket; without it they call the app directly. */
  readonly over?: Scheme;
}

/**
 * A process takes a quarter of a second to start from the sources: all servers of a test process share the
 * processes.
 */
const processes = new WorkProcesses<AnyReadRequest>(ownCommand());
// The timers of an isolated test file end with it, also the timer that ends an idle process. (`scripts/simulate`
// has no test runner, and ends as a whole.)
if (Bun.main.endsWith('.test.ts')) afterAll(() => processes.close());

/** Grace period for running work when a test closes its server; no work is running. */
const STOP_GRACE_MS = 1000;

export interface Client {
  /** Sends a request with this user's tokens. A `body` that is no string is sent as JSON. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The unchanged body, for files. */
  readonly bytes: Uint8Array;
  /** The parsed body; throws when it is not JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each test states what it expects
  readonly json: any;
}

export interface TestApp {
  readonly app: App;
  readonly clock: TestClock;
  readonly folder: string;
  /** Its address; only with `over`. */
  readonly url: string | undefined;
  /** A client that is not signed in. */
  readonly anybody: Client;
  /** Signs in with the key of one of the fixed users, or with another one whose secret equals its id. */
  readonly as: (
    key: 'demo' | 'demo2' | 'estranho' | 'publico' | 'admin' | (string & {}),
    roleType?: string,
  ) => Promise<Client>;
  readonly close: (options?: { readonly keepFolder: boolean }) => Promise<void>;
}

interface FolderFile {
  readonly name: string;
  readonly content: Buffer;
  readonly mode: number;
}

/** Files of a folder with the demo data, by clock and settings: a seed takes ten times as long as a start. */
const demoFolders = new Map<string, Promise<readonly FolderFile[]>>();

export async function openApp(options: OpenAppOptions = {}): Promise<TestApp> {
  const clock = options.clock ?? new TestClock(START);
  const path = options.folder ?? quickFolder('catp-test-');
  if (options.folder === undefined && options.demo === true)
    for (const { name, content, mode } of await demoFolder(options.settings, clock.now())) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), content, { mode });
    }
  const folder = openFolder(path);
  const isNew = options.folder === undefined && options.demo !== true;
  if (isNew) putNewDatabase(folder, clock);
  const app = await createTestApp(folder, { ...options, clock });
  if (isNew) await seedDevelopment(app.core, { empty: true });
  app.start();
  const listening = options.over && (await listenOver(options.over, app));
  const send = sender(
    listening === undefined
      ? async (path, init) => app.fetch(new Request(`http://catp.test${path}`, init))
      : (path, init) => trusting(`${listening.url}${path}`, init),
  );
  return {
    app,
    clock,
    folder: folder.path,
    url: listening?.url,
    anybody: { call: (method, path, body, headers) => send(method, path, body, headers) },
    as: (key, roleType = 'IMPEXP') => signIn(send, key, roleType),
    close: async ({ keepFolder } = { keepFolder: false }) => {
      await listening?.stop(STOP_GRACE_MS);
      await app.close();
      if (!keepFolder) rmSync(folder.path, { recursive: true, force: true });
    },
  };
}

function demoFolder(settings: OpenAppOptions['settings'], now: EpochMs): Promise<readonly FolderFile[]> {
  const key = JSON.stringify([now, settings]);
  const files = demoFolders.get(key) ?? seedDemoFolder(settings, now);
  demoFolders.set(key, files);
  return files;
}

async function seedDemoFolder(settings: OpenAppOptions['settings'], now: EpochMs): Promise<FolderFile[]> {
  const clock = new TestClock(now);
  const folder = openFolder(quickFolder('catp-demo-'));
  putNewDatabase(folder, clock);
  const app = await createTestApp(folder, { clock, demo: true, ...(settings && { settings }) });
  await seedDevelopment(app.core, { empty: false });
  await app.close();
  const names = readdirSync(folder.path, { recursive: true, encoding: 'utf8' });
  const files = names.flatMap((name) => {
    const file = join(folder.path, name);
    const status = statSync(file);
    return status.isFile() ? [{ name, content: readFileSync(file), mode: status.mode }] : [];
  });
  rmSync(folder.path, { recursive: true });
  return files;
}

function createTestApp(
  folder: DataFolder,
  { settings: overrides, clock, demo = false, parts }: OpenAppOptions & { readonly clock: TestClock },
): Promise<App> {
  // A test clock that moves over nights triggers no backup, unless a test requests it.
  const values = { 'backup.horario': 'nunca', ...overrides };
  return createApp({
    folder,
    settings: readSettings({ environment: {}, commandLine: Object.entries(values) }),
    clock,
    mode: 'dev',
    stopwatch: monotonicMs,
    log: silentLog(),
    seed: (core: Core) => seedDevelopment(core, { empty: !demo }),
    processes,
    diskOf: lastingDiskOf,
    commands: () => commandsFor(undefined),
    ...parts,
  });
}

/** Opens a listener of the product, as `serve` does. */
export async function listenOver(scheme: Scheme, { fetch }: Pick<App, 'fetch'>): Promise<Listening> {
  const address = { host: '127.0.0.1', port: 0, fetch };
  if (scheme === 'http') return listen(address);
  return listenTls({ ...address, credentials: await serverCredentials() });
}

type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Reply>;

function sender(reach: (path: string, init: RequestInit) => Promise<Response>): Send {
  return async (method, path, body, headers = {}) => {
    const isJson =
      body !== undefined &&
      typeof body !== 'string' &&
      !(body instanceof FormData) &&
      !(body instanceof Uint8Array);
    const response = await reach(path, {
      method,
      headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as BodyInit) }),
    });
    const bytes = isEndless(response) ? await firstChunk(response) : await response.bytes();
    const text = new TextDecoder().decode(bytes);
    return {
      status: response.status,
      headers: response.headers,
      text,
      bytes,
      get json() {
        return JSON.parse(text) as unknown;
      },
    };
  };
}

/** Returns true for a stream of server-sent events, which ends when its reader closes it. */
const isEndless = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true;

async function firstChunk({ body }: Response): Promise<Uint8Array> {
  const reader = body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return first?.value ?? new Uint8Array();
}

async function signIn(send: Send, key: string, roleType: string): Promise<Client> {
  const reply = await send('POST', '/portal/api/autenticar/chave-acesso', undefined, {
    'client-id': key,
    'client-secret': key,
    'role-type': roleType,
  });
  if (reply.status !== 200) throw new Error(`${key} was not signed in: ${reply.status} ${reply.text}`);
  const authorization = reply.headers.get('set-token') ?? '';
  let csrf = reply.headers.get('x-csrf-token') ?? '';
  return {
    call: async (method, path, body, headers = {}) => {
      const answer = await send(method, path, body, { authorization, 'x-csrf-token': csrf, ...headers });
      csrf = answer.headers.get('x-csrf-token') ?? csrf;
      return answer;
    },
  };
}
