/** Guesses columns that only sheets of products have: descriptions, and attributes by name. */
import type { Guessing } from '../../sheet/guess.ts';
import { looksLikeCode } from '../../sheet/heading.ts';
import { type ReadHeading, readHeading } from '../../sheet/read-heading.ts';
import type { NcmAttributes } from '../attribute/words/model.ts';
import { words } from '../../sheet/words.ts';
import { namesOfAll, targetNamed } from './attribute-names.ts';
import { attributeNamedIn } from './kinds.ts';
import { pairTarget } from './target.ts';

const OF = ['', ' produto', ' material', ' item', ' mercadoria', ' peca'];

/** Headings that only say that a text is a description. */
const DESCRIPTIONS = new Set(OF.map((of) => `descricao${of}`));
const ENGLISH_DESCRIPTIONS = new Set([
  ...['description', 'material description', 'item description', 'product description', 'part description'],
]);

/** Maximum length of a name in characters. Longer texts are descriptions. */
const SHORT_CHARACTERS = 100;

/**
 * Guesses the columns of descriptions. `Descrição` is the name if no other column is and its texts are short.
 * An English heading counts only if it is the only one.
 */
export function takeDescriptions(guessing: Guessing): void {
  const places = [...guessing.headed.keys()].filter((place) => guessing.isOpen(place));
  const headings = guessing.headed.map(readHeading);
  const isAt = (place: number, is: (heading: ReadHeading) => boolean): boolean => {
    const heading = headings[place];
    return heading !== undefined && is(heading);
  };
  const described = places.filter((place) =>
    isAt(place, ({ plain, language }) => DESCRIPTIONS.has(plain) && language !== 'foreign'),
  );
  const namesLanguage = (place: number) => isAt(place, ({ language }) => language !== undefined);
  const own = [...described.filter((place) => !namesLanguage(place)), ...described.filter(namesLanguage)];
  const english = places.filter((place) => isAt(place, ({ plain }) => ENGLISH_DESCRIPTIONS.has(plain)));
  const hasOwn = own.length > 0 || !guessing.isFree('descricao');
  for (const place of hasOwn ? own : english) {
    const texts = guessing.headed[place]?.values ?? [];
    const isShort = texts.length > 0 && texts.every((text) => text.length <= SHORT_CHARACTERS);
    const isName = isShort && place === (own[0] ?? english[0]) && guessing.isFree('denominacao');
    guessing.put(place, isName ? 'denominacao' : 'descricao', 'palpite', !isName);
  }
}

/** `Atributo 1`, `Código do atributo 1`, `Atributo 1: código`. Without a number, it is the only pair. */
const PAIR_CODE = /^(?:codigo )?atributo ?(\d{0,4})(?: codigo)?$/;
/** `Valor 1`, `Valor do atributo 1`, `Atributo 1: valor`. */
const PAIR_VALUE = /^(?:valor(?: atributo)? ?(\d{0,4})|atributo ?(\d{0,4}) valor)$/;

/** Guesses pairs of columns: one has the code of an attribute, the other its value. */
export function takePairs(guessing: Guessing): void {
  const codes = new Map<number, number>();
  const values = new Map<number, number>();
  for (const [place, { heading, values: texts }] of guessing.headed.entries()) {
    if (!guessing.isOpen(place)) continue;
    const name = words(heading);
    const [, code] = PAIR_CODE.exec(name) ?? [];
    const [, value, valueBehind] = PAIR_VALUE.exec(name) ?? [];
    if (code !== undefined && areCodes(texts)) addFirst(codes, code, place);
    if (value !== undefined || valueBehind !== undefined) addFirst(values, value ?? valueBehind ?? '', place);
  }
  for (const [number, place] of codes) {
    const other = values.get(number);
    if (other === undefined) continue;
    guessing.put(place, pairTarget(number, 'codigo'), 'palpite');
    guessing.put(other, pairTarget(number, 'valor'), 'palpite');
  }
}

const areCodes = (texts: readonly string[]): boolean =>
  texts.filter((text) => attributeNamedIn(text) !== undefined).length * 2 >= texts.length;

function addFirst(places: Map<number, number>, digits: string, place: number): void {
  const number = digits === '' ? 1 : Number(digits);
  if (number > 0 && !places.has(number)) places.set(number, place);
}

/**
 * Guesses headings that are the name of an attribute of the NCMs of the sheet. Words such as `Material` mean
 * the attribute unless the values are codes.
 */
export function takeAttributeNames(guessing: Guessing, named: readonly NcmAttributes[]): void {
  const names = namesOfAll(named);
  for (const [place, { heading, values }] of guessing.headed.entries()) {
    const { target: before, because } = guessing.at(place);
    const isCode =
      because === 'palpite' &&
      before === 'codigosInterno' &&
      values.filter(looksLikeCode).length * 2 < values.length;
    if (!guessing.isOpen(place) && !isCode) continue;
    const target = targetNamed(heading, names);
    if (target === undefined) continue;
    if (isCode && guessing.isFree(target)) guessing.move(place, target, true);
    else guessing.put(place, target, 'palpite');
  }
}
