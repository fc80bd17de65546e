/**
 * The drill of upgrades: a short one from today's build on, and its detection of a missing or changed
 * row.
 */
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toEnd } from '../../scripts/proof/to-end.ts';
import { type Content, differencesOf } from '../../scripts/proof/upgrade/content.ts';
import { builtExecutable } from '../support/executable.ts';
import { ROOT } from '../support/sources.ts';

const contentOf = (...rows: string[]): Content => new Map([['product', { columns: ['id'], rows }]]);

test('a missing, changed or new row is detected', () => {
  expect(differencesOf(contentOf('[1]', '[2]'), contentOf('[1]', '[2]'))).toEqual([]);
  expect(differencesOf(contentOf('[1]', '[2]'), contentOf('[1]'))).toEqual([
    'product: 1 linhas faltam, 0 são outras; a primeira: [2]',
  ]);
  expect(differencesOf(contentOf('[1]'), contentOf('[2]'))).toEqual([
    'product: 1 linhas faltam, 1 são outras; a primeira: [1]',
  ]);
  expect(differencesOf(contentOf('[1]'), contentOf('[1]', '[2]'))).toHaveLength(1);
});

test('a version without an upgrade is refused, because it would test nothing', async () => {
  const executable = await builtExecutable();
  const script = join(ROOT, 'scripts/upgrade-drill.ts');
  const words = ['--rounds', '1', '--products', '10', '--old', executable, '--executable', executable];
  const TMPDIR = mkdtempSync(join(tmpdir(), 'catp-upgrade-test-'));
  const env = { ...process.env, TMPDIR };
  const { code, err } = await toEnd([process.execPath, 'run', script, ...words], { cwd: ROOT, env });
  rmSync(TMPDIR, { recursive: true });
  expect([code, err]).toEqual([1, expect.stringContaining('não há o que atualizar')]);
});
