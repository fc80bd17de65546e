/**
 * Returns the valid value nearest to the received one: a corrected value where possible, else an example.
 * Returns `undefined` when the schema gives no such value.
 */
import type { Schema } from '../../validation/schema.ts';
import { textFault } from '../../validation/text-fault.ts';
import { folded, nearest } from '../../validation/text.ts';

export function nearestValid(schema: Schema, received: unknown): unknown {
  switch (schema.type) {
    case 'integer':
      return nearestInteger(schema, received);
    case 'boolean':
      return typeof received === 'string' ? /^(?:true|sim|s|1)$/i.test(received) : false;
    case 'string':
      return nearestText(schema, received);
    case 'array':
      return nearestList(schema, received);
    case 'object':
      return exampleOf(schema);
    default:
      return undefined;
  }
}

function nearestInteger(schema: Schema, received: unknown): number {
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
  const digits = typeof received === 'number' || typeof received === 'string' ? String(received).trim() : '';
  const number = /^-?\d{1,16}(?:\.\d+)?$/.test(digits) ? Math.trunc(Number(digits)) : undefined;
  const example = exampleOf(schema);
  if (number === undefined) return typeof example === 'number' ? example : Math.max(minimum, 0);
  return Math.min(Math.max(number, minimum), maximum);
}

function nearestText(schema: Schema, received: unknown): string | undefined {
  const input = ['string', 'number', 'boolean'].includes(typeof received) ? String(received) : undefined;
  if (input !== undefined && schema.enum !== undefined) {
    const upper = folded(input).toUpperCase();
    const near = nearest(upper, schema.enum) ?? schema.enum.find((one) => one.startsWith(upper.slice(0, 3)));
    return near ?? schema.enum[0];
  }
  const corrected =
    input === undefined ? undefined : corrections(schema, input).find((text) => isValid(schema, text));
  if (corrected !== undefined) return corrected;
  const example = exampleOf(schema) ?? schema.enum?.[0];
  return typeof example === 'string' && isValid(schema, example) ? example : undefined;
}

/** Lists corrections for common mistakes in codes, dates and long texts. */
function corrections({ maxLength = Number.POSITIVE_INFINITY }: Schema, text: string): string[] {
  const trimmed = text.trim();
  const day = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(trimmed);
  return [
    trimmed,
    trimmed.toUpperCase(),
    trimmed.replaceAll(/\D/g, ''),
    ...(day === null ? [] : [`${day[3]}-${day[2]}-${day[1]}`]),
    ...(Number.isFinite(maxLength) ? [Array.from(trimmed).slice(0, maxLength).join('')] : []),
  ];
}

const isValid = (schema: Schema, text: string): boolean =>
  text !== '' && textFault(schema, text) === undefined && (schema['x-faults']?.(text) ?? []).length === 0;

function nearestList(schema: Schema, received: unknown): unknown {
  const { items, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (Array.isArray(received)) return received.length > maxItems ? received.slice(0, maxItems) : undefined;
  if (received === undefined || received === null || items === undefined) return exampleOf(schema) ?? [];
  return items.type === typeof received ? [received] : (exampleOf(schema) ?? []);
}

/** Returns the first example of a schema. Examples are document keywords that no validation reads. */
const exampleOf = (schema: Schema): unknown =>
  (schema as { readonly examples?: readonly unknown[] }).examples?.[0];
