/**
 * Decodes a received value with a schema. Reports all problems at once with their pointers (contract section
 * 3), and returns the value without absent members (`null`, or `""` for an optional text). The schemas are
 * those of `/openapi.json`. Only the JSON Schema keywords that the product uses are supported.
 */
import type { Problem } from '../errors.ts';
import { dayOfMoment } from './calendar.ts';
import { integerOf, isNumberText, numberText, scalarText } from './json-number.ts';
import { type Decoding, type Run, labelledProblem, problem } from './decoding.ts';
import { escaped } from '../pointer.ts';
import { handleUnknown } from './unknown-members.ts';
import type { Schema } from './schema.ts';
import { rangeText, formatterOf, textFault } from './text-fault.ts';

export interface Decoded {
  readonly value: unknown;
  readonly problems: readonly Problem[];
}

/** Limit for the problems of one body, so that a hostile one does not block the event loop. */
export const PROBLEMS_MAX = 1000;
/** Decodes a JSON body, or the value that `subject` names in messages. */
export function decode(
  schema: Schema,
  value: unknown,
  { subject = 'O corpo', ...options }: Decoding = {},
): Decoded {
  const run: Run = { problems: [], subject, ...options, path: [], listed: new Set(), searchedNames: 0 };
  return { value: walk(schema, value, null, run), problems: run.problems };
}

function walk(schema: Schema, value: unknown, field: string | null, run: Run): unknown {
  if (run.problems.length >= PROBLEMS_MAX) return value;
  switch (schema.type) {
    case 'object':
      return walkObject(schema, value, field, run);
    case 'array':
      return walkArray(schema, value, field, run);
    case 'string':
      return walkText(schema, value, field, run);
    case 'integer':
      return walkInteger(schema, value, field, run);
    case 'boolean':
      if (typeof value !== 'boolean') run.problems.push(wrongType(run, field, value, 'true ou false'));
      return value;
    default:
      return value; // any JSON
  }
}

function walkObject(schema: Schema, value: unknown, field: string | null, run: Run): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isNumberText(value)) {
    run.problems.push(wrongType(run, field, value, 'um objeto JSON', schema));
    return value;
  }
  const properties = schema.properties ?? {};
  const received = value as Readonly<Record<string, unknown>>;
  const result: Record<string, unknown> = {};
  const before = run.problems.length;
  for (const name of Object.keys(received)) {
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (member === undefined) {
      if (schema.additionalProperties === true) result[name] = received[name];
      else if (schema['x-ignored']?.includes(name) !== true && !isEmpty(received[name]))
        handleUnknown(name, received[name], pointerIn(run, name), schema, run);
      if (run.problems.length >= PROBLEMS_MAX) break;
    } else if (!isAbsent(member, received[name])) {
      const input = schema['x-digits'] === true ? withDigits(member, received[name]) : received[name];
      run.path.push(name);
      result[name] = walk(member, input, name, run);
      run.path.pop();
    } else if (member['x-keeps-empty'] === true) {
      result[name] = null;
    }
  }
  for (const name of schema.required ?? [])
    if (!Object.hasOwn(result, name)) run.problems.push(missing(run, name, properties[name]));
  nameAttribute(run.problems, before, received['atributo']);
  return result;
}

/** Returns the pointer of the value that is being decoded, or of a member of it. */
const pointerIn = ({ path }: Run, ...members: readonly string[]): string =>
  [...path, ...members].map((step) => `/${escaped(String(step))}`).join('');

const ATTRIBUTE_CODE_MAX = 100;

/** Names the attribute in the problems from index `from` on that name none yet. */
function nameAttribute(problems: Problem[], from: number, attribute: unknown): void {
  if (typeof attribute !== 'string' || attribute === '' || attribute.length > ATTRIBUTE_CODE_MAX) return;
  for (let index = from; index < problems.length; index += 1) {
    const one = problems[index] as Problem; // within its bounds
    if (one.about?.attribute === undefined) problems[index] = { ...one, about: { ...one.about, attribute } };
  }
}

/** Converts the numbers of a text member or of a list of texts to their digits. */
function withDigits({ type, items }: Schema, value: unknown): unknown {
  if (type === 'string') return numberText(value) ?? value;
  if (type !== 'array' || items?.type !== 'string' || !Array.isArray(value)) return value;
  return value.map((one) => numberText(one) ?? one);
}

function walkArray(schema: Schema, value: unknown, field: string | null, run: Run): unknown {
  if (!Array.isArray(value)) {
    run.problems.push(wrongType(run, field, value, 'uma lista JSON'));
    return value;
  }
  const min = schema.minItems ?? 0;
  const max = schema.maxItems ?? Number.POSITIVE_INFINITY;
  const skips = schema['x-skips-blank'];
  const isSkipped = (item: unknown): boolean =>
    skips !== undefined && isBlankRecord(item) && (skips === 'all' || Object.keys(item).length > 0);
  if (value.length > max || (min > 0 && value.filter((item) => !isSkipped(item)).length < min))
    run.problems.push(
      labelledProblem(
        run,
        field,
        pointerIn(run),
        `recebidos ${value.length} itens; aceita ${rangeText(min, max)} itens.`,
      ),
    );
  const { items } = schema;
  if (items === undefined || schema['x-items-apart'] === true || value.length > max) return value;
  const results: unknown[] = [];
  for (let index = 0; index < value.length; index += 1) {
    if (isSkipped(value[index])) continue;
    run.path.push(index);
    results.push(walk(items, value[index], field, run));
    run.path.pop();
  }
  return results;
}

function walkText(schema: Schema, value: unknown, field: string | null, run: Run): unknown {
  const sent = (schema['x-textual'] === true ? scalarText(value) : undefined) ?? value;
  const text = typeof sent === 'string' ? cleaned(schema, sent) : sent;
  if (typeof text !== 'string') {
    run.problems.push(wrongType(run, field, value, `um texto${domainOf(schema)}`, schema));
    return value;
  }
  const fault = textFault(schema, text);
  if (fault !== undefined)
    run.problems.push(labelledProblem(run, field, pointerIn(run), fault.message, fault.suggestion));
  else
    schema['x-faults']?.(text).forEach((message) =>
      run.problems.push(problem(field, pointerIn(run), message)),
    );
  return schema['x-any-case'] === true ? text.toUpperCase() : text;
}

/** Removes the characters that some programs add around a text. */
function cleaned(schema: Schema, text: string): string {
  if (schema['x-code'] === true) return text.trim();
  return schema['x-day'] === true ? dayOfMoment(text) : text;
}

/**
 * Decodes an integer. Clients send a number of ours back as the text that they received (contract section 4).
 */
function walkInteger(schema: Schema, value: unknown, field: string | null, run: Run): unknown {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema;
  const number = integerOf(schema['x-code'] === true && typeof value === 'string' ? value.trim() : value);
  if (number !== undefined && number >= minimum && number <= maximum) return number;
  run.problems.push(wrongType(run, field, value, describe(schema)));
  return value;
}

/** Returns true for a value without content, which is accepted under any name (contract section 3). */
const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

const isBlankRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && isBlank(value);

/** Returns true when a value contains only blanks, at any depth. */
function isBlank(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value !== 'object' || isNumberText(value)) return false;
  // Most objects end at their first member.
  for (const name in value) if (!isBlank((value as Readonly<Record<string, unknown>>)[name])) return false;
  return true;
}

/** Returns true for `null`, and for `""` of a text: the member is absent (contract section 4). */
function isAbsent(member: Schema, value: unknown): boolean {
  return value === null || (value === '' && member.type === 'string');
}

function wrongType(
  run: Run,
  field: string | null,
  value: unknown,
  accepted: string,
  schema: Schema = {},
): Problem {
  return labelledProblem(
    run,
    field,
    pointerIn(run),
    `recebido ${formatterOf(schema)(value)}; aceita ${accepted}.`,
  );
}

function missing(run: Run, name: string, member: Schema | undefined): Problem {
  const { sentence, about } = missingMember(member);
  return { ...labelledProblem(run, name, pointerIn(run, name), sentence), about };
}

/** Returns what is said about a required member that is missing. */
export function missingMember(member: Schema = {}) {
  const missing = describe(member);
  return { sentence: `membro obrigatório ausente; informe ${missing}.`, about: { missing } };
}

/** Describes the accepted values of a schema. */
export function describe(schema: Schema): string {
  switch (schema.type) {
    case 'object':
      return 'um objeto JSON';
    case 'array':
      return 'uma lista JSON';
    case 'integer':
      return `um número inteiro de ${schema.minimum ?? Number.MIN_SAFE_INTEGER} a ${schema.maximum ?? Number.MAX_SAFE_INTEGER}${meaning(schema)}`;
    case 'boolean':
      return 'true ou false';
    case 'string':
      return schema.format === 'binary' ? 'um arquivo' : `um texto${domainOf(schema)}`;
    default:
      return 'um valor JSON';
  }
}

/** Describes the meaning of the numbers of a domain. */
const meaning = (schema: Schema): string =>
  schema['x-domain'] === undefined ? '' : ` (${schema['x-domain']})`;

function domainOf(schema: Schema): string {
  if (schema.enum !== undefined) return `: ${schema.enum.join(', ')}`;
  if (schema['x-domain'] !== undefined) return `: ${schema['x-domain']}`;
  if (schema.maxLength !== undefined) {
    const size = rangeText(schema.minLength ?? 0, schema.maxLength);
    return ` ${size.startsWith('de ') ? size : `com ${size}`} caracteres`;
  }
  return '';
}
