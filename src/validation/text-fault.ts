/** Checks a text against its schema. */
import { formatValue } from './format-value.ts';
import type { Schema } from './schema.ts';
import { codePoints, isStorable, nearest } from './text.ts';

export interface TextFault {
  readonly message: string;
  /** The nearest word of the domain. */
  readonly suggestion?: string | undefined;
}

/** Returns the fault of a text. `undefined`: it is valid. */
export function textFault(schema: Schema, text: string): TextFault | undefined {
  const format = formatterOf(schema);
  if (!isStorable(text))
    return {
      message: `recebido ${format(text)}; o texto contém um caractere NUL ou um substituto Unicode isolado, que não são aceitos.`,
    };
  const { minLength = schema['x-absent-or-filled'] === true ? 1 : 0, maxLength = Number.POSITIVE_INFINITY } =
    schema;
  // A text never has more code points than UTF-16 units: most texts need no counting.
  const length = text.length <= maxLength ? text.length : codePoints(text);
  if (length < minLength || length > maxLength)
    return {
      message: `recebido ${format(text)} com ${codePoints(text)} caracteres; aceita ${rangeText(minLength, maxLength)} caracteres.`,
    };
  const candidate = schema['x-any-case'] === true ? text.toUpperCase() : text;
  if (schema.enum !== undefined && !schema.enum.includes(candidate)) {
    const suggestion = nearest(
      candidate,
      schema.enum.filter((word) => !isNegationOf(candidate, word)),
    );
    const question = suggestion === undefined ? '' : ` Você quis dizer ${suggestion}?`;
    return { message: `recebido ${format(text)}; aceita ${schema.enum.join(', ')}.${question}`, suggestion };
  }
  const isValid =
    (schema.pattern === undefined || regExpOf(schema.pattern).test(text)) &&
    (schema['x-check']?.(text) ?? true);
  return isValid
    ? undefined
    : {
        message: `recebido ${format(text)}; aceita ${schema['x-domain'] ?? schema.pattern}.${schema['x-hint']?.(text) ?? ''}`,
      };
}

/** Returns true for opposites: `INATIVADO` is no typing error of `ATIVADO`, although they are similar. */
const isNegationOf = (text: string, word: string): boolean =>
  text.endsWith(word) && /^(?:IN|DES|N[AÃ]O[ _-]?)$/i.test(text.slice(0, -word.length));

const patterns = new Map<string, RegExp>();

function regExpOf(pattern: string): RegExp {
  let regExp = patterns.get(pattern);
  if (regExp === undefined) patterns.set(pattern, (regExp = new RegExp(pattern, 'u')));
  return regExp;
}

export const formatterOf = (schema: Schema): ((value: unknown) => string) =>
  schema['x-format-value'] ?? formatValue;

/** Describes a range: "de 1 a 10". */
export function rangeText(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return `no mínimo ${min}`;
  if (min === max) return String(min);
  return min === 0 ? `no máximo ${max}` : `de ${min} a ${max}`;
}
