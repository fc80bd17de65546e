import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LEDGER } from '../../src/fidelity/ledger.ts';
import { SETTINGS } from '../../src/settings/settings.ts';
import { openApp } from '../support/app.ts';
import { ROOT } from '../support/sources.ts';

const SHARED = join(ROOT, '..', 'shared');
const isThere = existsSync(join(SHARED, 'contract.md'));
if (!isThere) console.warn('SKIPPED: the ledger is not held to its sources, ../shared is not there');

/** The sentences of a document that carry a mark, each once per mark. */
function marked(file: string, mark: string): string[] {
  return readFileSync(join(SHARED, file), 'utf8')
    .split('\n')
    .filter((line) => line.includes(mark));
}

describe('The fidelity ledger', () => {
  test('is 401 without signing in, and shows every entry to any user', async () => {
    const { anybody, as, close } = await openApp();
    expect((await anybody.call('GET', '/appliance/api/fidelity')).status).toBe(401);
    const reply = await (await as('demo')).call('GET', '/appliance/api/fidelity');
    expect(reply.json).toHaveLength(LEDGER.length);
    await close();
  });

  test('names only settings that exist', () => {
    for (const { setting } of LEDGER) if (setting !== null) expect(Object.keys(SETTINGS)).toContain(setting);
  });

  test.skipIf(!isThere)('answers every "not shown" of the specification', () => {
    const open = marked('specification.md', 'not shown');
    expect(open.length).toBeGreaterThan(0);
    for (const line of open) {
      const marks = line.split('not shown').length - 1;
      const answers = LEDGER.filter(({ quotes }) => line.includes(quotes));
      expect({ line, enough: answers.length >= marks }).toEqual({ line, enough: true });
    }
  });

  test.skipIf(!isThere)('has every [ours] of the contract', () => {
    // Two lines speak of the mark itself.
    const lines = marked('contract.md', '[ours]').filter(
      (line) => !line.includes('marked **[ours]**') && !line.includes('a [ours] of'),
    );
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      const found = LEDGER.some(({ quotes }) => line.includes(quotes));
      expect({ line, found }).toEqual({ line, found: true });
    }
  });

  test.skipIf(!isThere)('quotes only what its sources say', () => {
    const sources = ['specification.md', 'contract.md']
      .map((file) => readFileSync(join(SHARED, file), 'utf8'))
      .join('\n');
    for (const { quotes } of LEDGER) expect(sources).toContain(quotes);
  });
});
