/** `replica.par` between two executables (contract section 26): the replaced one no longer writes. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openForWriting } from '../../src/db/open.ts';
import { type RunningCatp, builtExecutable } from '../support/executable.ts';
import { certificateFiles } from '../support/tls.ts';
import { refusalOf, outputOf } from './outcome.ts';
import { type Sandbox, ask, openSandbox, tokensOf } from './support.ts';

const PRODUCT = { denominacao: 'Peça', modalidade: 'IMPORTACAO', ncm: '39269090' };
const LIST = '/catp/api/ext/produto?cpfCnpjRaiz=12345678';
const REPLACED = /^Esta instância foi substituída em 20\S+; traga-a como seguidora\./;

let sandbox: Sandbox;
/** A proxy to the other machine, which can fail or change the answer: `epoch` replaces `Catp-Epoch`. */
let proxy: {
  readonly url: string;
  to: string | undefined;
  epoch: string | undefined;
  silentCalls: number;
  stop(): Promise<void>;
};
beforeEach(async () => {
  sandbox = await openSandbox();
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => {
      if (proxy.silentCalls > 0) {
        proxy.silentCalls -= 1;
        return new Promise<never>(() => undefined);
      }
      if (proxy.epoch !== undefined) return new Response('{}', { headers: { 'Catp-Epoch': proxy.epoch } });
      return proxy.to === undefined
        ? new Response(null, { status: 502 })
        : fetch(new URL(new URL(request.url).pathname, proxy.to));
    },
  });
  proxy = {
    url: `http://127.0.0.1:${server.port}`,
    to: undefined,
    epoch: undefined,
    silentCalls: 0,
    stop: () => server.stop(true),
  };
  const catp = await sandbox.start('dev', '--port', '0', '--empty', '--data', 'a');
  await catp.stop();
  mkdirSync(join(sandbox.folder, 'b'));
  for (const name of ['catp.sqlite', 'catp.key'])
    copyFileSync(join(sandbox.folder, 'a', name), join(sandbox.folder, 'b', name));
});
afterEach(async () => {
  await sandbox.close();
  await proxy.stop();
});

const words = (data: string, partner: string) =>
  ['dev', '--port', '0', '--empty', '--data', data, '--set', `replica.par=${partner}`] as const;

async function start(data: string, partner: string) {
  const catp = await sandbox.start(...words(data, partner));
  const tokens = await tokensOf(catp.url, 'demo', 'demo');
  if (typeof tokens === 'number') throw new Error(`No session: ${tokens}.`);
  const headers = { ...tokens, 'Content-Type': 'application/json' };
  const include = async () => {
    const body = JSON.stringify(PRODUCT);
    const address = `${catp.url}/catp/api/ext/produto/12345678`;
    const answer = await fetch(address, { method: 'POST', headers, body });
    return { status: answer.status, text: await answer.text() };
  };
  const list = async (): Promise<number> => (await ask(catp.url, LIST, tokens)).status;
  return { catp, include, list };
}

const readyz = async ({ url }: RunningCatp) => {
  const answer = await fetch(`${url}/readyz`);
  const { status, headers } = answer;
  return { status, epoch: headers.get('catp-epoch'), text: await answer.text() };
};

async function until(isMet: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isMet())) await Bun.sleep(20);
}

/** Returns the refusal of a command. Runs it asynchronously, because `proxy` answers in this process. */
async function refusalDuringProxy(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([await builtExecutable(), ...command], {
    cwd: sandbox.folder,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const [refusal, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  expect([code, refusal]).toEqual([1, expect.stringMatching(/^catp: .+/)]);
  return refusal;
}

test('a running server becomes read-only for good when the other reports a newer epoch', async () => {
  const a = await start('a', proxy.url);
  await until(() => a.catp.stderr.includes(`A outra máquina (${proxy.url}) não diz em que época está`));
  expect((await a.include()).status).toBe(200);
  outputOf(sandbox.run(['takeover', '--data', 'b']));
  const b = await start('b', a.catp.url); // an older epoch blocks nothing
  expect((await b.include()).status).toBe(200);
  expect((await a.include()).status).toBe(200); // unreachable for each other: no conflict is detected
  proxy.to = b.catp.url;
  await until(async () => (await a.include()).status === 503);
  const refusal = await a.include();
  expect((JSON.parse(refusal.text) as { message: string }).message).toMatch(REPLACED);
  expect(await a.list()).toBe(200);
  expect(await readyz(a.catp)).toMatchObject({ status: 503, epoch: '1' });
  expect(await readyz(b.catp)).toMatchObject({ status: 200, epoch: '2' });
  expect(await (await fetch(`${a.catp.url}/metrics`)).text()).toMatch(/^catp_ready 0$/m);
  proxy.to = undefined;
  expect((await a.include()).status).toBe(503);
  expect((await b.include()).status).toBe(200);
  await a.catp.stop();
  expect(await a.catp.allStderr()).toContain('Daqui em diante só consultas são atendidas');
  // The newer epoch is stored: a start and a command are refused without a new report.
  expect(refusalOf(sandbox, words('a', proxy.url)).slice('catp: '.length)).toMatch(REPLACED);
  const company = ['company', 'add', '11444777', '--nome', 'Outra', '--data', 'a'];
  const set = ['--set', `replica.par=${proxy.url}`];
  expect(refusalOf(sandbox, [...company, ...set]).slice('catp: '.length)).toMatch(REPLACED);
  // A takeover uses an epoch above the reported one.
  expect(outputOf(sandbox.run(['takeover', '--data', 'a', ...set]))).toContain('Época 3');
  const restarted = await start('a', proxy.url);
  expect((await restarted.include()).status).toBe(200);
});

describe('the start of a server', () => {
  test('succeeds when the other does not answer', async () => {
    const a = await start('a', proxy.url);
    await until(() => a.catp.stderr.includes(`A outra máquina (${proxy.url}) não diz em que época está`));
    expect((await a.include()).status).toBe(200);
  });

  test('is refused when the other is in a newer epoch, and stays refused when the other is silent', async () => {
    outputOf(sandbox.run(['takeover', '--data', 'b']));
    const b = await start('b', proxy.url);
    const message = refusalOf(sandbox, words('a', b.catp.url));
    expect(message.slice('catp: '.length)).toMatch(REPLACED);
    expect(message).toContain('A outra máquina está na época 2, e esta na 1');
    await b.catp.stop();
    expect(refusalOf(sandbox, words('a', b.catp.url)).slice('catp: '.length)).toMatch(REPLACED);
    const company = ['company', 'add', '11444777', '--nome', 'Outra', '--data', 'a'];
    const set = ['--set', `replica.par=${b.catp.url}`];
    expect(refusalOf(sandbox, [...company, ...set]).slice('catp: '.length)).toMatch(REPLACED);
  });

  test('retries while the other is too busy to answer', async () => {
    outputOf(sandbox.run(['takeover', '--data', 'b']));
    const b = await start('b', proxy.url);
    Object.assign(proxy, { to: b.catp.url, unanswered: 2 });
    expect((await refusalDuringProxy(words('a', proxy.url))).slice('catp: '.length)).toMatch(REPLACED);
  });

  test('is refused when both took over independently, until one of them takes over again', async () => {
    outputOf(sandbox.run(['takeover', '--data', 'b']));
    outputOf(sandbox.run(['takeover', '--data', 'a']));
    const b = await start('b', proxy.url);
    expect(refusalOf(sandbox, words('a', b.catp.url))).toContain('tomaram a época 2, cada uma por si');
    const output = outputOf(sandbox.run(['takeover', '--data', 'a', '--set', `replica.par=${b.catp.url}`]));
    expect(output).toContain('Época 3');
    expect(output).toContain(`ATENÇÃO: a outra máquina (${b.catp.url}) ainda atende`);
    const a = await start('a', b.catp.url);
    proxy.to = a.catp.url;
    await until(async () => (await b.include()).status === 503);
    expect((await a.include()).status).toBe(200);
  });

  test('over https accepts only certificates that the machine accepts', async () => {
    outputOf(sandbox.run(['takeover', '--data', 'b']));
    const { cert, key, ca } = await certificateFiles();
    const tls = ['--tls-port', '0', '--tls-cert', cert, '--tls-key', key] as const;
    const b = await sandbox.start('dev', '--port', '0', '--empty', '--data', 'b', ...tls);
    const a = await sandbox.start(...words('a', b.url));
    await until(() => /não diz em que época está \(\w*(?:CERT|ISSUER|SIGNATURE)\w*\)/.test(a.stderr));
    await a.stop();
    const { code, stderr } = sandbox.run(words('a', b.url), { NODE_EXTRA_CA_CERTS: ca });
    expect([code, stderr.slice('catp: '.length)]).toEqual([1, expect.stringMatching(REPLACED)]);
  });
});

describe('another writer in the same epoch', () => {
  const OTHER_WRITER = 'A outra máquina atende na mesma época 1, com outra pasta que também grava: ';
  /** Removes the writer, so that each machine creates its own at its first start after an upgrade. */
  const forgetWriter = (data: string): void => {
    using db = openForWriting(join(sandbox.folder, data, 'catp.sqlite'));
    db.exec("DELETE FROM folder_mark WHERE name = 'writer'");
    rmSync(join(sandbox.folder, data, 'catp.writer'), { force: true });
  };

  test('refuses a start, also later, until one of them takes over', async () => {
    forgetWriter('b');
    const b = await start('b', proxy.url);
    expect(refusalOf(sandbox, words('a', b.catp.url))).toContain(OTHER_WRITER);
    await b.catp.stop();
    expect(refusalOf(sandbox, words('a', b.catp.url))).toContain(OTHER_WRITER);
    expect(outputOf(sandbox.run(['takeover', '--data', 'a']))).toContain('Época 2');
    const a = await start('a', proxy.url);
    expect((await a.include()).status).toBe(200);
  });

  test('makes a running server read-only', async () => {
    forgetWriter('b');
    const a = await start('a', proxy.url);
    const b = await start('b', 'http://127.0.0.1:1');
    expect((await a.include()).status).toBe(200);
    proxy.to = b.catp.url;
    await until(async () => (await a.include()).status === 503);
    expect((await a.include()).text).toContain(OTHER_WRITER);
    expect([await a.list(), (await readyz(a.catp)).status]).toEqual([200, 503]);
  });

  test('blocks nothing when it does not identify itself, as in an older version', async () => {
    let asks = 0;
    const older = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () => {
        asks += 1;
        return new Response(null, { headers: { 'Catp-Epoch': '1' } });
      },
    });
    try {
      const a = await start('a', `http://127.0.0.1:${older.port}`);
      await until(() => asks > 1); // at the start, and during operation
      expect((await a.include()).status).toBe(200);
    } finally {
      await older.stop(true);
    }
  });
});

test('takeover is refused when the other has a newer epoch', async () => {
  outputOf(sandbox.run(['takeover', '--data', 'b']));
  const b = await start('b', proxy.url);
  const words = ['takeover', '--data', 'a', '--set', `replica.par=${b.catp.url}`];
  expect(refusalOf(sandbox, words)).toContain('a que tomou o lugar foi ela');
});

describe('an invalid Catp-Epoch', () => {
  const setWay = () => ['--set', `replica.par=${proxy.url}`];

  test('refuses the start as a newer one does, is remembered, and is cleared by a takeover', async () => {
    for (const epoch of ['0', '1000000000', '1e300', '-1', '1.5', '01', '1, 1', 'dois']) {
      proxy.epoch = epoch;
      rmSync(join(sandbox.folder, 'a', 'catp.superseded'), { force: true });
      expect(await refusalDuringProxy(words('a', proxy.url))).toContain(
        `A outra máquina diz em Catp-Epoch ${JSON.stringify(epoch)}, que não é uma época (um inteiro de 1 a 999999999)`,
      );
    }
    proxy.epoch = undefined;
    const company = ['company', 'add', '11444777', '--nome', 'Outra', '--data', 'a'];
    expect(refusalOf(sandbox, company)).toContain('que não é uma época');
    proxy.epoch = 'dois';
    expect(await refusalDuringProxy(['takeover', '--data', 'a', ...setWay()])).toContain(
      'A época não mudou.',
    );
    proxy.epoch = undefined;
    expect(outputOf(sandbox.run(['takeover', '--data', 'a']))).toContain('Época 2');
    expect(sandbox.run(company).code).toBe(0);
  });

  test('makes a running server read-only', async () => {
    proxy.epoch = '1';
    const a = await start('a', proxy.url);
    expect((await a.include()).status).toBe(200);
    proxy.epoch = '1000000000';
    await until(async () => (await a.include()).status === 503);
    expect((await a.include()).text).toContain('que não é uma época');
    expect(await a.list()).toBe(200);
    expect((await readyz(a.catp)).status).toBe(503);
  });

  test('differs from an answer without an epoch, which counts as silent', async () => {
    proxy.to = undefined; // answers 502
    const a = await start('a', proxy.url);
    await until(() => a.catp.stderr.includes('respondeu 502 sem dizer sua época'));
    expect((await a.include()).status).toBe(200);
  });
});

test('takeover creates no epoch above 999999999', async () => {
  proxy.epoch = '999999998';
  expect(await refusalDuringProxy(words('a', proxy.url))).toContain('está na época 999999998');
  proxy.epoch = '999999999';
  writeFileSync(
    join(sandbox.folder, 'b', 'catp.superseded'),
    JSON.stringify({ number: 999_999_999, since: null }),
  );
  proxy.epoch = undefined;
  expect(outputOf(sandbox.run(['takeover', '--data', 'a']))).toContain('Época 999999999,');
  for (const data of ['a', 'b']) {
    const refusal = refusalOf(sandbox, ['takeover', '--data', data]);
    expect(refusal).toContain('A época 999999999 é a última');
    expect(refusal).toContain('A época não mudou.');
  }
});

test('a damaged catp.superseded still refuses the start', () => {
  writeFileSync(join(sandbox.folder, 'a', 'catp.superseded'), '{"number":');
  for (const command of [words('a', proxy.url), ['takeover', '--data', 'a']])
    expect(refusalOf(sandbox, command)).toContain('catp.superseded diz que outra máquina tomou o lugar');
});
