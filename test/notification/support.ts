/** Subscriptions and events for the tests of this folder. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { putNewDatabase } from '../support/new-database.ts';
import { quickFolder } from '../support/quick-disk.ts';
import { TestClock, monotonicMs } from '../../src/clock.ts';
import { readSettings } from '../../src/settings/config.ts';
import { type Core, openCore } from '../../src/assembly/core.ts';
import { addPeople } from '../../src/demo/people.ts';
import type { NewEvent } from '../../src/notification/event/model.ts';
import type { SettingName } from '../../src/settings/settings.ts';
import {
  type Client,
  type OpenAppOptions,
  type Reply,
  START,
  type TestApp,
  openApp,
} from '../support/app.ts';

export const PATH = '/portal/api/ext/webhook';
export const EVENTO = 'catp-prod-alterado';
export const ENDPOINT = 'https://erp.empresa.example/notificacoes';
export const REQUEST = { evento: EVENTO, endpoint: ENDPOINT } as const;

/** The numbers (CPF) of the fixed users. */
export const DOCUMENTO = {
  demo: '00000000191',
  demo2: '00000000272',
  estranho: '00000000353',
  publico: '00000000434',
} as const;

export interface Opened {
  readonly server: TestApp;
  readonly demo: Client;
}

/** Returns a server for a whole file: for tests without changes, or whose changes do not affect others. */
export function serverForAllTests(options?: OpenAppOptions): () => Opened {
  return opened(options, beforeAll, afterAll);
}

export function serverForEachTest(options?: OpenAppOptions): () => Opened {
  return opened(options, beforeEach, afterEach);
}

function opened(
  options: OpenAppOptions | undefined,
  before: typeof beforeEach,
  after: typeof afterEach,
): () => Opened {
  let current: Opened | undefined;
  before(async () => {
    const server = await openApp(options);
    current = { server, demo: await server.as('demo') };
  });
  after(() => current?.server.close());
  return () => {
    if (current === undefined) throw new Error('no server is open');
    return current;
  };
}

export interface OpenedCore {
  readonly core: Core;
  readonly clock: TestClock;
  /** Ids of subscriptions that were reported as ended. */
  readonly ended: number[];
  /** Returns the number of reports that deliveries are due. */
  readonly wakes: () => number;
}

/** Opens the core below the server, with the fixed users and without delivery. */
export function coreForEachTest(settings: Partial<Record<SettingName, string>> = {}): () => OpenedCore {
  let current: OpenedCore | undefined;
  let path = '';
  beforeEach(async () => {
    path = quickFolder('catp-core-');
    const clock = new TestClock(START);
    const ended: number[] = [];
    let wakes = 0;
    const folder = {
      path,
      database: join(path, 'catp.sqlite'),
      imports: path,
      keys: { tokens: new Uint8Array(32), secrets: new Uint8Array(32).fill(7) },
    };
    putNewDatabase(folder, clock);
    const core = openCore({
      folder,
      settings: readSettings({ environment: {}, commandLine: Object.entries(settings) }),
      clock,
      stopwatch: monotonicMs,
    });
    core.notification.wakeup.listen({
      wake: () => (wakes += 1),
      changed: () => (wakes += 1),
      withdraw: (id) => ended.push(id),
    });
    await addPeople(core);
    current = { core, clock, ended, wakes: () => wakes };
  });
  afterEach(async () => {
    await current?.core.close();
    rmSync(path, { recursive: true, force: true });
  });
  return () => {
    if (current === undefined) throw new Error('no core is open');
    return current;
  };
}

/** Subscribes and returns the id. */
export async function subscribed(client: Client, more: object = {}): Promise<number> {
  const reply = await client.call('POST', PATH, { ...REQUEST, ...more });
  if (reply.status !== 200) throw new Error(`not subscribed: ${reply.status} ${reply.text}`);
  return reply.json.id as number;
}

/** Subscribes without a server. Returns the id. */
export async function subscribedTo(
  core: Core,
  documento: string,
  evento = EVENTO,
  endpoint = ENDPOINT,
): Promise<number> {
  return (await core.notification.subscriptions.subscribe(documento, { evento, endpoint })).id;
}

export const event = (more: Partial<NewEvent> = {}): NewEvent => ({
  evento: EVENTO,
  destinatarioTipo: 'CNPJ',
  destinatarioId: '12345678',
  conteudo: '{"a":1}',
  ...more,
});

export interface DeliveryRow {
  readonly id: number;
  readonly event_id: number;
  readonly subscription_id: number;
  readonly state: string;
  readonly next_attempt_at: number | null;
  readonly replay: number;
  readonly resume_at: number | null;
}

export const deliveriesOf = (core: Core): DeliveryRow[] =>
  core.db
    .prepare<[], DeliveryRow>(
      'SELECT id, event_id, subscription_id, state, next_attempt_at, replay, resume_at FROM delivery ORDER BY id',
    )
    .all();

/** Returns `[status, pointers of the details]` of a refusal. */
export const refusalOf = (reply: Reply): [status: number, paths: string[]] => [
  reply.status,
  (reply.json.detail as { path: string }[]).map(({ path }) => path),
];
