/**
 * Checks a value against an answer's schema: the JSON Schema keywords of our schemas, and no additional
 * member.
 */
import type { TSchema } from '@sinclair/typebox';

interface Form {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Form[];
  readonly oneOf?: readonly Form[];
  readonly not?: Form;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Form>>;
  readonly patternProperties?: Readonly<Record<string, Form>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: Form;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Returns the mismatches, each with its pointer; empty when the value has the form. */
export function misfits(schema: TSchema, value: unknown): string[] {
  return [...walk(schema as Form, value, '')];
}

/** An unsupported keyword would accept any value. */
const NOT_UNDERSTOOD = ['$ref', 'allOf', 'if', 'prefixItems', 'dependentRequired'];

function* walk(form: Form, value: unknown, at: string): Generator<string> {
  const unknown = NOT_UNDERSTOOD.filter((word) => Object.hasOwn(form, word));
  if (unknown.length > 0) throw new Error(`${at}: the schema uses ${unknown.join()}, which is not looked at`);
  if (form.oneOf !== undefined) {
    const all = form.oneOf.map((one) => [...walk(one, value, at)]);
    const fits = all.filter((problems) => problems.length === 0).length;
    if (fits > 1) yield `${at}: ${text(value)} has ${fits} of the forms that exclude each other`;
    if (fits === 0) yield* all[0] ?? [];
    return;
  }
  if (form.anyOf !== undefined) {
    const all = form.anyOf.map((one) => [...walk(one, value, at)]);
    if (all.every((faults) => faults.length > 0)) yield* all[0] ?? [];
    return;
  }
  if (form.not !== undefined && [...walk(form.not, value, at)].length === 0)
    yield `${at}: ${text(value)} is what the form excludes`;
  if (form.enum !== undefined && !form.enum.includes(value))
    yield `${at}: ${text(value)} is none of ${form.enum.join()}`;
  if ('const' in form && form.const !== value) yield `${at}: ${text(value)} is not ${text(form.const)}`;
  if (form.type === undefined) return;
  const types = Array.isArray(form.type) ? (form.type as readonly string[]) : [form.type as string];
  if (!types.some((type) => isOf(type, value))) {
    yield `${at}: ${text(value)} is no ${types.join(' or ')}`;
    return;
  }
  if (Array.isArray(value)) yield* items(form, value, at);
  else if (typeof value === 'object' && value !== null)
    yield* members(form, value as Record<string, unknown>, at);
  else if (typeof value === 'string') yield* texts(form, value, at);
  else if (typeof value === 'number') yield* numbers(form, value, at);
}

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isSafeInteger(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}

function* items(form: Form, value: readonly unknown[], at: string): Generator<string> {
  if (form.items === undefined) return;
  for (const [index, item] of value.entries()) yield* walk(form.items, item, `${at}/${index}`);
}

function* members(form: Form, value: Readonly<Record<string, unknown>>, at: string): Generator<string> {
  const { properties, patternProperties } = form;
  if (properties === undefined && patternProperties === undefined) return;
  for (const name of form.required ?? []) if (!Object.hasOwn(value, name)) yield `${at}/${name}: missing`;
  const [anyMember] = Object.values(patternProperties ?? {});
  for (const [name, member] of Object.entries(value)) {
    const memberForm = properties?.[name] ?? anyMember;
    if (memberForm === undefined && form.additionalProperties === true) continue;
    if (memberForm === undefined) yield `${at}/${name}: not in the form`;
    else yield* walk(memberForm, member, `${at}/${name}`);
  }
}

function* texts(form: Form, value: string, at: string): Generator<string> {
  const { length } = Array.from(value);
  if (length < (form.minLength ?? 0) || length > (form.maxLength ?? Infinity))
    yield `${at}: ${length} characters`;
  if (form.pattern !== undefined && !new RegExp(form.pattern).test(value))
    yield `${at}: ${text(value)}, not ${form.pattern}`;
}

function* numbers(form: Form, value: number, at: string): Generator<string> {
  if (value < (form.minimum ?? -Infinity) || value > (form.maximum ?? Infinity))
    yield `${at}: ${value} out of range`;
}

const text = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, 80);
