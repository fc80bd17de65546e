/**
 * Reads a received value against a schema: tells every problem at once with its pointer (contract section 3), and returns
 * the value with absent members (`null`, or `""` where a text is optional) left out. The schemas are the same that
 * `/openapi.json` shows; only the JSON Schema keywords that the product uses are understood.
 */
import { type Problem, shown } from '../errors.ts';
import { isPlain } from './plain.ts';
import type { Schema } from './schema.ts';
import { nearest } from './text.ts';
import { range, shownBy, textFault } from './text-fault.ts';

export interface Decoded {
  readonly value: unknown;
  readonly problems: readonly Problem[];
}

export const MALFORMED_CODE = 'PUCX-ER0010';

/** No body is explained beyond so many problems, so that a hostile one does not hold the event loop. */
export const PROBLEMS_MAX = 1000;
/** Looking for the nearest known name costs more than all the rest: the first unknown ones get a hint. */
const HINTS_MAX = 50;

/** Decodes a JSON body or a part of one; `pointer` is where it stands ("" for the whole body). */
export function decode(schema: Schema, value: unknown, pointer = ''): Decoded {
  return isPlain(schema, value) ? { value, problems: [] } : decodeThoroughly(schema, value, pointer);
}

/** The same without looking first whether there is anything to do. */
export function decodeThoroughly(schema: Schema, value: unknown, pointer = ''): Decoded {
  const problems: Problem[] = [];
  const decoded = walk(schema, value, pointer, lastMember(pointer), problems);
  return { value: decoded, problems };
}

function walk(
  schema: Schema,
  value: unknown,
  pointer: string,
  field: string | null,
  problems: Problem[],
): unknown {
  if (problems.length >= PROBLEMS_MAX) return value;
  switch (schema.type) {
    case 'object':
      return walkObject(schema, value, pointer, field, problems);
    case 'array':
      return walkArray(schema, value, pointer, field, problems);
    case 'string':
      return walkText(schema, value, pointer, field, problems);
    case 'integer':
      return walkInteger(schema, value, pointer, field, problems);
    case 'boolean':
      if (typeof value !== 'boolean') problems.push(wrongType(field, pointer, value, 'true ou false'));
      return value;
    default:
      return value; // any JSON
  }
}

function walkObject(
  schema: Schema,
  value: unknown,
  pointer: string,
  field: string | null,
  problems: Problem[],
): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push(wrongType(field, pointer, value, 'um objeto JSON', schema));
    return value;
  }
  const properties = schema.properties ?? {};
  const received = value as Readonly<Record<string, unknown>>;
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(received)) {
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const at = `${pointer}/${member === undefined ? escaped(name) : name}`; // no name of ours needs it
    if (member === undefined) {
      if (schema['x-ignored']?.includes(name) !== true)
        problems.push(unknownMember(name, at, Object.keys(properties), problems.length < HINTS_MAX));
      if (problems.length >= PROBLEMS_MAX) break;
    } else if (!isAbsent(member, received[name])) {
      result[name] = walk(member, received[name], at, name, problems);
    } else if (member['x-keeps-empty'] === true) {
      result[name] = null;
    }
  }
  for (const name of schema.required ?? [])
    if (!Object.hasOwn(result, name))
      problems.push(missing(name, `${pointer}/${escaped(name)}`, properties[name]));
  return result;
}

function walkArray(
  schema: Schema,
  value: unknown,
  pointer: string,
  field: string | null,
  problems: Problem[],
): unknown {
  if (!Array.isArray(value)) {
    problems.push(wrongType(field, pointer, value, 'uma lista JSON'));
    return value;
  }
  const least = schema.minItems ?? 0;
  const most = schema.maxItems ?? Number.POSITIVE_INFINITY;
  if (value.length < least || value.length > most)
    problems.push(
      problem(
        field,
        pointer,
        `${label(field)}: recebidos ${value.length} itens; aceita ${range(least, most)} itens.`,
      ),
    );
  const { items } = schema;
  if (items === undefined || schema['x-items-apart'] === true || value.length > most) return value;
  return value.map((item, index) => walk(items, item, `${pointer}/${index}`, field, problems));
}

function walkText(
  schema: Schema,
  value: unknown,
  pointer: string,
  field: string | null,
  problems: Problem[],
): unknown {
  const text = schema['x-textual'] === true && isScalar(value) ? String(value) : value;
  if (typeof text !== 'string') {
    problems.push(wrongType(field, pointer, value, `um texto${domainOf(schema)}`, schema));
    return value;
  }
  const fault = textFault(schema, text);
  if (fault !== undefined) problems.push(problem(field, pointer, `${label(field)}: ${fault}`));
  else
    for (const message of schema['x-faults']?.(text) ?? []) problems.push(problem(field, pointer, message));
  return schema['x-any-case'] === true ? text.toUpperCase() : text;
}

const isScalar = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean';

function walkInteger(
  schema: Schema,
  value: unknown,
  pointer: string,
  field: string | null,
  problems: Problem[],
): unknown {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < minimum || value > maximum)
    problems.push(wrongType(field, pointer, value, `um número inteiro de ${minimum} a ${maximum}`));
  return value;
}

/** `null`, and for texts `""`, mean that the member is absent (contract section 4). */
function isAbsent(member: Schema, value: unknown): boolean {
  return value === null || (value === '' && member.type === 'string');
}

/** One step of an RFC 6901 pointer. */
export const escaped = (name: string): string =>
  name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;

function lastMember(pointer: string): string | null {
  const names = pointer.split('/').filter((step) => step !== '' && !/^\d+$/.test(step));
  return names.at(-1) ?? null;
}

function problem(field: string | null, path: string, message: string): Problem {
  return { code: MALFORMED_CODE, message, field, path };
}

const label = (field: string | null): string => field ?? 'O corpo';

function wrongType(
  field: string | null,
  pointer: string,
  value: unknown,
  accepted: string,
  schema: Schema = {},
): Problem {
  return problem(field, pointer, `${label(field)}: recebido ${shownBy(schema)(value)}; aceita ${accepted}.`);
}

function missing(name: string, pointer: string, member: Schema | undefined): Problem {
  return problem(name, pointer, `${name}: membro obrigatório ausente; informe ${describe(member ?? {})}.`);
}

function unknownMember(name: string, pointer: string, known: readonly string[], isHinted: boolean): Problem {
  const hint = isHinted ? nearest(name, known) : undefined;
  const advice = hint === undefined ? `Aceitos: ${known.join(', ')}.` : `Você quis dizer '${hint}'?`;
  return problem(name, pointer, `Membro desconhecido ${shown(name)}. ${advice}`);
}

/** The accepted values of a schema in words. */
export function describe(schema: Schema): string {
  switch (schema.type) {
    case 'object':
      return 'um objeto JSON';
    case 'array':
      return 'uma lista JSON';
    case 'integer':
      return `um número inteiro de ${schema.minimum ?? Number.MIN_SAFE_INTEGER} a ${schema.maximum ?? Number.MAX_SAFE_INTEGER}`;
    case 'boolean':
      return 'true ou false';
    case 'string':
      return `um texto${domainOf(schema)}`;
    default:
      return 'um valor JSON';
  }
}

function domainOf(schema: Schema): string {
  if (schema.enum !== undefined) return `: ${schema.enum.join(', ')}`;
  if (schema['x-domain'] !== undefined) return `: ${schema['x-domain']}`;
  if (schema.maxLength !== undefined)
    return ` com ${range(schema.minLength ?? 0, schema.maxLength)} caracteres`;
  return '';
}
