/** The restore drill: a small round of it, and its detection of a loss. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { toEnd } from '../../scripts/proof/to-end.ts';
import { type Claim, type RestoredState, missingIn } from '../../scripts/proof/restore/claims.ts';
import { builtExecutable } from '../support/executable.ts';
import { ROOT } from '../support/sources.ts';

const MAX_MS = 120_000;

test(
  'backups under full write load restore every write that was acknowledged before their start',
  async () => {
    const executable = await builtExecutable();
    const script = join(ROOT, 'scripts/restore-drill.ts');
    const words = ['run', script, '--rounds', '2', '--executable', executable];
    const { code, out, err } = await toEnd([process.execPath, ...words], { cwd: ROOT });
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('nenhuma perda');
    const [, checked = '0'] = /conferidas nas restauradas +(\d+)/.exec(out) ?? [];
    const [, duringCopy = '0'] = /enquanto se copiava +(\d+)/.exec(out) ?? [];
    expect(Number(checked)).toBeGreaterThan(50);
    expect(Number(duringCopy)).toBeGreaterThan(0);
  },
  MAX_MS,
);

test('missing or outdated records of a restored folder are detected', () => {
  const product = (codigo: number, versao: number, denominacao = 'A'): Claim => ({
    kind: 'produto',
    codigo,
    versao,
    denominacao,
    text: '',
  });
  const restored: RestoredState = {
    products: new Map([
      [1, { versao: 2, denominacao: 'A' }],
      [2, { versao: 1, denominacao: 'A' }],
    ]),
    operators: new Map([['OPE_1', 'X']]),
    subscriptions: new Map([[1, 'x']]),
    companies: new Set(['12345678']),
  };
  const presentClaims: Claim[] = [
    ...[product(1, 1, 'antes'), product(1, 2), product(2, 1)],
    { kind: 'operador', codigo: 'OPE_1', nome: 'X' },
    { kind: 'assinatura', id: 1, evento: 'x' },
    { kind: 'empresa', raiz: '12345678' },
  ];
  const lost: Claim[] = [
    ...[product(3, 1), product(2, 2), product(1, 2, 'outra')],
    { kind: 'operador', codigo: 'OPE_1', nome: 'Y' },
    { kind: 'operador', codigo: 'OPE_2', nome: 'X' },
    { kind: 'assinatura', id: 1, evento: 'y' },
    { kind: 'assinatura', id: 2, evento: 'x' },
    { kind: 'empresa', raiz: '87654321' },
  ];
  expect(missingIn(restored, [...presentClaims, ...lost])).toEqual(lost);
});
