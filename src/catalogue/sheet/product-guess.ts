/** Guesses columns that only sheets of products have: descriptions, and attributes by name. */
import type { Guessing } from '../../sheet/guess.ts';
import { looksLikeCode } from '../../sheet/heading.ts';
import { type ParsedHeading, parseHeading } from '../../sheet/read-heading.ts';
import type { AttributeDetail, NcmAttributes } from '../attribute/words/model.ts';
import { words } from '../../sheet/words.ts';
import { namesOfAll, targetOfName } from './attribute-names.ts';
import { attributeInHeading } from './kinds.ts';
import { isName } from './member-column.ts';
import { attributeMember } from '../members/product.ts';
import { asBoolean } from '../../sheet/values.ts';
import { textCell } from '../../sheet/cell.ts';
import { pairTarget } from './target.ts';

const NOUNS = ['', ' produto', ' material', ' item', ' mercadoria', ' peca'];

/** Headings that only say that a text is a description. */
const DESCRIPTIONS = new Set(NOUNS.map((noun) => `descricao${noun}`));
const ENGLISH_DESCRIPTIONS = new Set([
  ...['description', 'material description', 'item description', 'product description', 'part description'],
]);

/** Maximum length of a name in characters. Longer texts are descriptions. */
const SHORT_CHARACTERS = 100;

/**
 * Guesses the columns of descriptions. `Descrição` is the name if no other column is and its texts are short.
 * An English heading counts only if it is the only one.
 */
export function guessDescriptions(guessing: Guessing): void {
  const places = [...guessing.columns.keys()].filter((place) => guessing.isOpen(place));
  const headings = guessing.columns.map(parseHeading);
  const headingMatches = (place: number, matches: (heading: ParsedHeading) => boolean): boolean => {
    const heading = headings[place];
    return heading !== undefined && matches(heading);
  };
  const descriptionPlaces = places.filter((place) =>
    headingMatches(place, ({ plain, language }) => DESCRIPTIONS.has(plain) && language !== 'foreign'),
  );
  const namesLanguage = (place: number) => headingMatches(place, ({ language }) => language !== undefined);
  const portuguese = [
    ...descriptionPlaces.filter((place) => !namesLanguage(place)),
    ...descriptionPlaces.filter(namesLanguage),
  ];
  const english = places.filter((place) =>
    headingMatches(place, ({ plain }) => ENGLISH_DESCRIPTIONS.has(plain)),
  );
  const hasPortuguese = portuguese.length > 0 || !guessing.isFree('descricao');
  for (const place of hasPortuguese ? portuguese : english) {
    const texts = guessing.columns[place]?.values ?? [];
    const isShort = texts.length > 0 && texts.every((text) => text.length <= SHORT_CHARACTERS);
    const isName = isShort && place === (portuguese[0] ?? english[0]) && guessing.isFree('denominacao');
    guessing.put(place, isName ? 'denominacao' : 'descricao', 'palpite', !isName);
  }
}

/** Things other than products that have a name: a heading such as `Nome do fornecedor` is not the name of a product. */
const NAMED_THINGS = new Set(
  (
    'fornecedor fabricante produtor exportador importador vendedor comprador cliente empresa operador pais cidade ' +
    'estado marca linha categoria grupo familia usuario responsavel autor contato arquivo cor atributo'
  ).split(' '),
);

/**
 * Guesses the name of the products by a heading such as `Nome do vinho`: it begins with `Nome`, names none of
 * `NAMED_THINGS`, and its texts differ from row to row. Guesses nothing if another column is the name.
 */
export function guessNames(guessing: Guessing): void {
  for (const [place, column] of guessing.columns.entries()) {
    const { plain, language } = parseHeading(column);
    const [first, ...others] = plain.split(' ');
    if (!guessing.isOpen(place) || !guessing.isFree('denominacao')) continue;
    if (first !== 'nome' || language === 'foreign' || others.some((word) => NAMED_THINGS.has(word))) continue;
    const names = column.values.filter((text) => isName(text) && text.length <= SHORT_CHARACTERS);
    const isOfRows = new Set(names).size * 2 > column.values.length;
    if (isOfRows) guessing.put(place, 'denominacao', 'palpite', false);
  }
}

/** `Atributo 1`, `Código do atributo 1`, `Atributo 1: código`. Without a number, it is the only pair. */
const PAIR_CODE = /^(?:codigo )?atributo ?(\d{0,4})(?: codigo)?$/;
/** `Valor 1`, `Valor do atributo 1`, `Atributo 1: valor`. */
const PAIR_VALUE = /^(?:valor(?: atributo)? ?(\d{0,4})|atributo ?(\d{0,4}) valor)$/;

/** Guesses pairs of columns: one has the code of an attribute, the other its value. */
export function guessPairs(guessing: Guessing): void {
  const codes = new Map<number, number>();
  const values = new Map<number, number>();
  for (const [place, { heading, values: texts }] of guessing.columns.entries()) {
    if (!guessing.isOpen(place)) continue;
    const name = words(heading);
    const [, code] = PAIR_CODE.exec(name) ?? [];
    const [, value, valueAfterNumber] = PAIR_VALUE.exec(name) ?? [];
    if (code !== undefined && areCodes(texts)) addFirst(codes, code, place);
    if (value !== undefined || valueAfterNumber !== undefined)
      addFirst(values, value ?? valueAfterNumber ?? '', place);
  }
  for (const [number, place] of codes) {
    const valuePlace = values.get(number);
    if (valuePlace === undefined) continue;
    guessing.put(place, pairTarget(number, 'codigo'), 'palpite');
    guessing.put(valuePlace, pairTarget(number, 'valor'), 'palpite');
  }
}

const areCodes = (texts: readonly string[]): boolean =>
  texts.filter((text) => attributeInHeading(text) !== undefined).length * 2 >= texts.length;

function addFirst(places: Map<number, number>, digits: string, place: number): void {
  const number = digits === '' ? 1 : Number(digits);
  if (number > 0 && !places.has(number)) places.set(number, place);
}

/**
 * Guesses headings that are the name of an attribute of the NCMs of the sheet. Words such as `Material` mean
 * the attribute unless the values are codes.
 */
export function guessAttributeNames(guessing: Guessing, ncmAttributes: readonly NcmAttributes[]): void {
  const names = namesOfAll(ncmAttributes);
  for (const [place, { heading, values }] of guessing.columns.entries()) {
    const { target: currentTarget, because } = guessing.at(place);
    const isWrongCodeGuess =
      because === 'palpite' &&
      currentTarget === 'codigosInterno' &&
      values.filter(looksLikeCode).length * 2 < values.length;
    if (!guessing.isOpen(place) && !isWrongCodeGuess) continue;
    const target = targetOfName(heading, names);
    if (target === undefined) continue;
    if (isWrongCodeGuess && guessing.isFree(target)) guessing.move(place, target, true);
    else guessing.put(place, target, 'palpite');
  }
}

/** Minimum share of values that an attribute accepts, for a guess by values. */
const ACCEPTED_SHARE = 0.9;

/** Words that the names of many attributes contain. */
const COMMON_WORDS = new Set(['produto', 'tipo', 'codigo', 'nome', 'material', 'item']);

/**
 * Guesses columns by their values and one word of the heading: `Orgânico` with Sim and Não is the boolean
 * attribute `Produto orgânico`. The values alone would fit any flag of an ERP.
 */
export function guessAttributeValues(guessing: Guessing, ncmAttributes: readonly NcmAttributes[]): void {
  const details = new Map<string, AttributeDetail>();
  for (const attributes of new Set(ncmAttributes))
    for (const [codigo, { detail, parts }] of attributes) {
      details.set(attributeMember(codigo), detail);
      for (const [part, partDetail] of parts) details.set(attributeMember(codigo, part), partDetail);
    }
  for (const [place, { heading, values }] of guessing.columns.entries()) {
    if (!guessing.isOpen(place) || values.length === 0) continue;
    const stems = new Set(stemsOf(heading));
    const targets = [...details].flatMap(([target, detail]) => {
      const isNamed = stemsOf(detail.nomeApresentacao).some((stem) => stems.has(stem));
      return isNamed && guessing.isFree(target) && acceptsMost(detail, values) ? [target] : [];
    });
    const [only] = targets;
    if (only !== undefined && targets.length === 1) guessing.put(place, only, 'palpite', false);
  }
}

/** Returns the words without endings of gender and number. */
const stemsOf = (text: string): readonly string[] =>
  words(text)
    .split(' ')
    .filter((word) => word.length > 2 && !COMMON_WORDS.has(word))
    .map((word) => word.replace(/s$/, '').replace(/[aeo]$/, ''));

function acceptsMost({ formaPreenchimento, dominio }: AttributeDetail, values: readonly string[]): boolean {
  const texts = new Set(dominio.map(({ descricao }) => words(descricao)));
  const isAccepted =
    formaPreenchimento === 'BOOLEANO'
      ? (text: string) => asBoolean(textCell(text)).value !== undefined
      : (text: string) => texts.has(words(text));
  return values.filter(isAccepted).length >= values.length * ACCEPTED_SHARE;
}
