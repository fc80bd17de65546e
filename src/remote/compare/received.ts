/**
 * Converts a record of an export to local content (contract sections 4 and 7): absent, `null` and empty
 * values become empty, numbers become texts, and codes lose their blanks. It validates nothing: the content
 * of the remote is taken as it is.
 */
import {
  type ContentOf,
  type Member,
  type MemberTable,
  contentNames,
} from '../../catalogue/members/member.ts';
import { scalarText } from '../../validation/json-number.ts';
import { isObject } from '../../validation/json-value.ts';
import { foreignText } from '../../validation/text.ts';

export type Received = Readonly<Record<string, unknown>>;

/** Returns `null` for an empty value or a value that is no text. */
function textIn(value: unknown): string | null {
  const text = scalarText(value) ?? value;
  return typeof text === 'string' && text !== '' ? text : null;
}

export const codeIn = (value: unknown): string | null => textIn(textIn(value)?.trim());

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const attributeIn = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(attributeIn);
  if (!isObject(value)) return textIn(value) ?? '';
  const atributo = codeIn(value['atributo']) ?? '';
  return value['valores'] === undefined
    ? { atributo, valor: textIn(value['valor']) ?? '' }
    : { atributo, valores: listIn(value['valores']).map(attributeIn) };
};

function valueIn({ kind }: Member, value: unknown): unknown {
  if (kind === 'codes') return listIn(value).flatMap((code) => codeIn(code) ?? []);
  if (kind === 'attributes') return listIn(value).filter(isObject).map(attributeIn);
  if (kind === 'identifications')
    return listIn(value)
      .filter(isObject)
      .map(({ numero, codigo }) => ({ numero: codeIn(numero) ?? '', codigo: codeIn(codigo) ?? '' }));
  return kind === 'text' ? textIn(value) : codeIn(value);
}

export function contentIn<T extends MemberTable>(table: T, received: Received): ContentOf<T> {
  const content: Record<string, unknown> = {};
  for (const name of contentNames(table)) content[name] = valueIn(table[name] as Member, received[name]);
  return content as ContentOf<T>; // matches the names in the table
}

/** Converts the `Ativado` of an export to the API form. */
export const situacaoIn = ({ situacao }: Received): string =>
  foreignText(codeIn(situacao) ?? 'ATIVADO').toUpperCase();

export const versaoIn = ({ versao }: Received): string => foreignText(codeIn(versao) ?? '');
