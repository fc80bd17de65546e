/** Values of the form, with conversion from a product and to the request of the server. */
import { PRODUCT, PRODUCT_WRITTEN, type WrittenName } from '../../../catalogue/members/product.ts';
import type { Product } from '../../api/answers.ts';
import { ncmDigits } from '../../words.ts';
import type { AttributeLists } from '../../../catalogue/attribute/words/model.ts';
import { type AttributeValues, NO_VALUES, valuesOf } from '../../../catalogue/attribute/words/values.ts';

/** Purpose of the form. */
export type FormMode = 'novo' | 'copia' | 'versao' | 'retificar' | 'rascunho';

/** Product that a save returned. */
export type Saved = Pick<Product, 'codigo' | 'versao' | 'situacao'>;

type WrittenTexts = { readonly [Name in WrittenName]: string };

/** Several texts are stored one per line. */
export interface FormValues extends WrittenTexts {
  /** `yyyy-MM-dd`, or an invalid date as typed. */
  readonly dataReferencia: string;
  readonly attributes: AttributeValues;
}

const writtenBy = (textOf: (name: WrittenName) => string): WrittenTexts =>
  Object.fromEntries(PRODUCT_WRITTEN.map((name) => [name, textOf(name)])) as unknown as WrittenTexts; // one entry per name

export const EMPTY: FormValues = { ...writtenBy(() => ''), dataReferencia: '', attributes: NO_VALUES };

/** Returns the values of a product. A copy gets no internal codes, which belong to the original. */
export const valuesFrom = (product: Product, mode: FormMode): FormValues => ({
  ...writtenBy((name) => {
    const value = product[name];
    if (typeof value === 'string' || value === null) return value ?? '';
    return mode === 'copia' ? '' : value.join('\n');
  }),
  dataReferencia: '',
  attributes: valuesOf(product),
});

/** Removes empty values and groups, as the request does. A problem then has the same place on the screen. */
export const withoutEmpty = ({ values, groups }: AttributeValues): AttributeValues => ({
  values: eachOf(values, isFilled),
  groups: eachOf(groups, (group) => Object.values(group).some(isFilled)),
});

const isFilled = (text: string): boolean => text.trim() !== '';

const eachOf = <T>(all: Readonly<Record<string, readonly T[]>>, isKept: (item: T) => boolean) =>
  Object.fromEntries(Object.entries(all).map(([codigo, items]) => [codigo, items.filter(isKept)]));

/** Returns only the four attribute lists of a product. */
export function listsIn(lists: AttributeLists): AttributeLists {
  const { atributos, atributosMultivalorados, atributosCompostos, atributosCompostosMultivalorados } = lists;
  return { atributos, atributosMultivalorados, atributosCompostos, atributosCompostosMultivalorados };
}

export const internalCodes = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Returns the request body of a product without empty members. */
export function requestOf(values: FormValues, lists: AttributeLists): object {
  const request: Record<string, unknown> = { ...lists };
  for (const name of PRODUCT_WRITTEN) {
    const text = name === 'ncm' ? ncmDigits(values.ncm) : values[name];
    if (PRODUCT[name].kind === 'codes') request[name] = internalCodes(text);
    else if (name === 'denominacao' ? text.trim() !== '' : text !== '') request[name] = text;
  }
  return request;
}
