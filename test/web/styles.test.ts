/** The styles have no unused classes and custom properties: each is named by code that draws pages. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { Glob } from 'bun';
import { ROOT } from '../support/sources.ts';

const read = async (...patterns: readonly string[]): Promise<string> => {
  const files = patterns.flatMap((pattern) => [...new Glob(pattern).scanSync({ cwd: ROOT })]);
  expect(files.length).toBeGreaterThan(0);
  const texts = await Promise.all(files.map((file) => Bun.file(join(ROOT, file)).text()));
  return texts.join('\n').replaceAll(/\/\*.*?\*\//gs, '');
};

const styles = await read('src/web/**/*.css');
const pageCode = await read('src/web/**/*.{ts,tsx}', 'src/docs/**/*.ts');
const words = new Set(pageCode.match(/[\w-]+/g));

/** Classes whose names are composed of a state or a status. */
const COMPOSED = ['not-reached', 's2', 's4', 's5'];

test('each class is used', () => {
  const selectors = [...styles.matchAll(/([^{}]+)\{/g)].map(([, selector = '']) => selector);
  const classes = new Set(
    selectors.flatMap((selector) => [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name)),
  );
  expect(classes.size).toBeGreaterThan(100);
  expect([...classes].filter((name) => !words.has(name)).sort()).toEqual(COMPOSED);
});

test('each custom property is used', () => {
  const defined = new Set([...styles.matchAll(/(--[\w-]+)\s*:/g)].map(([, name = '']) => name));
  const used = new Set([...(styles + pageCode).matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
  expect([...defined].filter((name) => !used.has(name))).toEqual([]);
});
