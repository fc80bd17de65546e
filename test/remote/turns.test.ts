/**
 * Two processes on one folder, a server and a command next to it, call the same remote (contract section 18,
 * A good guest).
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { TestClock } from '../../src/clock.ts';
import { SIGN_IN_PACE_MS } from '../../src/remote/wire/governor.ts';
import { RemoteLocks } from '../../src/remote/remote-locks.ts';
import { HttpWire } from '../../src/remote/wire/client.ts';
import { HttpWires } from '../../src/remote/wire/wires.ts';
import { START, type TestApp, openApp } from '../support/app.ts';

const REMOTE = 1;
const SIGN_IN = '/portal/api/autenticar/chave-acesso';
const LIST = { operation: 'listProducts', method: 'GET', path: '/catp/api/ext/produto' } as const;
const STEP_MS = 100;

let clock: TestClock;
let localApp: TestApp;
let remote: ReturnType<typeof Bun.serve>;
let processes: HttpWires[];
let paths: string[];
let atOnce: number;

/** The delay of an answer: enough for any concurrent request to arrive. */
const ANSWERS_AFTER_MS = 50;

beforeEach(async () => {
  clock = new TestClock(START);
  localApp = await openApp({ clock });
  [paths, atOnce] = [[], 0];
  let underWay = 0;
  remote = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async ({ url }) => {
      paths.push(new URL(url).pathname);
      underWay += 1;
      atOnce = Math.max(atOnce, underWay);
      await Bun.sleep(ANSWERS_AFTER_MS);
      underWay -= 1;
      return new Response('[]', {
        headers: { 'set-token': 'de-la', 'x-csrf-token': 'de-la', 'content-type': 'application/json' },
      });
    },
  });
  const { writer, remote: parts } = localApp.app.core;
  const url = `http://127.0.0.1:${remote.port}`;
  const companies = ['12345678'];
  await (
    await localApp.as('admin')
  ).call('POST', '/appliance/api/remotes', { name: 'la', companies, url, clientId: 'a', clientSecret: 'b' });
  const remoteLocks = new RemoteLocks(localApp.folder);
  const open = (): HttpWires =>
    new HttpWires(
      (remoteId, stopping) =>
        new HttpWire(
          {
            store: parts.connectionStore,
            writer,
            clock,
            ambiente: 'validacao',
            isOwnToken: async () => false,
            takeTurn: (id) => remoteLocks.takeTurn(id),
            connectionOf: () => ({
              url,
              perfil: 'IMPEXP',
              clientId: 'a',
              secret: { clientSecret: 'b' },
              ca: null,
              perHour: 900,
              downtime: null,
              otherEnvironment: false,
            }),
          },
          remoteId,
          stopping,
        ),
    );
  processes = [open(), open()];
});

afterEach(async () => {
  await remote.stop(true);
  await localApp.close();
});

/** Moves the clock while the work waits for its turn. */
async function movingClock<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const finished = work.finally(() => (isOver = true));
  while (!isOver) {
    await Promise.race([finished, Bun.sleep(5)]);
    if (!isOver) clock.moveTo(clock.now() + STEP_MS);
  }
  return finished;
}

const wires = () => processes.map((one) => one.open(REMOTE));

test('one request at a time is sent, for any number of processes', async () => {
  for (const wire of wires()) {
    await movingClock(wire.ask(LIST));
    clock.moveTo(clock.now() + SIGN_IN_PACE_MS);
  }
  const answers = await movingClock(
    Promise.all([...wires(), ...wires(), ...wires()].map((wire) => wire.ask(LIST))),
  );
  expect(answers.map(({ kind }) => kind)).toEqual(Array(6).fill('answer'));
  expect([paths.filter((path) => path === LIST.path).length, atOnce]).toEqual([2 + 6, 1]);
});

test('one of two processes signs in within a minute, and the other waits', async () => {
  const answers = await movingClock(Promise.all(wires().map((wire) => wire.ask(LIST))));
  expect(answers.map(({ kind }) => kind).toSorted()).toEqual(['answer', 'rest']);
  expect(paths).toEqual([SIGN_IN, LIST.path]);
});

test('a process that ends does not wait for its turn', async () => {
  const [first, second] = wires();
  const under = first?.ask(LIST);
  while (paths.length === 0) await Bun.sleep(1);
  const waiting = second?.ask(LIST);
  processes[1]?.stop();
  expect((await waiting)?.kind).toBe('rest');
  expect((await under)?.kind).toBe('answer');
});
