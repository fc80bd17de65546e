import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PAGES } from '../../src/docs/contents.ts';
import { LEDGER } from '../../src/fidelity/ledger.ts';
import { SETTINGS } from '../../src/settings/settings.ts';
import { openApp } from '../support/app.ts';
import { ROOT } from '../support/sources.ts';

const SPECIFICATION = join(ROOT, '..', 'shared', 'specification.md');
const hasSpecification = existsSync(SPECIFICATION);
if (!hasSpecification)
  console.warn('SKIPPED: the ledger is not held to the specification, ../shared is not there');

const CONTRACT = join(ROOT, 'src', 'docs', 'maintainers', 'contract');
const contract = readdirSync(CONTRACT)
  .map((file) => readFileSync(join(CONTRACT, file), 'utf8'))
  .join('\n');

/** Returns the lines of a text that have the mark. */
const marked = (text: string, mark: string): string[] =>
  text.split('\n').filter((line) => line.includes(mark));

/** The paragraphs of the contract; a point and its sub-points are one. */
const paragraphs = contract.split(/\n(?=[-|#*`\w])/);

/** Joins the sentences of a paragraph, which stand on separate lines. */
const unbroken = (text: string): string => text.replaceAll(/\n\s*(?:- )?/g, ' ');

describe('the fidelity ledger', () => {
  test('is 401 without a session, and shows every entry to any user', async () => {
    const { anybody, as, close } = await openApp();
    expect((await anybody.call('GET', '/appliance/api/fidelity')).status).toBe(401);
    const reply = await (await as('demo')).call('GET', '/appliance/api/fidelity');
    expect(reply.json).toHaveLength(LEDGER.length);
    await close();
  });

  test('links its readers to a section of the specification or to a page of the handbook, never to the contract', () => {
    const pages = new Set(PAGES.map(({ name }) => `/ajuda/${name}`));
    expect(
      LEDGER.filter(({ section }) => !section.startsWith('especificação, ') && !pages.has(section)),
    ).toEqual([]);
    const texts = LEDGER.flatMap(({ topic, section, behaviour, reason }) => [
      topic,
      section,
      behaviour,
      reason,
    ]);
    expect(texts.filter((text) => /\bcontratos?\b|\bseção \d/i.test(text))).toEqual([]);
  });

  test('names only settings that exist', () => {
    for (const { setting } of LEDGER) if (setting !== null) expect(Object.keys(SETTINGS)).toContain(setting);
  });

  test.skipIf(!hasSpecification)('answers every "not shown" of the specification', () => {
    const open = marked(readFileSync(SPECIFICATION, 'utf8'), 'not shown');
    expect(open.length).toBeGreaterThan(0);
    for (const line of open) {
      const marks = line.split('not shown').length - 1;
      const answers = LEDGER.filter(({ quotes }) => line.includes(quotes));
      expect({ line, enough: answers.length >= marks }).toEqual({ line, enough: true });
    }
  });

  test('has every [ours] of the contract', () => {
    // Two paragraphs explain the mark and are not marked.
    const ours = paragraphs.filter(
      (text) => text.includes('[ours]') && !/a \[ours\] of|is marked \*\*\[ours\]/.test(text),
    );
    expect(ours.length).toBeGreaterThan(0);
    const missing = ours.filter((text) => !LEDGER.some(({ quotes }) => unbroken(text).includes(quotes)));
    expect(missing).toEqual([]);
  });

  test.skipIf(!hasSpecification)('quotes only texts of its sources', () => {
    const sources = unbroken(`${readFileSync(SPECIFICATION, 'utf8')}\n${contract}`);
    expect(LEDGER.filter(({ quotes }) => !sources.includes(unbroken(quotes)))).toEqual([]);
  });
});
