/** Every code that the help explains is one that a rule can return. */
import { expect, test } from 'bun:test';
import { ATTRIBUTE_CODES, TABLE_CODES } from '../src/catalogue/attribute/words/codes.ts';
import { CATALOGUE_CODES } from '../src/catalogue/codes.ts';
import { NOMENCLATURE_CODES } from '../src/nomenclature/codes.ts';
import { NOTIFICATION_CODES } from '../src/notification/codes.ts';
import { PROVIDER_CODES } from '../src/oidc/codes.ts';
import { ACCOUNT_CODES } from '../src/session/codes.ts';
import { sourcesUnder } from './support/sources.ts';

const sources = await sourcesUnder('src');
const otherSources = sources
  .filter(({ path }) => !path.startsWith('src/docs/'))
  .map(({ code }) => code)
  .join('\n');

test.each([
  ['attributes', ATTRIBUTE_CODES],
  ['tables', TABLE_CODES],
  ['the nomenclature', NOMENCLATURE_CODES],
  ['the catalogue', CATALOGUE_CODES],
  ['notifications', NOTIFICATION_CODES],
  ['accounts', ACCOUNT_CODES],
  ['the provider', PROVIDER_CODES],
])('every code of %s is given by a rule', (_, codes) => {
  const names = Object.keys(codes);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !new RegExp(`['.]${name}\\b`).test(otherSources))).toEqual([]);
});
