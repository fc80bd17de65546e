/**
 * Recognises countries as people and public systems write them: by code, in Portuguese and in English
 * (contract section 24).
 */
import type { Cell } from '../../sheet/cell.ts';
import { word } from '../../sheet/words.ts';
import { type Subdivision, countryCodes, isCountry, subdivisionsOf } from '../country.ts';
import { listedCountries } from './country-table.ts';

/** Common names that are neither in the runtime nor in the table of the central bank. */
const USUAL_NAMES: Readonly<Record<string, string>> = {
  eua: 'US',
  usa: 'US',
  'estados unidos da america': 'US',
  'united states of america': 'US',
  uk: 'GB',
  'gra bretanha': 'GB',
  'great britain': 'GB',
  inglaterra: 'GB',
  england: 'GB',
  holanda: 'NL',
  holland: 'NL',
  'the netherlands': 'NL',
  'coreia sul': 'KR',
  'coreia do sul': 'KR',
  'republic of korea': 'KR',
  'coreia do norte': 'KP',
  'republica popular da china': 'CN',
  'people s republic of china': 'CN',
  'pr china': 'CN',
  'p r china': 'CN',
  taiwan: 'TW',
  formosa: 'TW',
  russia: 'RU',
  'russian federation': 'RU',
  uae: 'AE',
  vietna: 'VN',
  'viet nam': 'VN',
  'czech republic': 'CZ',
  'republica tcheca': 'CZ',
  kuwait: 'KW',
  birmania: 'MM',
  suazilandia: 'SZ',
  swaziland: 'SZ',
  'ivory coast': 'CI',
  'bosnia e herzegovina': 'BA',
};

interface CountryWords {
  readonly names: ReadonlyMap<string, string>;
  /** Codes of three digits (Siscomex) and of four (NF-e). */
  readonly codes: ReadonlyMap<string, string>;
  readonly alpha3: ReadonlyMap<string, string>;
}

let cachedWords: CountryWords | undefined;

/** Returns the countries of a cell, by code or name. A number that lost its zero may match several codes. */
export function countriesOf({ text, from }: Pick<Cell, 'text' | 'from'>): readonly string[] {
  const trimmed = text.trim();
  cachedWords ??= readWords();
  const { names, codes, alpha3 } = cachedWords;
  if (/^\d{1,4}$/.test(trimmed)) {
    const codeCandidates =
      from === 'number' || trimmed.length < 3
        ? [trimmed.padStart(3, '0'), trimmed.padStart(4, '0')]
        : [trimmed];
    return [...new Set(codeCandidates.flatMap((code) => codes.get(code) ?? []))];
  }
  // Reads `DE - Alemanha`, as catp lists show it, and `160 - CHINA`, as Siscomex does.
  const [, code = trimmed, name] = /^([A-Za-z]{2,3}|\d{3,4})\s*[-–]\s(.+)$/.exec(trimmed) ?? [];
  const upper = code.toUpperCase();
  const byCode =
    (upper.length === 2 && isCountry(upper) ? upper : undefined) ?? alpha3.get(upper) ?? codes.get(code);
  const country =
    byCode ?? names.get(word(trimmed)) ?? (name === undefined ? undefined : names.get(word(name)));
  return country === undefined ? [] : [country];
}

/**
 * Returns the subdivisions of a country that a text names: by code with or without the country (`BR-SP`,
 * `SP`), by name, or by the beginning of a name (`Guangdong` for `Guangdong Sheng`).
 */
export function subdivisionsByName(text: string, alpha2: string): readonly Subdivision[] {
  const [name, code] = [word(text), text.trim().toUpperCase()];
  const all = subdivisionsOf(alpha2);
  const byCode = all.filter(({ codigo }) => codigo === code || codigo === `${alpha2}-${code}`);
  if (byCode.length > 0) return byCode;
  const byName = all.filter(({ nome }) => word(nome) === name);
  return byName.length > 0 ? byName : all.filter(({ nome }) => word(nome).startsWith(`${name} `));
}

function readWords(): CountryWords {
  const listed = listedCountries();
  const names = new Map<string, string>();
  // `COREIA` begins two names with a comma. A part of a name counts if only one country has it.
  const parts = Map.groupBy(listed, ({ name }) => word(name.split(/[,(]/, 1)[0] ?? ''));
  for (const [part, [first, ...others]] of parts)
    if (first !== undefined && others.length === 0) names.set(part, first.alpha2);
  for (const language of ['en', 'pt-BR']) {
    const display = new Intl.DisplayNames(language, { type: 'region' });
    for (const { alpha2 } of countryCodes()) names.set(word(display.of(alpha2) ?? alpha2), alpha2);
  }
  for (const { alpha2, name } of listed) names.set(word(name), alpha2);
  for (const [name, alpha2] of Object.entries(USUAL_NAMES)) names.set(name, alpha2);
  return {
    names,
    codes: new Map(
      listed.flatMap(({ alpha2, code }) => [[code, alpha2] as const, [code.slice(0, 3), alpha2] as const]),
    ),
    alpha3: new Map(countryCodes().map(({ alpha2, alpha3 }) => [alpha3, alpha2])),
  };
}
