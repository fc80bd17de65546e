/**
 * The possible contents of a disk after a power cut: some cuts of a small recording, and a control that must
 * lose data.
 */
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { toEnd } from '../../scripts/proof/to-end.ts';
import { builtExecutable } from '../support/executable.ts';
import { ROOT } from '../support/sources.ts';

const MAX_MS = 180_000;
const hasStrace = Bun.which('strace') !== null;
if (!hasStrace) console.warn('SKIPPED: no strace here; the proof of power cuts is NOT tried');

test.skipIf(!hasStrace)(
  'no acknowledged write is lost at any cut; without a sync of each commit some are',
  async () => {
    const words = ['--cuts', '30', '--products', '60', '--executable', await builtExecutable()];
    const script = join(ROOT, 'scripts/powerloss.ts');
    const { code, out, err } = await toEnd([process.execPath, 'run', script, ...words], { cwd: ROOT });
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('em 30 cortes nenhum registro confirmado se perdeu e toda imagem abriu íntegra');
    const [, lost = '0'] = /\(controle\): (\d+) registros confirmados perdidos/.exec(out) ?? [];
    expect(Number(lost)).toBeGreaterThan(0);
  },
  MAX_MS,
);
