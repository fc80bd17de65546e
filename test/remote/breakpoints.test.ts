/**
 * kill -9 at each arrow of a step's state machine, planted and not random (contract section 18, Nothing
 * twice, nothing lost): a real process on a real folder sends to a real server, and kills itself at the arrow;
 * this process sends the rest. Each arrow is one transaction; the kill comes right before its commit, and right
 * after.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR_MS, MINUTE_MS, TestClock } from '../../src/clock.ts';
import { openForWriting } from '../../src/db/open.ts';
import { START, type TestApp, openApp } from '../support/app.ts';
import { workOff } from './breakpoint-main.ts';
import { COMPANY, compare } from './support.ts';

const PRODUCTS = `/catp/api/ext/produto/${COMPANY}`;
const OPERATORS = `/catp/api/ext/operador-estrangeiro/${COMPANY}`;
const PLAIN = { descricao: 'Com tampa', modalidade: 'IMPORTACAO', ncm: '39269090' };
const MAKER = { logradouro: 'Hauptstrasse 1', nomeCidade: 'Bonn' };
const CHILD = join(import.meta.dir, 'breakpoint-main.ts');
const EXPORTS = {
  produtos: `/catp/api/ext/produto/exportar/${COMPANY}/true`,
  operadores: `/catp/api/ext/operador-estrangeiro/exportar/${COMPANY}/true`,
  vinculos: `/catp/api/ext/fabricante/exportar/${COMPANY}`,
};
/** The fate of the n-th request of each operation on the remote. */
const FAULTS = [
  { operation: 'includeProduct', fault: { kind: 'lost-answer' } },
  { operation: 'includeProduct', after: 1, fault: { kind: 'drop' } },
  {
    operation: 'includeProduct',
    after: 1,
    fault: { kind: 'status', status: 422, message: 'Não desta vez.' },
  },
  { operation: 'newProductVersion', path: `${PRODUCTS}/2`, fault: { kind: 'hourly-limit' } },
  { operation: 'newProductVersion', path: `${PRODUCTS}/3`, fault: { kind: 'drop' } },
  { operation: 'includeForeignOperator', times: 5, fault: { kind: 'drop' } },
  { operation: 'linkManufacturer', fault: { kind: 'lost-answer' } },
  { operation: 'listProducts', fault: { kind: 'status', status: 403, message: 'Não se mostra.' } },
] as const;

/** Every arrow; a run without a kill passes all but `recover`. */
const ARROWS = [
  ...['pending→intent', 'intent→sent', 'intent→uncertain', 'uncertain→adopted', 'uncertain→uncertain'],
  ...['uncertain→pending', 'uncertain→uncertain for good', 'uncertain→skipped', 'intent→adopted'],
  ...[
    'intent→refused',
    'intent→pending',
    'pending→skipped',
    'pending→adopted',
    'pending→refused',
    'recover',
    'try again',
  ],
];

let clock: TestClock;
let templates: string;

const runComparison = async (localApp: TestApp, remoteApp: TestApp) => {
  clock.moveTo(clock.now() + MINUTE_MS + 1000);
  const theirs = await remoteApp.as('demo');
  const files: Record<string, unknown> = {};
  for (const [name, path] of Object.entries(EXPORTS)) files[name] = (await theirs.call('GET', path)).bytes;
  return compare(localApp, await localApp.as('demo'), files, {}, 'la');
};

/** Prepares both folders after the plan of a run and a few later changes. */
beforeAll(async () => {
  templates = mkdtempSync(join(tmpdir(), 'catp-planted-'));
  clock = new TestClock(START);
  const remoteApp = await openApp({ clock, over: 'http', settings: { perfil: 'portal' } });
  const localApp = await openApp({ clock });
  const [ours, theirs, admin] = [
    await localApp.as('demo'),
    await remoteApp.as('demo'),
    await localApp.as('admin'),
  ];
  const connection = { url: remoteApp.url, clientId: 'demo', clientSecret: 'demo' };
  await admin.call('POST', '/appliance/api/remotes', { name: 'la', companies: [COMPANY], ...connection });
  const include = (denominacao: string, codigosInterno: string[] = []) => ({
    ...PLAIN,
    denominacao,
    codigosInterno,
  });
  for (const name of ['Velho', 'Mantido', 'Disputado'])
    for (const client of [ours, theirs]) await client.call('POST', PRODUCTS, include(name));
  await runComparison(localApp, remoteApp);
  await ours.call('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/1`);
  await ours.call('PUT', `${PRODUCTS}/2`, include('Mudado'));
  await ours.call('PUT', `${PRODUCTS}/3`, include('Disputado daqui'));
  for (const [name, ...codes] of [
    ['A', 'X'],
    ['B'],
    ['C'],
    ['D'],
    ['Muda depois'],
    ['Lá antes', 'M'],
    ['Gêmeo'],
  ])
    await ours.call('POST', PRODUCTS, include(name ?? '', codes));
  await ours.call('POST', `${OPERATORS}/DE`, { ...MAKER, nome: 'Muster' });
  const link = { codigoProduto: 2, conhecido: false, codigoPais: 'DE' };
  await ours.call('POST', `/catp/api/ext/fabricante/${COMPANY}`, link);
  const { id: comparisonId } = await runComparison(localApp, remoteApp);
  const { core } = localApp.app;
  const order = { remoteId: 1, cpfCnpjRaiz: COMPANY, comparisonId, documento: '1', key: null, asked: {} };
  const id = await core.writer.write((tx) =>
    core.remote.runStore.insert({ ...order, direction: 'send', simulated: false }, tx.now),
  );
  await core.remote.runRunner.plan(id);
  clock.moveTo(clock.now() + MINUTE_MS + 1000);
  const [again, thereAgain] = [await localApp.as('demo'), await remoteApp.as('demo')];
  await again.call('PUT', `${PRODUCTS}/8`, include('Mudou depois'));
  await thereAgain.call('POST', PRODUCTS, include('Lá antes', ['M']));
  await thereAgain.call('POST', PRODUCTS, include('Gêmeo'));
  expect(core.remote.runStore.steps(id, 0, 100)).toHaveLength(12);
  for (const [app, name] of [
    [localApp, 'aqui'],
    [remoteApp, 'la'],
  ] as const) {
    await app.close({ keepFolder: true });
    cpSync(app.folder, join(templates, name), { recursive: true });
    rmSync(app.folder, { recursive: true, force: true });
  }
});
afterAll(() => rmSync(templates, { recursive: true, force: true }));

interface Scene {
  readonly folder: string;
  readonly remoteApp: TestApp;
  /** Runs one process on the local folder. Returns the signal or exit code, and the arrows that it passed. */
  send(
    planted?: string,
    when?: string,
  ): Promise<{ readonly ended: string | number | null; readonly arrows: string[] }>;
  /** Sends the remaining steps in this process. */
  sendRest(): Promise<void>;
  close(): Promise<void>;
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  for await (const bytes of stream) {
    const lines = (rest + Buffer.from(bytes).toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

async function openScene(): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), 'catp-scene-'));
  cpSync(templates, folder, { recursive: true });
  clock = new TestClock(START + HOUR_MS);
  const remoteApp = await openApp({
    clock,
    over: 'http',
    folder: join(folder, 'la'),
    settings: { perfil: 'portal' },
  });
  const admin = await remoteApp.as('admin');
  for (const fault of FAULTS) await admin.call('POST', '/appliance/api/faults', fault);
  const db = openForWriting(join(folder, 'aqui', 'catp.sqlite'));
  db.prepare('UPDATE remote_way SET url = ?').run(remoteApp.url);
  db.close();
  /** Returns a function that changes the disputed product on the remote. */
  const nextSession = async (): Promise<() => Promise<void>> => {
    clock.moveTo(clock.now() + 3 * HOUR_MS);
    const somebody = await remoteApp.as('demo');
    clock.moveTo(clock.now() + MINUTE_MS + 1000);
    const body = { ...PLAIN, denominacao: 'Disputado de lá' };
    return async () => expect((await somebody.call('PUT', `${PRODUCTS}/3`, body)).status).toBe(200);
  };
  return {
    folder,
    remoteApp,
    send: async (planted = '-', when = '') => {
      const changeDisputed = await nextSession();
      const child = Bun.spawn(['bun', CHILD, join(folder, 'aqui'), String(clock.now()), planted, when], {
        stdin: 'pipe',
        stdout: 'pipe',
        stderr: 'inherit',
      });
      const arrows: string[] = [];
      for await (const arrow of linesOf(child.stdout)) {
        if (arrow !== 'meanwhile') {
          arrows.push(arrow);
          continue;
        }
        await changeDisputed();
        await child.stdin.write('\n');
        await child.stdin.flush();
      }
      await child.exited;
      return { ended: child.signalCode ?? child.exitCode, arrows };
    },
    sendRest: async () => {
      const changeDisputed = await nextSession();
      await workOff(join(folder, 'aqui'), clock.now(), {
        passes: () => undefined,
        onDispute: changeDisputed,
      });
    },
    close: async () => {
      await remoteApp.close({ keepFolder: true });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Records that a kill may prevent from a good end. */
const MAY_BE_LEFT: ReadonlySet<string> = new Set(['operador OPE_1 incerto', 'produto 3 mudouNosDois']);

/** Expects nothing twice and nothing lost: only what the run could not know, and later changes, remain. */
async function expectWhole({ folder, remoteApp }: Scene): Promise<void> {
  clock.moveTo(clock.now() + 3 * HOUR_MS);
  const localApp = await openApp({ clock, folder: join(folder, 'aqui') });
  try {
    const { records } = await runComparison(localApp, remoteApp);
    const differences = records
      .filter(({ state }) => state !== 'igual')
      .map(({ kind, codigo, state }) => `${kind} ${codigo} ${state}`);
    expect(differences.filter((one) => !MAY_BE_LEFT.has(one))).toEqual(['produto 8 soAqui']);
  } finally {
    await localApp.close({ keepFolder: true });
  }
}

test('a run without a crash passes every transition once, and no other', async () => {
  const scene = await openScene();
  const { ended, arrows } = await scene.send();
  expect([ended, [...new Set(arrows)].toSorted()]).toEqual([0, ARROWS.toSorted()]);
  await expectWhole(scene);
  await scene.close();
});

const CUTS = ARROWS.flatMap((arrow) => [[arrow, 'before'] as const, [arrow, 'after'] as const]);

test.each(CUTS)(
  'kill -9 at %s, %s it is committed: nothing is sent twice, nothing is lost',
  async (arrow, when) => {
    const scene = await openScene();
    // Only a process after a kill recovers.
    if (arrow === 'recover') expect((await scene.send('intent→sent', 'before')).ended).toBe('SIGKILL');
    expect((await scene.send(arrow, when)).ended).toBe('SIGKILL');
    await scene.sendRest();
    await expectWhole(scene);
    await scene.close();
  },
);
