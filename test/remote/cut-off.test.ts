/**
 * Work that a process left unfinished, by kill -9 or by waiting long (contract section 18): ended, continued,
 * or kept.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/clock.ts';
import { RemoteLocks } from '../../src/remote/remote-locks.ts';
import { COMPANY, NOTHING, compare } from './support.ts';
import { COMMAND_LINE } from '../../src/session/model.ts';
import { type Client, type TestApp, openApp } from '../support/app.ts';

let server: TestApp;
let demo: Client;
/** Locks of another process, on the same files. */
let otherLocks: RemoteLocks;

beforeEach(async () => {
  server = await openApp();
  demo = await server.as('demo');
  const admin = await server.as('admin');
  await admin.call('POST', '/appliance/api/remotes', { name: 'portal', companies: [COMPANY] });
  otherLocks = new RemoteLocks(server.folder);
});
afterEach(() => server.close());

const REMOTE = { remoteId: 1, cpfCnpjRaiz: COMPANY };
const remote = () => server.app.core.remote;

/** Begins a comparison as a command does. */
const beginComparison = () =>
  server.app.core.writer.write((tx) =>
    remote().store.insertComparison(
      { ...REMOTE, documento: '', forced: false, files: null, state: 'running' },
      tx.now,
    ),
  );
const restart = async () => {
  await server.close({ keepFolder: true });
  server = await openApp({ folder: server.folder, clock: server.clock });
  await remote().runner.idle();
};

describe('a comparison of a command', () => {
  test('that no process works on is ended by the next start', async () => {
    const id = await beginComparison();
    await restart();
    expect(remote().store.findComparison(id)).toMatchObject({
      state: 'failed',
      error: { code: 'CATP-ER1532', message: 'A comparação foi interrompida; repita-a.' },
    });
  });

  test('stays while the command works, and is ended by the next comparison after it', async () => {
    const lock = otherLocks.takeComparison(REMOTE);
    const id = await beginComparison();
    await restart();
    await compare(server, await server.as('demo'), NOTHING);
    expect(remote().store.findComparison(id)?.state).toBe('running');
    lock?.release();
    await compare(server, await server.as('demo'), NOTHING);
    expect(remote().store.findComparison(id)?.state).toBe('failed');
  });

  test('ends an interrupted one of the same pair, and is refused while another runs', async () => {
    const id = await beginComparison();
    const request = { cpfCnpjRaiz: COMPANY, forced: false, files: null };
    const other = otherLocks.takeComparison(REMOTE);
    const refused = remote().comparisons.runNow('portal', request);
    expect(await refused.catch(({ message }: Error) => message)).toContain('Outro comando compara');
    expect(remote().store.findComparison(id)?.state).toBe('running');
    other?.release();
    await remote().runner.endInterrupted(REMOTE);
    expect(remote().store.findComparison(id)?.state).toBe('failed');
  });
});

describe('a run of a command', () => {
  const running = async (simulated: boolean): Promise<number> => {
    const { id: comparisonId } = await compare(server, demo, NOTHING);
    const order = { ...REMOTE, comparisonId, documento: COMMAND_LINE, key: null, asked: {}, simulated };
    return server.app.core.writer.write((tx) =>
      remote().runStore.insert({ ...order, direction: 'send' }, tx.now),
    );
  };
  const stateOf = (id: number) => remote().runStore.find(id)?.state;

  test.each([
    ['that sends is continued', false],
    ['that only shows its steps is planned', true],
  ])('%s by the next start, when no process works on it', async (_, simulated) => {
    const id = await running(simulated);
    await restart();
    await remote().runRunner.idle();
    expect(stateOf(id)).toBe('done'); // nothing had to be sent
  });
});

test('an unfinished run keeps its comparison, for however long it is paused', async () => {
  const { id: comparisonId } = await compare(server, demo, NOTHING);
  const { id: other } = await compare(server, demo, NOTHING);
  const { runStore, retention, store } = remote();
  const id = await server.app.core.writer.write((tx) =>
    runStore.insert(
      { ...REMOTE, comparisonId, direction: 'send', documento: '1', key: null, asked: {}, simulated: false },
      tx.now,
    ),
  );
  await server.app.core.writer.write(() => runStore.setState(id, 'paused', 'parado por 1'));
  server.clock.moveTo(server.clock.now() + 31 * DAY_MS);
  await retention.runOnce();
  expect([store.findComparison(comparisonId)?.id, store.findComparison(other)]).toEqual([
    comparisonId,
    undefined,
  ]);
  await server.app.core.writer.write((tx) => runStore.end(id, 'cancelled', null, tx.now));
  await retention.runOnce();
  expect(store.findComparison(comparisonId)).toBeUndefined();
});
