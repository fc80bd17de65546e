/** The drill of remotes: a few rounds of it, and its detection of a client that repeats failed requests. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { toEnd } from '../../scripts/proof/to-end.ts';
import { followsLate, latesOf } from '../../scripts/proof/remote/lateness.ts';
import { ClientLimits } from '../../scripts/proof/remote/client-limits.ts';
import type { Passage } from '../../scripts/proof/remote/recording-proxy.ts';
import { builtExecutable } from '../support/executable.ts';
import { ROOT } from '../support/sources.ts';

setDefaultTimeout(400_000);

async function drill(...words: string[]) {
  const script = join(ROOT, 'scripts/remote-drill.ts');
  const command = [process.execPath, 'run', script, '--executable', await builtExecutable(), ...words];
  const { out, err, code } = await toEnd(command, { cwd: ROOT });
  const figure = (name: string): number => Number(new RegExp(`${name} +(\\d+)`).exec(out)?.[1]);
  return { out, errors: err, code, figure };
}

test('faults, kills and full hours duplicate and lose nothing', async () => {
  const { out, errors, code, figure } = await drill('--rounds', '8', '--seed', '11');
  expect([code, errors]).toEqual([0, '']);
  expect(out).toContain('nada duas vezes, nada perdido');
  expect(figure('passos enviados')).toBeGreaterThan(0);
  expect(figure('kill -9')).toBeGreaterThan(0);
});

test('the drill detects a client that repeats failed requests', async () => {
  const { out, code, figure } = await drill('--rounds', '8', '--seed', '12', '--control');
  expect(code).toBe(1);
  expect(out).toContain('do controle');
  expect(figure('perdas e duplicatas')).toBeGreaterThan(0);
});

const START = Date.parse('2026-01-15T12:00:00Z');
const moment = (second: number): string => new Date(START + second * 1000).toISOString();
const passage = (operation: string, second: number, answer?: string): Passage => {
  const at = START + second * 1000;
  return { n: 0, operation, path: '/', body: '', at, since: at, answer };
};
const version = (codigo: string, second: number, versao = '1') => ({
  codigo,
  version: {
    versao,
    situacao: 'ATIVADO',
    madeAt: moment(second),
    madeBy: '00000000191',
    changes: [],
    deactivatedAt: null,
    deactivatedBy: null,
  },
});
const answerOf = (codigo: string) => `HTTP/1.1 200 OK\r\n\r\n{"codigo":${codigo},"versao":"1"}`;

describe('a record that the remote creates more than a minute after the request', () => {
  test('is distinguished from a record that was sent twice', () => {
    const lost = passage('includeProduct', 0);
    const again = passage('includeProduct', 120, answerOf('2'));
    expect(latesOf([version('1', 59), version('2', 120)], [lost, again])).toEqual([]);
    expect(latesOf([version('1', 60), version('2', 120)], [lost, again])).toEqual([version('1', 60)]);
    const refused = passage('includeProduct', 120, 'HTTP/1.1 401 Unauthorized\r\n\r\n');
    expect(latesOf([version('1', 120), version('2', 120)], [lost, refused, again])).toEqual([
      version('1', 120),
    ]);
    // One request explains one of the versions, and no request explains the other.
    expect(latesOf([version('2', 120), version('3', 121)], [lost, again])).toEqual([version('3', 121)]);
  });

  test('ignores a repetition before the record was visible, and reports a later one', () => {
    const late = version('1', 120, '2');
    const soon = version('1', 179, '3');
    const later = version('1', 180, '3');
    expect(followsLate(soon, [late, soon], [late])).toBe(true);
    expect(followsLate(later, [late, later], [late])).toBe(false);
    expect(followsLate(soon, [late, soon], [])).toBe(false);
    expect(followsLate(soon, [version('2', 120, '2'), soon], [late])).toBe(false);
    expect(followsLate(late, [late, soon], [late])).toBe(false);
  });
});

describe('the limits on the client', () => {
  const full = '{"code":"PUCX-ER1001","message":"disponível novamente após as 10:00."}';

  test('allow no request of an operation in its closed hour, but requests of other operations', () => {
    const limits = new ClientLimits();
    limits.readAnswer(passage('includeProduct', 1), full);
    limits.checkRequest(passage('listProducts', 2));
    limits.checkRequest(passage('includeProduct', 3600));
    expect(limits.problems).toEqual([]);
    limits.checkRequest(passage('includeProduct', 3599));
    expect(limits.problems).toHaveLength(1);
  });

  test('allow one request in a stop: the one in flight', () => {
    const limits = new ClientLimits();
    limits.startStop(START + 60_000);
    limits.checkRequest(passage('includeProduct', 1));
    expect(limits.problems).toEqual([]);
    limits.checkRequest(passage('listProducts', 2));
    expect(limits.problems).toHaveLength(1);
  });

  test('allow one more request after a kill, because the report may be lost', () => {
    const limits = new ClientLimits();
    limits.readAnswer(passage('includeProduct', 1), full);
    limits.recordKill();
    limits.checkRequest(passage('includeProduct', 2));
    expect(limits.problems).toEqual([]);
    limits.checkRequest(passage('includeProduct', 3));
    expect(limits.problems).toHaveLength(1);
  });

  test('allow one sign-in per minute', () => {
    const limits = new ClientLimits();
    limits.checkRequest(passage('authenticate', 0));
    limits.checkRequest(passage('authenticate', 60));
    expect(limits.problems).toEqual([]);
    limits.checkRequest(passage('authenticate', 119));
    expect(limits.problems).toHaveLength(1);
  });
});
