/** The search of the handbook: its matches by words, and an index with every page. */
import { expect, test } from 'bun:test';
import { PAGES } from '../../../src/docs/contents.ts';
import { type HelpSection, sectionsFor } from '../../../src/web/docs/help-search.ts';
import { helpSections } from '../../../src/web/serving/help-sections.ts';

const sections = await helpSections();
const addresses = (query: string): readonly string[] =>
  sectionsFor(sections, query).map(({ address }) => address);

test('words are found in any order, without accents and case, by their beginnings', () => {
  const expectedAddress = '/ajuda/atualizar#conferir-o-pacote';
  for (const query of ['conferir pacote', 'PACOTE Conferir', 'cónferir pacót', 'ssh-keygen verify sha256sum'])
    expect([query, addresses(query).includes(expectedAddress)]).toEqual([query, true]);
  expect(addresses('conferir pacote')[0]).toBe(expectedAddress);
  expect(addresses('conferir pacote naoexiste')).toEqual([]);
  // The search matches beginnings of words, not their ends.
  expect(addresses('onferir acote')).toEqual([]);
  expect(addresses('  ')).toEqual([]);
});

test('a code, a setting and an event are found on their pages', () => {
  expect(addresses('CATP-ER1047').some((one) => one.startsWith('/ajuda/codigos'))).toBe(true);
  expect(addresses('backup.manter').some((one) => one.startsWith('/ajuda/configuracoes'))).toBe(true);
  expect(addresses('catp-prod-alterado').some((one) => one.startsWith('/ajuda/notificacoes'))).toBe(true);
});

test('the index has every page, and each address once', () => {
  const pages = new Set(sections.map(({ address }) => address.replace(/#.*/, '')));
  expect([...pages]).toEqual(PAGES.map(({ name }) => `/ajuda/${name}`));
  expect(new Set(sections.map(({ address }) => address)).size).toBe(sections.length);
});

test('a section whose title has the words comes before one whose text has them', () => {
  const section = (address: string, heading: string, words: string): HelpSection => ({
    address,
    label: 'Página',
    heading,
    words,
  });
  const both = [section('/texto', 'Outra', 'outra copia'), section('/titulo', 'Cópia', 'copia')];
  expect(sectionsFor(both, 'cópia').map(({ address }) => address)).toEqual(['/titulo', '/texto']);
});
