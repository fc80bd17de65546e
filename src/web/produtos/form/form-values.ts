/** What the form holds, and its way from a product and to what the server takes. */
import { PRODUCT, PRODUCT_WRITTEN, type WrittenName } from '../../../catalogue/members/product.ts';
import type { Product } from '../../api/answers.ts';
import { ncmDigits } from '../../words.ts';
import type { AttributeLists } from '../../../catalogue/attribute/words/model.ts';
import { type AttributeValues, NO_VALUES, valuesOf } from '../../../catalogue/attribute/words/values.ts';

/** What the form is for. */
export type FormMode = 'novo' | 'copia' | 'versao' | 'retificar' | 'rascunho';

/** What a save made. */
export type Saved = Pick<Product, 'codigo' | 'versao' | 'situacao'>;

type Written = { readonly [Name in WrittenName]: string };

/** Several texts stand one on each line. */
export interface FormValues extends Written {
  /** `yyyy-MM-dd`, or what is no day. */
  readonly dataReferencia: string;
  readonly attributes: AttributeValues;
}

const writtenBy = (textOf: (name: WrittenName) => string): Written =>
  Object.fromEntries(PRODUCT_WRITTEN.map((name) => [name, textOf(name)])) as unknown as Written; // every name

export const EMPTY: FormValues = { ...writtenBy(() => ''), dataReferencia: '', attributes: NO_VALUES };

/** A copy is another product: it has codes of its own. */
export const valuesFrom = (product: Product, mode: FormMode): FormValues => ({
  ...writtenBy((name) => {
    const value = product[name];
    if (typeof value === 'string' || value === null) return value ?? '';
    return mode === 'copia' ? '' : value.join('\n');
  }),
  dataReferencia: '',
  attributes: valuesOf(product),
});

/** Without values and groups in which nothing stands: as they are sent, so that a problem's place is that on the screen. */
export const withoutEmpty = ({ values, groups }: AttributeValues): AttributeValues => ({
  values: eachOf(values, isFilled),
  groups: eachOf(groups, (group) => Object.values(group).some(isFilled)),
});

const isFilled = (text: string): boolean => text.trim() !== '';

const eachOf = <T>(all: Readonly<Record<string, readonly T[]>>, isKept: (one: T) => boolean) =>
  Object.fromEntries(Object.entries(all).map(([codigo, some]) => [codigo, some.filter(isKept)]));

/** The four lists of a product, and nothing else of it. */
export function listsIn(lists: AttributeLists): AttributeLists {
  const { atributos, atributosMultivalorados, atributosCompostos, atributosCompostosMultivalorados } = lists;
  return { atributos, atributosMultivalorados, atributosCompostos, atributosCompostosMultivalorados };
}

export const internalCodes = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The request form of a product; what is empty is left out. */
export function requestOf(values: FormValues, lists: AttributeLists): object {
  const request: Record<string, unknown> = { ...lists };
  for (const name of PRODUCT_WRITTEN) {
    const text = name === 'ncm' ? ncmDigits(values.ncm) : values[name];
    if (PRODUCT[name].kind === 'codes') request[name] = internalCodes(text);
    else if (name === 'denominacao' ? text.trim() !== '' : text !== '') request[name] = text;
  }
  return request;
}
