/**
 * `replica.*` in the executable: a write waits for a substitute of Litestream; `catp doctor` calls it too.
 */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Litestream, openLitestream } from '../replica/support.ts';
import { type Sandbox, openSandbox, tokensOf } from './support.ts';

let sandbox: Sandbox;
let litestream: Litestream;
beforeEach(async () => {
  sandbox = await openSandbox();
  litestream = await openLitestream();
});
afterEach(async () => {
  litestream.behaviour = 'sync';
  await sandbox.close();
  await litestream.close();
});

const PRODUCT = { denominacao: 'Peça', modalidade: 'IMPORTACAO', ncm: '39269090' };

const ALWAYS = ['--set', 'replica.confirmar=sempre', '--set', 'replica.espera=1s'] as const;
const WITH_ALARM = ['--set', 'replica.falta=alarme'] as const;

async function start(...falta: readonly string[]) {
  const flags = ['--set', `replica.socket=${litestream.socket}`, ...ALWAYS, ...falta];
  const catp = await sandbox.start('dev', '--port', '0', '--empty', '--data', 'dados', ...flags);
  const tokens = await tokensOf(catp.url, 'demo', 'demo');
  if (typeof tokens === 'number') throw new Error(`No session: ${tokens}.`);
  const headers = { ...tokens, 'Content-Type': 'application/json' };
  const include = async (): Promise<number> => {
    const body = JSON.stringify(PRODUCT);
    return (await fetch(`${catp.url}/catp/api/ext/produto/12345678`, { method: 'POST', headers, body }))
      .status;
  };
  return { include };
}

test('replica.socket, confirmar, espera, falta = recusar: a write that the replica does not confirm is refused', async () => {
  const { include } = await start();
  expect(await include()).toBe(200);
  // Litestream runs in another folder, so it gets the absolute path.
  expect(new Set(litestream.requests)).toEqual(new Set([join(sandbox.folder, 'dados', 'catp.sqlite')]));
  litestream.behaviour = 'fail';
  expect(await include()).toBe(503);
  litestream.behaviour = 'hold'; // catp retries and gets no answer
  expect(await include()).toBe(503);
});

test('replica.falta = alarme: a write that the replica does not confirm is still answered', async () => {
  const { include } = await start(...WITH_ALARM);
  litestream.behaviour = 'fail';
  expect(await include()).toBe(200);
});

test('doctor reports a missing Litestream, as an error when writes wait for it', async () => {
  await start(...WITH_ALARM);
  const replica = (env: Record<string, string>) => {
    const { stdout } = sandbox.run(['doctor', '--json', '--data', 'dados'], env);
    return (JSON.parse(stdout) as { check: string }[]).find(({ check }) => check === 'replica');
  };
  const CATP_REPLICA_SOCKET = `${sandbox.folder}/ninguem`;
  const message = expect.stringContaining(`não atende em ${CATP_REPLICA_SOCKET} (ENOENT)`) as string;
  expect(replica({ CATP_REPLICA_SOCKET })).toMatchObject({ level: 'warning', message });
  expect(replica({ CATP_REPLICA_SOCKET, CATP_REPLICA_CONFIRMAR: 'sempre' })).toMatchObject({
    level: 'error',
  });
  expect(replica({})).toBeUndefined();
});
