/**
 * `catp remote send` next to a server and without one: requested, followed, stopped, killed, resumed
 * (contract section 18, CLI).
 */
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, signIn } from '../../scripts/proof/client.ts';
import { type Server, startServer } from '../../scripts/proof/server.ts';
import { builtExecutable } from '../support/executable.ts';

setDefaultTimeout(240_000);

const COMPANY = '12345678';
const PRODUCTS = `/catp/api/ext/produto/${COMPANY}`;
const PLAIN = { modalidade: 'IMPORTACAO', ncm: '39269090' };
const NOTHING = ['--produtos', 'nada.json', '--operadores', 'nada.json', '--vinculos', 'nada.json'] as const;
const LOCAL = ['--empresa', COMPANY, '--data', 'aqui'] as const;
const START = Date.parse('2026-01-15T12:00:00Z');

let folder: string;
let executable: string;
let remote: { readonly url: string; readonly admin: Client };
let local: { readonly server: Server; readonly url: string; readonly demo: Client; readonly admin: Client };
const running = new Set<Server>();

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'catp-command-'));
  executable = join(folder, 'catp');
  copyFileSync(await builtExecutable(), executable);
  writeFileSync(join(folder, 'nada.json'), '[]');
  writeFileSync(join(folder, 'segredo'), 'demo');
  const { url } = await start('la', '--clock', new Date(START).toISOString());
  remote = { url, admin: await signIn(url, 'admin') };
});
afterEach(async () => {
  for (const server of running) await server.kill9();
  running.clear();
  rmSync(folder, { recursive: true, force: true });
});

async function start(name: string, ...flags: readonly string[]) {
  const server = startServer({ executable, data: join(folder, name), flags });
  running.add(server);
  return { server, url: await server.ready };
}

/** Starts the local server on a manual test clock, with products and a comparison with an empty remote. */
async function startLocal(names: readonly string[], ...flags: readonly string[]): Promise<void> {
  const { server, url } = await start('aqui', '--clock', new Date(START).toISOString());
  const [demo, admin] = [await signIn(url, 'demo'), await signIn(url, 'admin')];
  local = { server, url, demo, admin };
  for (const denominacao of names) await sendRequest(demo, 'POST', PRODUCTS, { ...PLAIN, denominacao });
  const connection = ['--url', remote.url, '--client-id', 'demo', '--secret-file', 'segredo'];
  const result = catp('remote', 'add', 'la', ...connection, ...flags, ...LOCAL);
  expect([result.code, result.stdout]).toEqual([0, 'Remoto la gravado.\n']);
  catp('remote', 'compare', 'la', ...NOTHING, ...LOCAL);
}
async function stopLocal(): Promise<void> {
  await local.server.stop();
  running.delete(local.server);
}
/** Moves the local clock. Signs in first, because the session may have expired. */
const moveLocalClock = async (seconds: number) =>
  sendRequest(await signIn(local.url, 'admin'), 'POST', '/appliance/api/clock', {
    set: new Date(START + seconds * 1000).toISOString(),
  });

async function sendRequest(client: Client, method: string, path: string, body?: object) {
  const answer = await client.call(method, path, body);
  if (answer === undefined || answer.status >= 300) throw new Error(`${method} ${path}: ${answer?.text}`);
  // oxlint-disable-next-line typescript/no-explicit-any -- each test asserts the shape
  return answer.body as any;
}

function catp(...args: readonly string[]) {
  const options = { cwd: folder, env: {}, stdin: 'ignore' } as const;
  const { exitCode, stdout, stderr } = Bun.spawnSync([executable, ...args], options);
  return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

/** Starts a command without waiting for its end. */
function begin(...args: readonly string[]) {
  const child = Bun.spawn([executable, ...args], {
    cwd: folder,
    env: {},
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let output = '';
  const keep = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    for await (const bytes of stream) output += new TextDecoder().decode(bytes);
  };
  const closed = Promise.all([keep(child.stdout), keep(child.stderr), child.exited]);
  return {
    child,
    said: () => output,
    says: async (text: string): Promise<void> => {
      while (!output.includes(text)) {
        if (child.exitCode !== null) throw new Error(`It ended without saying ${text}:\n${output}`);
        await Bun.sleep(10);
      }
    },
    end: async () => {
      await closed;
      return { code: child.exitCode, output };
    },
  };
}

const runs = () => JSON.parse(catp('remote', 'runs', '--json', ...LOCAL).stdout);
const run = (id: number) => runs().find((candidate: { id: number }) => candidate.id === id);
const fault = (members: object) =>
  sendRequest(remote.admin, 'POST', '/appliance/api/faults', { operation: 'includeProduct', ...members });
const remoteNames = async (): Promise<string[]> => {
  const products = await sendRequest(
    await signIn(remote.url, 'demo'),
    'GET',
    `/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}`,
  );
  return products.map(({ denominacao }: { denominacao: string }) => denominacao).toSorted();
};

test('a waiting comparison prints its time and reason', async () => {
  await startLocal([]);
  expect(catp('remote', 'test', 'la', '--data', 'aqui').code).toBe(0);
  const command = begin('remote', 'compare', 'la', ...LOCAL);
  await command.says('Espera até ');
  await command.says('ninguém entra duas vezes em 60 segundos');
  command.child.kill('SIGKILL');
  await command.end();
});

test('a run that waits for the next sign-in prints its time and reason, and counts the wait in its estimated end', async () => {
  await startLocal(['A']);
  expect(catp('remote', 'test', 'la', '--data', 'aqui').code).toBe(0);
  const command = begin('remote', 'send', 'la', '--yes', ...LOCAL);
  await command.says('deve terminar em 15/01/2026 09:01:06');
  await command.says('em pausa até 15/01/2026 09:01:05: ninguém entra duas vezes em 60 segundos');
  command.child.kill('SIGKILL');
  await command.end();
});

test('without a server prints the plan, the result and the next step', async () => {
  await startLocal(['A', 'B']);
  await stopLocal();
  const send = catp('remote', 'send', 'la', '--yes', ...LOCAL);
  expect([send.code, send.stderr]).toEqual([0, expect.stringContaining('2 de 2 passos; 2 enviados.')]);
  expect(send.stdout).toMatch(/^Comparação 1, de \d\d\/\d\d\/\d{4} [\d:]+, feita há /);
  expect(send.stdout).toContain('Produto  include  a enviar  2');
  expect(send.stdout).toContain('Nunca são enviados: rascunhos (0)');
  expect(send.stdout).toMatch(/Começando agora, deve terminar em \d\d\/\d\d\/\d{4}/);
  expect(send.stderr).toContain('catp remote compare la --empresa 12345678');
  expect(await remoteNames()).toEqual(['A', 'B']);
  const repeated = catp('remote', 'send', 'la', '--yes', ...LOCAL);
  expect([repeated.code, repeated.stdout]).toEqual([0, expect.stringContaining('skipped')]);
});

test('is refused without a terminal, and does nothing when a person declines', async () => {
  await startLocal(['A']);
  const refusal = catp('remote', 'send', 'la', ...LOCAL);
  expect([refusal.code, refusal.stderr]).toEqual([2, expect.stringContaining('--yes')]);
  const answering = async (answer: string) => {
    let output = '';
    const child = Bun.spawn([executable, 'remote', 'send', 'la', ...LOCAL], {
      cwd: folder,
      env: {},
      terminal: {
        cols: 100,
        rows: 24,
        data(terminal, data) {
          const hasQuestion = output.includes('[s/N]');
          output += new TextDecoder().decode(data);
          if (!hasQuestion && output.includes('[s/N]')) terminal.write(`${answer}\n`);
        },
      },
    });
    return { code: await child.exited, output };
  };
  const no = await answering('n');
  expect([no.code, no.output]).toEqual([1, expect.stringContaining('Nada foi feito.')]);
  expect(no.output).toContain('Enviar 1 registro ao remoto la?');
  expect(runs().filter(({ simulated }: { simulated: boolean }) => !simulated)).toEqual([]);
  const yes = await answering('s');
  expect([yes.code, yes.output]).toEqual([0, expect.stringContaining('1 de 1 passo')]);
  expect(yes.output).toContain('\r\u001B[K'); // one line that is overwritten
  expect(await remoteNames()).toEqual(['A']);
});

test('ends with 2 when a record was refused, with the message of the remote', async () => {
  await startLocal(['A', 'B']);
  await fault({ fault: { kind: 'status', status: 422, code: 'CATP-ER9999', message: 'Não desta vez.' } });
  const send = catp('remote', 'send', 'la', '--yes', ...LOCAL);
  expect([send.code, send.stderr]).toEqual([2, expect.stringContaining('1 recusado')]);
  expect(send.stderr).toContain('Produto A (include), refused: Não desta vez.');
});

test('Ctrl+C ends after the running step; another command follows the same run, and the server continues it', async () => {
  await startLocal(['A', 'B', 'C'], '--per-hour', '2');
  const sending = begin('remote', 'send', 'la', '--yes', ...LOCAL);
  await sending.says('em pausa até 15/01/2026 10:00:00: 2 por hora');
  const [{ id }] = runs();
  expect(run(id)).toMatchObject({ state: 'resting', sent: 2, restsFor: 'includeProduct' });
  expect(catp('remote', 'runs', ...LOCAL).stdout).toContain('15/01/2026 10:00:00  2 por hora, o limite');
  const second = begin('remote', 'send', 'la', '--yes', ...LOCAL);
  await second.says(`O envio ${id}, de 15/01/2026 09:00:00, não terminou. Continua de onde está:`);
  await second.says('em pausa até 15/01/2026 10:00:00: 2 por hora');
  sending.child.kill('SIGINT');
  for (const end of await Promise.all([sending.end(), second.end()]))
    expect([end.code, end.output]).toEqual([1, expect.stringContaining(`/appliance/api/runs/${id}/resume`)]);
  expect(run(id)).toMatchObject({ state: 'paused', reason: 'parado por Ctrl+C no comando' });
  const follower = catp('remote', 'send', 'la', '--yes', '--only', 'operador', ...LOCAL);
  expect([follower.code, follower.stderr]).toEqual([1, expect.stringContaining('é de outro pedido')]);
  const resumed = begin('remote', 'send', 'la', '--yes', ...LOCAL);
  await resumed.says('não terminou: parado por Ctrl+C no comando. Continua de onde está:');
  while (run(id).state !== 'resting') await Bun.sleep(20);
  // The run signs in to the remote again after its session, at most once a minute, so the clock moves by
  // 66 s.
  for (let seconds = 3600; run(id).state !== 'done'; seconds += 66) {
    await moveLocalClock(seconds);
    await Bun.sleep(300);
  }
  expect((await resumed.end()).code).toBe(0);
  expect(await remoteNames()).toEqual(['A', 'B', 'C']);
});

test('a run that the server stops ends the command', async () => {
  await startLocal(['A', 'B'], '--per-hour', '1');
  const sending = begin('remote', 'send', 'la', '--yes', ...LOCAL);
  await sending.says('em pausa até');
  const [{ id }] = runs();
  await sendRequest(local.demo, 'POST', `/appliance/api/runs/${id}/pause`);
  const end = await sending.end();
  expect([end.code, end.output]).toEqual([1, expect.stringContaining('Não terminou (paused): parado por')]);
});

test('a command ends when the server of its order ends', async () => {
  await startLocal(['A', 'B'], '--per-hour', '1');
  const sending = begin('remote', 'send', 'la', '--yes', ...LOCAL);
  await sending.says('em pausa até');
  await local.server.kill9();
  running.delete(local.server);
  const end = await sending.end();
  expect([end.code, end.output]).toEqual([
    1,
    expect.stringContaining('Não terminou (resting): 1 por hora, o limite'),
  ]);
  expect(end.output).toContain('Nenhum catp trabalha mais nesta pasta.');
});

test('a command without a server locks the folder; after kill -9 the next start of the server continues', async () => {
  await startLocal([]);
  // An internal code identifies the record: without a server the day is the machine's, not the remote's.
  for (const denominacao of ['A', 'B', 'C'])
    await sendRequest(local.demo, 'POST', PRODUCTS, { ...PLAIN, denominacao, codigosInterno: [denominacao] });
  catp('remote', 'compare', 'la', ...NOTHING, ...LOCAL);
  await stopLocal();
  await fault({ after: 1, fault: { kind: 'delay', ms: 2000 } });
  const sending = begin('remote', 'send', 'la', '--yes', ...LOCAL);
  await sending.says('Começando agora');
  while ((run(2)?.sent ?? 0) < 1) await Bun.sleep(10);
  const refusal = catp('dev', '--port', '0', '--data', 'aqui');
  expect([refusal.code, refusal.stderr]).toEqual([
    1,
    expect.stringContaining('já está em uso por outro catp'),
  ]);
  // The kill interrupts the second product, whose result is unknown.
  sending.child.kill('SIGKILL');
  await sending.end();
  expect(run(2).state).toBe('running');
  // The remote still completes the request.
  await sendRequest(remote.admin, 'POST', '/appliance/api/clock', {
    set: new Date(START + 3000).toISOString(),
  });
  while ((await remoteNames()).length < 2) await Bun.sleep(50);
  const now = Date.now();
  const { url } = await start('aqui', '--clock', new Date(now + 61_000).toISOString());
  local = { ...local, url, admin: await signIn(url, 'admin') };
  for (let seconds = 61; run(2).state !== 'done'; seconds += 31)
    await sendRequest(await signIn(local.url, 'admin'), 'POST', '/appliance/api/clock', {
      set: new Date(now + seconds * 1000).toISOString(),
    });
  expect(run(2)).toMatchObject({ done: 3, refused: 0, uncertain: 0 });
  expect(await remoteNames()).toEqual(['A', 'B', 'C']);
});

test('a killed comparison is ended by the next one', async () => {
  await startLocal([]);
  await fault({ operation: 'exportProducts', fault: { kind: 'delay', ms: 60_000 } });
  const comparing = begin('remote', 'compare', 'la', ...LOCAL);
  const list = async () =>
    (await sendRequest(local.demo, 'GET', `/appliance/api/comparisons?cpfCnpjRaiz=${COMPANY}`)) as {
      state: string;
    }[];
  while (!(await list()).some(({ state }) => state === 'running')) await Bun.sleep(10);
  const secondCompare = catp('remote', 'compare', 'la', ...NOTHING, ...LOCAL);
  expect([secondCompare.code, secondCompare.stderr]).toEqual([
    1,
    expect.stringContaining('Outro comando compara'),
  ]);
  comparing.child.kill('SIGKILL');
  await comparing.end();
  catp('remote', 'compare', 'la', ...NOTHING, ...LOCAL);
  expect((await list()).map(({ state }) => state)).toEqual(['done', 'failed', 'done']);
});

test('fetches by the same flags, next to a server and from files', async () => {
  await startLocal([]);
  writeFileSync(join(folder, 'catp.toml'), '');
  const product = { denominacao: 'De lá', modalidade: 'IMPORTACAO', ncm: '39269090', situacao: 'Ativado' };
  const exportedProducts = [{ seq: 1, codigo: 1, versao: '1', cpfCnpjRaiz: COMPANY, ...product }];
  writeFileSync(join(folder, 'la.json'), JSON.stringify(exportedProducts));
  const files = ['--produtos', 'la.json', '--operadores', 'nada.json', '--vinculos', 'nada.json'] as const;
  const compare = () => catp('remote', 'compare', 'la', ...files, ...LOCAL).code;
  expect(compare()).toBe(2);

  const FEW = ['--only', 'produto', '--states', 'soLa', '--max-deactivations', '0'] as const;
  const OPTIONS = ['--config', 'catp.toml', '--set', 'importacao.maximo=1000000'] as const;
  const dryRun = catp('remote', 'fetch', 'la', '--simular', ...FEW, ...OPTIONS, ...LOCAL);
  expect([dryRun.code, dryRun.stderr]).toEqual([0, '']);
  expect(dryRun.stdout).toMatch(/include +a trazer +1/);
  expect(dryRun.stdout).toMatch(/^1 +produto +include +.*De lá/im);
  const [{ id: plan }] = runs();
  expect(catp('remote', 'runs', '--run', String(plan), ...LOCAL).stdout).toMatch(
    /^1 +produto +include +.*De lá/im,
  );
  expect(JSON.parse(catp('remote', 'runs', '--run', String(plan), '--json', ...LOCAL).stdout)).toMatchObject([
    { n: 1, kind: 'produto', operation: 'include', name: 'De lá', outcome: 'pending' },
  ]);
  const unknown = catp('remote', 'runs', '--run', '99', ...LOCAL);
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('não tem o envio 99')]);
  const invalid = catp('remote', 'fetch', 'la', '--yes', '--states', 'soAqui', ...LOCAL);
  expect([invalid.code, invalid.stderr]).toEqual([2, expect.stringContaining('--states: recebido "soAqui"')]);

  const fetchResult = catp('remote', 'fetch', 'la', '--yes', ...LOCAL);
  expect([fetchResult.code, fetchResult.stderr]).toEqual([
    0,
    expect.stringContaining(
      'Busca 3: 1 de 1 passo; 1 trazido.\nVeio em /importar/1, onde se pode desfazer.\n',
    ),
  ]);
  expect(catp('remote', 'runs', ...LOCAL).stdout).toMatch(/^3 +Busca +la +done /m);
  const products = await sendRequest(local.demo, 'GET', `/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}`);
  expect(products).toMatchObject([{ codigo: 1, denominacao: 'De lá', situacao: 'ATIVADO' }]);
  expect(compare()).toBe(0);

  expect(catp('remote', 'compare', 'la', ...NOTHING, '--force', ...LOCAL).code).toBe(2);
  const brakeResult = catp('remote', 'fetch', 'la', '--yes', '--max-deactivations', '0', ...LOCAL);
  expect([brakeResult.code, brakeResult.stderr]).toEqual([
    1,
    expect.stringMatching(/--max-deactivations: desativaria aqui 1 .*; se devem sair, informe 1\.$/m),
  ]);
});
