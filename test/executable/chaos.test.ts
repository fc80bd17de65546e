/**
 * `catp dev --chaos`: faults drawn by a seed, the same in every process, in the journal and on the screen.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CHAOS_SETS, CHAOS_SET_NAMES } from '../../src/dev/fault/model.ts';
import type { RunningCatp } from '../support/executable.ts';
import { outputOf } from './outcome.ts';
import { type Sandbox, ask, openSandbox, tokensOf } from './support.ts';

const LIST = '/catp/api/ext/produto?cpfCnpjRaiz=12345678';
const ADMINISTRATION = '/appliance/api';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

/** Sends thirty requests. Returns the kind of fault of each, from the journal. */
async function injectedFaults({ url }: RunningCatp): Promise<(string | null)[]> {
  const admin = await tokensOf(url, 'admin', 'admin');
  // Each request has its own connection: fetch repeats a GET when a reused connection is cut.
  const noReuse = { keepalive: false };
  for (let count = 0; count < 30; count += 1)
    await fetch(`${url}${LIST}`, noReuse).then(
      (answer) => answer.text(),
      () => '',
    );
  const journal = await (await ask(url, `${ADMINISTRATION}/requests?operation=listProducts`, admin)).json();
  return (journal as { fault: string | null }[]).map(({ fault }) => fault);
}

const reset = async ({ url }: RunningCatp): Promise<void> => {
  const headers = await tokensOf(url, 'admin', 'admin');
  if (typeof headers === 'number') throw new Error(`not signed in: ${headers}`);
  const { status } = await fetch(`${url}${ADMINISTRATION}/reset`, { method: 'POST', headers });
  expect(status).toBe(204);
};

describe('a seed', () => {
  test('causes the same faults after a restart and after a reset, also when all rules were removed', async () => {
    const start = () =>
      sandbox.start('dev', '--empty', '--port', '0', '--chaos', '42:drop,garbage:50:listProducts');
    const first = await start();
    const faults = await injectedFaults(first);
    expect(faults).toHaveLength(30);
    expect(new Set(faults)).toEqual(new Set(['drop', 'garbage', null]));
    const admin = await tokensOf(first.url, 'admin', 'admin');
    const rules = await (await ask(first.url, `${ADMINISTRATION}/faults`, admin)).json();
    expect(rules).toMatchObject([
      { percent: 50, matched: 30, chaos: { seed: '42', set: null, operations: ['listProducts'] } },
    ]);
    await fetch(`${first.url}${ADMINISTRATION}/faults`, { method: 'DELETE', headers: { ...Object(admin) } });
    await reset(first);
    expect((await injectedFaults(first)).slice(0, 30)).toEqual(faults);
    expect(await first.stop()).toBe(0);
    const screen = await first.allStderr();
    expect(screen).toContain('Falhas sorteadas pela semente 42: drop, garbage.');
    expect(screen).toContain('(falha simulada: garbage)');
    const second = await start();
    expect(await injectedFaults(second)).toEqual(faults);
    expect(await second.stop()).toBe(0);
  });

  test('draws from all kinds without a set, and from the kinds of a set; a request replaces the set at run time', async () => {
    const catp = await sandbox.start('dev', '--empty', '--port', '0', '--chaos', '7');
    const headers = await tokensOf(catp.url, 'admin', 'admin');
    const address = `${catp.url}${ADMINISTRATION}/faults`;
    const rules = async () => (await ask(catp.url, `${ADMINISTRATION}/faults`, headers)).json();
    expect(await rules()).toMatchObject([{ percent: CHAOS_SETS.tudo.percent, chaos: { set: 'tudo' } }]);
    const setAnswer = await fetch(address, {
      method: 'POST',
      headers: { ...Object(headers), 'content-type': 'application/json' },
      body: JSON.stringify({ chaos: { seed: 8, set: 'pagina-html' }, percent: 100 }),
    });
    expect(setAnswer.status).toBe(200);
    expect(await rules()).toMatchObject([{ percent: 100, chaos: { seed: '8', set: 'pagina-html' } }]);
    expect(new Set(await injectedFaults(catp))).toEqual(new Set(['garbage']));
    await catp.stop();
    const withSet = await sandbox.start('dev', '--empty', '--port', '0', '--chaos', '7:erros-5xx');
    expect(new Set(await injectedFaults(withSet))).toEqual(new Set(['status', null]));
    await withSet.stop();
  });
});

test('the list of sets prints name, percentage and description', () => {
  const lines = outputOf(sandbox.run(['dev', '--chaos', 'list']))
    .trim()
    .split('\n');
  expect(lines.map((line) => /^([\w-]+) +(\d+) % {2}(\S.*)$/.exec(line)?.slice(1))).toEqual(
    CHAOS_SET_NAMES.map((name) => [name, String(CHAOS_SETS[name].percent), CHAOS_SETS[name].about]),
  );
  const { stdout } = sandbox.run(['dev', '--help']);
  for (const name of CHAOS_SET_NAMES) expect(stdout).toMatch(new RegExp(`(?:\\n|, )${name}[,.]`));
});

test.each([
  ['', 'falta o valor'],
  [':tudo', 'aceita uma semente de até 20'],
  ['x'.repeat(21), 'aceita uma semente de até 20'],
  [`${'x'.repeat(20)}:nada`, '"nada" não é um conjunto'], // the seed is accepted
  ['7:nada', '"nada" não é um conjunto'],
  ['7:drop,nada', '"nada" não é um conjunto'],
  ['7:tudo:101', 'a taxa é um inteiro de 0 a 100'],
  ['7:tudo:10:listProducts:mais', 'aceita no máximo quatro partes'],
  ['7:tudo:10:listProdukts', "Você quis dizer 'listProducts'?"],
])('%p is refused with 2, and no folder is created', (chaos, reason) => {
  const { code, stderr } = sandbox.run(['dev', '--port', '0', '--data', 'nenhuma', '--chaos', chaos]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
  expect(existsSync(join(sandbox.folder, 'nenhuma'))).toBe(false);
});
