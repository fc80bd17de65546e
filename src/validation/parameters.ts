/** Query and path parameters: texts that are read as the type of their schema. */
import { type Problem, shown } from '../errors.ts';
import { MALFORMED_CODE, describe } from './decode.ts';
import type { Schema } from './schema.ts';
import { textFault } from './text-fault.ts';

/** Decodes the query of a URL. Unknown parameters are ignored, one given twice is a problem (contract section 3). */
export function decodeQuery(
  schema: Schema,
  query: URLSearchParams,
  problems: Problem[],
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const values = query.getAll(name);
    const [first] = values;
    if (values.length > 1)
      problems.push(parameterProblem(name, `recebido ${values.length} vezes; informe uma só vez.`));
    else if (first !== undefined && first !== '')
      result[name] = decodeParameter(name, member, first, problems);
    else if (schema.required?.includes(name) === true)
      problems.push(parameterProblem(name, `parâmetro obrigatório ausente; informe ${describe(member)}.`));
  }
  return result;
}

/** Decodes the parameters of a path; a part that is not valid percent-encoded UTF-8 comes as `null`. */
export function decodePath(
  schema: Schema,
  received: Readonly<Record<string, string | null>>,
  problems: Problem[],
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const text = received[name];
    if (text === undefined || text === null)
      problems.push(parameterProblem(name, 'a codificação do caminho não é UTF-8 válido.'));
    else result[name] = decodeParameter(name, member, text, problems);
  }
  return result;
}

const INTEGER = /^\d{1,16}$/;

function decodeParameter(name: string, schema: Schema, text: string, problems: Problem[]): unknown {
  switch (schema.type) {
    case 'integer': {
      const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
      const number = INTEGER.test(text) ? Number(text) : Number.NaN;
      if (!(number >= minimum && number <= maximum)) break;
      return number;
    }
    case 'boolean':
      if (text !== 'true' && text !== 'false') break;
      return text === 'true';
    default: {
      const fault = textFault(schema, text);
      if (fault !== undefined) problems.push(parameterProblem(name, fault));
      return text;
    }
  }
  problems.push(parameterProblem(name, `recebido ${shown(text)}; aceita ${describe(schema)}.`));
  return undefined;
}

function parameterProblem(name: string, message: string): Problem {
  return { code: MALFORMED_CODE, message: `${name}: ${message}`, field: name, path: name };
}
