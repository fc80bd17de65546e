/** Decodes how a sheet is read: JSON that comes with the file, in a form or on the command line. */
import { malformed } from '../../errors.ts';
import { decode } from '../../validation/decode.ts';
import { fieldProblem } from '../../validation/decoding.ts';
import { tryParseJson } from '../../validation/json.ts';
import { asSchema } from '../../validation/schema.ts';
import { SheetOptions } from './instructions.ts';

/** The field of the form. */
const FIELD = 'planilha';

/** Throws 400. */
export function parseSheetOptions(text: string | undefined): SheetOptions {
  const { value, problems } = decode(asSchema(SheetOptions), parseJson(text));
  if (problems.length > 0)
    throw malformed(problems.map((problem) => ({ ...problem, path: `/${FIELD}${problem.path ?? ''}` })));
  return value as SheetOptions; // the schema guarantees it
}

function parseJson(text: string | undefined): unknown {
  const value = text === undefined ? {} : tryParseJson(text);
  if (value !== undefined) return value;
  throw malformed([fieldProblem(FIELD, 'não é JSON; envie um objeto, como {"key":"codigoInterno"}.')]);
}
