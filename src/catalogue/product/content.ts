/** Compares whole product contents: fingerprint and identity (contract section 5). */
import { isList } from '../members/member.ts';
import { PRODUCT, PRODUCT_IDENTITY } from '../members/product.ts';
import type { ProductColumns, ProductContent } from './model.ts';
import { contentOf } from './record.ts';

/** Returns what makes products identical: everything but internal codes, for any order of attributes. */
function identity(content: ProductContent): string {
  const attributes = [
    content.atributos.map(single),
    content.atributosMultivalorados.map(({ atributo, valores }) =>
      JSON.stringify([atributo, sorted(valores)]),
    ),
    content.atributosCompostos.map(({ atributo, valores }) =>
      JSON.stringify([atributo, sorted(valores.map(single))]),
    ),
    content.atributosCompostosMultivalorados.map(({ atributo, valores }) =>
      JSON.stringify([atributo, sorted(valores.map((group) => JSON.stringify(sorted(group.map(single)))))]),
    ),
  ].map(sorted);
  const [first, further] = [FIRST.map((name) => content[name]), FURTHER.map((name) => content[name])];
  // Empty members add nothing: fingerprints from before such a member existed stay valid.
  return JSON.stringify([...first, attributes, ...(further.some((value) => value !== null) ? further : [])]);
}

const FIRST = ['modalidade', 'ncm', 'denominacao', 'descricao'] as const;
const FURTHER = PRODUCT_IDENTITY.filter(
  (name) => !isList(PRODUCT[name]) && !FIRST.some((firstName) => firstName === name),
);

/** No text contains NUL, so different pairs have different keys. */
const single = ({ atributo, valor }: { atributo: string; valor: string }): string => `${atributo}\0${valor}`;

/** Most lists have the order of the attribute table, and sorting costs more than this check. */
function sorted(list: readonly string[]): readonly string[] {
  const isSorted = list.every((text, index) => index === 0 || (list[index - 1] as string) <= text);
  return isSorted ? list : [...list].sort();
}

/** Returns a text that identical products share, and no others. */
export const identityOf = (columns: ProductColumns): string => identity(contentOf(columns));

/** Returns true for identical products. Most of them have equal columns, which are cheaper to compare. */
export const isIdentical = (a: ProductColumns, b: ProductColumns): boolean =>
  PRODUCT_IDENTITY.every((name) => a[name] === b[name]) || identityOf(a) === identityOf(b);

/** Number of bits that a JavaScript number holds exactly. */
const HASH_BITS = 52;

/** Returns the fingerprint of a content; equal for identical products. */
export const contentHashOf = (content: ProductContent): number =>
  Number(BigInt.asUintN(HASH_BITS, BigInt(Bun.hash(identity(content)))));
