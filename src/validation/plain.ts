/**
 * Whether `decode` would give a value back as it came: the case of nearly every request, told without building anything.
 * Each schema is turned into a function once; what is not plain is decoded, and explained, by decode.ts.
 */
import type { Schema } from './schema.ts';
import { textFault } from './text-fault.ts';

type Check = (value: unknown) => boolean;

const checks = new WeakMap<Schema, Check>();

/** True exactly when decoding finds no problem and changes nothing. */
export function isPlain(schema: Schema, value: unknown): boolean {
  let check = checks.get(schema);
  if (check === undefined) checks.set(schema, (check = checkOf(schema)));
  return check(value);
}

function checkOf(schema: Schema): Check {
  switch (schema.type) {
    case 'object':
      return objectCheck(schema);
    case 'array':
      return arrayCheck(schema);
    case 'string':
      return textCheck(schema);
    case 'integer': {
      const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema;
      return (value) =>
        Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
    }
    case 'boolean':
      return (value) => typeof value === 'boolean';
    default:
      return () => true; // any JSON
  }
}

function objectCheck({ properties = {}, required = [] }: Schema): Check {
  const members = new Map(Object.entries(properties).map(([name, schema]) => [name, memberCheck(schema)]));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const received = value as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(received)) {
      const check = members.get(name);
      if (check === undefined || !check(received[name])) return false;
    }
    // Of a plain object every member is present, or it would not be plain.
    for (const name of required) if (!Object.hasOwn(received, name)) return false;
    return true;
  };
}

/** `null`, and for texts `""`, mean that the member is absent: it would be left out. */
function memberCheck(schema: Schema): Check {
  const check = checkOf(schema);
  return (value) => value !== null && value !== '' && check(value);
}

function arrayCheck(schema: Schema): Check {
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  const check = items === undefined || schema['x-items-apart'] === true ? undefined : checkOf(items);
  return (value) => {
    if (!Array.isArray(value) || value.length < minItems || value.length > maxItems) return false;
    return check === undefined || value.every(check);
  };
}

function textCheck(schema: Schema): Check {
  const isAnyCase = schema['x-any-case'] === true;
  const faults = schema['x-faults'];
  return (value) =>
    typeof value === 'string' &&
    textFault(schema, value) === undefined &&
    (faults === undefined || faults(value).length === 0) &&
    (!isAnyCase || value === value.toUpperCase());
}
