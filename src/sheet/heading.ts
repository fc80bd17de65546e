/**
 * Parses what a heading contains besides the name of a member: a language, an internal code, words around a
 * name.
 */
import type { HeadedColumn } from './column.ts';
import { words } from './words.ts';

/**
 * The language of a heading. A column in Portuguese counts after one without a language. A column in another
 * language is left out.
 */
export type HeadingLanguage = 'portuguese' | 'foreign' | undefined;

const PORTUGUESE = new Set(['portugues', 'portuguesa', 'portuguese', 'ptbr']);
const FOREIGN = new Set(
  'ingles inglesa english eng espanhol espanhola espanol spanish frances francesa french alemao alema german italiano italiana italian chines chinesa chinese mandarim japones japonesa japanese coreano korean'.split(
    ' ',
  ),
);
/** Language words. Short ones count only at the end: `Descrição (EN)`. */
const ENDINGS: ReadonlyMap<string, HeadingLanguage> = new Map([
  ['pt', 'portuguese'],
  ['pt br', 'portuguese'],
  ['en', 'foreign'],
  ['en us', 'foreign'],
  ['es', 'foreign'],
  ['fr', 'foreign'],
  ['zh', 'foreign'],
]);

export function languageOf(heading: string): HeadingLanguage {
  const all = words(heading).split(' ');
  if (all.length < 2) return undefined;
  if (all.some((one) => FOREIGN.has(one))) return 'foreign';
  if (all.some((one) => PORTUGUESE.has(one))) return 'portuguese';
  return ENDINGS.get(all.slice(-2).join(' ')) ?? ENDINGS.get(all.at(-1) ?? '');
}

const LANGUAGE_WORDS = new Set([...PORTUGUESE, 'pt', 'br', 'em', 'in', 'lingua', 'idioma']);

/** Returns the words of a heading without those of a language. */
export const plainWords = (heading: string): string => {
  const name = words(heading);
  if (languageOf(heading) !== 'portuguese') return name;
  return name
    .split(' ')
    .filter((one) => !LANGUAGE_WORDS.has(one))
    .join(' ');
};

/** Returns the names in `NCM (8 dígitos)`: the whole, the text before the bracket, the text in it. */
export const namesOf = (heading: string): readonly string[] => {
  const [, before = heading, within = heading] = /^([^()]*)\(([^()]*)\)/.exec(heading) ?? [];
  const names = [...new Set([heading, before, within])].map(plainWords); // most headings have no bracket
  return [...new Set(names)].filter((name) => name !== '');
};

const ERPS =
  'erp sap omie totvs protheus microsiga datasul logix bling tiny olist sankhya senior oracle netsuite jde dynamics navision linx winthor alterdata questor mega infor benner consinco matnr'.split(
    ' ',
  );
/** Words that stand for codes only. */
const CODE_WORDS = new Set(['codigo', 'sku', 'partnumber', 'pn']);
/** Words that stand for codes and for other things: the values decide. */
const WEAK_CODE_WORDS = new Set(['referencia', 'material', ...ERPS]);

/** Words of headings that are no code of one product, with any other words. */
const NO_CODES = new Set(
  'preco valor custo peso quantidade qtd qtde estoque saldo unidade medida tipo type grupo subgrupo familia categoria classe linha marca cor tamanho cest cfop cst csosn moeda deposito filial loja lote data origem centro empresa embalagem conta usuario departamento setor secao hierarquia organizacao org servico anp tipi enquadramento atributo versao version situacao status modalidade operacao observacao composicao cnpj cpf'.split(
    ' ',
  ),
);

/**
 * Minimum values to detect a group. If fewer than half of them are distinct, the column belongs to a group.
 */
const REPEATS_JUDGED_FROM = 3;

/** Returns true for a text with a digit and without blanks. It decides where a heading may mean a code. */
export const looksLikeCode = (text: string): boolean => /\d/.test(text) && !/\s/.test(text);

/** Returns true if a heading names an internal code: it has a word for one, and no word for another thing. */
export function isOtherCode({ heading, values }: HeadedColumn, otherWords: readonly string[]): boolean {
  const all = words(heading).split(' ');
  const isSure =
    all.some((one) => CODE_WORDS.has(one)) || /\bpart (?:number|numero|no)\b/.test(all.join(' '));
  const isCode =
    isSure ||
    (all.some((one) => WEAK_CODE_WORDS.has(one)) && values.filter(looksLikeCode).length * 2 >= values.length);
  if (!isCode || all.some((one) => NO_CODES.has(one) || otherWords.includes(one))) return false;
  return values.length < REPEATS_JUDGED_FROM || new Set(values).size * 2 >= values.length;
}

const RIVALS = new Set(['sku', 'part number', 'partnumber', 'part no', 'pn', 'codigo interno', 'referencia']);

/** Returns true if the names of a heading make `Código` next to it an internal code. */
export const isRival = (names: readonly string[]): boolean => names.some((name) => RIVALS.has(name));

/** Words that may follow a name without changing its meaning. */
const FOLLOWING = new Set(
  'produto item material mercadoria peca artigo catalogo comercial completo completa detalhado detalhada complementar tecnica tecnico curto curta longo longa sh atual digitos 8 obrigatorio'
    .split(' ')
    .concat(ERPS),
);

/**
 * Yields the names that a heading may begin with, longest first. The words after a name must not name another
 * thing (`Código do NCM`).
 */
export function* namesWithin(plain: string, maxWords: number): Generator<string, void, undefined> {
  const all = plain.split(' ');
  const minWords = 1 + all.slice(1).findLastIndex((one) => !FOLLOWING.has(one)) + 1;
  for (let count = Math.min(all.length, maxWords); count >= minWords; count -= 1)
    yield all.slice(0, count).join(' ');
}
