/** Decodes query and path parameters: texts that are read as the type of their schema. */
import type { Problem } from '../errors.ts';
import { formatValue } from './format-value.ts';
import { fieldProblem } from './decoding.ts';
import { describe } from './decode.ts';
import type { Schema } from './schema.ts';
import { textFault } from './text-fault.ts';
import { nearest } from './text.ts';

/**
 * Decodes the query of a URL. Ignores unknown parameters. A repeated one is a problem (contract section 3).
 */
export function decodeQuery(
  schema: Schema,
  query: URLSearchParams,
  problems: Problem[],
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (member.type === 'array') {
      const list = decodeList(name, member, query, problems);
      if (list !== undefined) result[name] = list;
      continue;
    }
    const values = query.getAll(name);
    const first = trimCode(member, values[0]);
    if (values.length > 1)
      problems.push(parameterProblem(name, `recebido ${values.length} vezes; informe uma só vez.`));
    else if (first !== undefined && first !== '')
      result[name] = decodeParameter(name, member, first, problems);
    else if (schema.required?.includes(name) === true)
      problems.push(missingParameter(name, member, unknownNames(query, schema)));
  }
  return result;
}

/** Returns the names of a query that its schema does not have: longer queries are cut. */
const unknownNames = (query: URLSearchParams, { properties = {} }: Schema): readonly string[] =>
  [...query.keys()].slice(0, UNKNOWN_MAX).filter((name) => !Object.hasOwn(properties, name));
const UNKNOWN_MAX = 50;

/** `unknown`: received names, one of which may be the missing one with a typing error. */
function missingParameter(name: string, member: Schema, unknown: readonly string[]): Problem {
  const misspelled = unknown.find((one) => nearest(one, [name]) !== undefined);
  const received = misspelled === undefined ? '' : `; recebido ${formatValue(misspelled)} no lugar`;
  return parameterProblem(name, `parâmetro obrigatório ausente${received}; informe ${describe(member)}.`);
}

/** Decodes a parameter that may be repeated, or given once with commas. `undefined`: it has no value. */
function decodeList(
  name: string,
  { items = {} }: Schema,
  query: URLSearchParams,
  problems: Problem[],
): unknown[] | undefined {
  const texts = query
    .getAll(name)
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '');
  return texts.length === 0 ? undefined : texts.map((text) => decodeParameter(name, items, text, problems));
}

/** Removes the blanks around a code (contract section 4). */
const trimCode = (schema: Schema, text: string | undefined): string | undefined =>
  schema['x-code'] === true ? text?.trim() : text;

const LONE_PERCENT = /%(?![0-9a-f]{2})/gi;
const BEYOND_ASCII = /%[89a-f]/i;
/** The character with which the runtime replaces raw bytes that are no UTF-8. */
const REPLACED = '\ufffd';

/**
 * Adds a problem for each parameter of a query, known or not, whose bytes are no UTF-8 (contract section 3).
 */
export function refuseBrokenUtf8(query: string, problems: Problem[]): void {
  if (!BEYOND_ASCII.test(query)) return;
  for (const pair of query.split('&').filter((one) => BEYOND_ASCII.test(one) && !isUtf8(one))) {
    const [name = ''] = new URLSearchParams(pair).keys();
    problems.push(
      parameterProblem(
        name,
        `recebido ${formatValue(pair.slice(pair.indexOf('=') + 1))}, que não é UTF-8 válido; codifique o texto em UTF-8 e depois com %.`,
      ),
    );
  }
}

function isUtf8(pair: string): boolean {
  try {
    return !decodeURIComponent(pair.replace(LONE_PERCENT, '%25')).includes(REPLACED);
  } catch {
    return false;
  }
}

/** Decodes the parameters of a path. `null`: a part is not valid percent-encoded UTF-8. */
export function decodePath(
  schema: Schema,
  received: Readonly<Record<string, string | null>>,
  problems: Problem[],
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  const members = schema.properties ?? {};
  for (const name of Object.keys(members)) {
    const member = members[name] as Schema; // one of its own names
    const text = received[name];
    if (text === undefined || text === null || text.includes(REPLACED))
      problems.push(parameterProblem(name, 'a codificação do caminho não é UTF-8 válido.'));
    else result[name] = decodeParameter(name, member, text, problems);
  }
  return result;
}

const INTEGER = /^\d{1,16}$/;

/** Accepted forms of booleans: Python prints `True`, .NET `False`, forms `1` (contract section 3). */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function decodeParameter(name: string, schema: Schema, text: string, problems: Problem[]): unknown {
  switch (schema.type) {
    case 'integer': {
      const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
      const number = INTEGER.test(text) ? Number(text) : Number.NaN;
      if (!(number >= minimum && number <= maximum)) break;
      return number;
    }
    case 'boolean':
      if (!BOOLEANS.has(text.toLowerCase())) break;
      return BOOLEANS.get(text.toLowerCase());
    default: {
      const fault = textFault(schema, text);
      if (fault !== undefined) problems.push(parameterProblem(name, fault.message, fault.suggestion));
      return schema['x-any-case'] === true ? text.toUpperCase() : text;
    }
  }
  problems.push(parameterProblem(name, `recebido ${formatValue(text)}; aceita ${describe(schema)}.`));
  return undefined;
}

const parameterProblem = (name: string, message: string, suggestion?: string): Problem =>
  fieldProblem(name, message, name, suggestion);
