/** Countries as people call them: by their codes, in Portuguese and in English. */
import { word } from '../../sheet/words.ts';
import { isCountry } from '../country.ts';

const LETTERS = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));

/** Beside what the runtime calls them. */
const ALSO: Readonly<Record<string, string>> = {
  eua: 'US',
  usa: 'US',
  'estados unidos da america': 'US',
  'reino unido': 'GB',
  inglaterra: 'GB',
  holanda: 'NL',
  'coreia sul': 'KR',
  'coreia do sul': 'KR',
  'republica popular da china': 'CN',
  taiwan: 'TW',
  russia: 'RU',
};

let names: ReadonlyMap<string, string> | undefined;

/** The code of a country by its code or its name; `undefined` of none. */
export function countryOf(text: string): string | undefined {
  const bare = text.trim();
  // `DE - Alemanha`, as our lists show them.
  const [code = bare] = /^[A-Za-z]{2}(?=\s*[-–]\s)/.exec(bare) ?? [];
  if (/^[A-Za-z]{2}$/.test(code) && isCountry(code.toUpperCase())) return code.toUpperCase();
  names ??= namesOfCountries();
  return names.get(word(bare));
}

function namesOfCountries(): ReadonlyMap<string, string> {
  const found = new Map(Object.entries(ALSO));
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(isCountry);
  for (const language of ['en', 'pt-BR']) {
    const called = new Intl.DisplayNames(language, { type: 'region' });
    for (const code of codes) found.set(word(called.of(code) ?? code), code);
  }
  return found;
}
