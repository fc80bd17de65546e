/** Suggests a valid value for a refused one, from schemas, rules and the attribute table. */
import type { Problem } from '../../errors.ts';
import { queryOf } from '../../http/address.ts';
import { describe } from '../../validation/decode.ts';
import type { Schema } from '../../validation/schema.ts';
import type { JournalEntry } from './entry.ts';
import { type RequestPart, partOfBody, partOfParameters } from './request-part.ts';
import { nearestValid } from './nearest-valid.ts';
import { isSecret } from './secrets.ts';

export interface Advice {
  /** The suggestion in words; `null` when none is known. */
  readonly suggestion: string | null;
  /** A value that the member would accept; `null` when none is known. */
  readonly valid: unknown;
}

export type Advise = (entry: JournalEntry, problem: Problem) => Advice;

/** The suggestions that the attribute table in force can give. */
export interface TableAdvice {
  /** The code for an unknown NCM. */
  readonly unknownNcm: string;
  /** The codes for a missing attribute. */
  readonly missing: ReadonlySet<string>;
  nearestNcm(ncm: string): string | undefined;
  /** Returns an item for the attribute's list, with a value that the attribute accepts. */
  sampleOf(ncm: string, codigo: string): unknown;
}

const NOTHING: Advice = { suggestion: null, valid: null };

export const adviserWith =
  (table: TableAdvice): Advise =>
  (entry, problem) => {
    const place = placeOf(entry, problem);
    if (problem.path === null || isSecret(problem.path)) return inWords(place?.schema);
    return (
      tableAdvice(place, problem, table) ??
      nearestAdvice(problem) ??
      (isShapeProblem(problem) ? schemaAdvice(place) : NOTHING)
    );
  };

const SHAPE_CODE = 'PUCX-ER0010';
const isShapeProblem = ({ code }: Problem): boolean => code === SHAPE_CODE;

function placeOf({ operation, requestBody, url }: JournalEntry, { path }: Problem): RequestPart | undefined {
  if (path === null || operation === undefined) return undefined;
  return path.startsWith('/') || path === ''
    ? partOfBody(operation, requestBody.text, path)
    : partOfParameters(operation, new URLSearchParams(queryOf(url) ?? ''), path);
}

function tableAdvice(
  place: RequestPart | undefined,
  { code, about }: Problem,
  table: TableAdvice,
): Advice | undefined {
  const ncm = ncmOf(place?.body);
  if (ncm === undefined) return undefined;
  if (code === table.unknownNcm) {
    const near = table.nearestNcm(ncm);
    return near === undefined
      ? undefined
      : { suggestion: `A NCM mais próxima na tabela em vigor é ${near}.`, valid: near };
  }
  if (!table.missing.has(code) || about?.attribute === undefined) return undefined;
  const sample = table.sampleOf(ncm, about.attribute);
  return sample === undefined
    ? undefined
    : { suggestion: `Acrescente, por exemplo, ${JSON.stringify(sample)}.`, valid: sample };
}

function ncmOf(body: unknown): string | undefined {
  const ncm = (body as { readonly ncm?: unknown } | null | undefined)?.ncm;
  return typeof ncm === 'string' ? ncm : undefined;
}

/** Returns the suggestion that a rule already put into the problem. */
function nearestAdvice({ about }: Problem): Advice | undefined {
  const valid = about?.suggestion;
  return valid === undefined ? undefined : { suggestion: `O mais próximo aceito é ${valid}.`, valid };
}

function schemaAdvice(place: RequestPart | undefined): Advice {
  if (place?.schema === undefined) return NOTHING;
  if (place.schema['x-format-value'] !== undefined) return inWords(place.schema);
  const valid = nearestValid(place.schema, place.received);
  if (valid === undefined) return inWords(place.schema);
  return { suggestion: `Informe ${describe(place.schema)}; por exemplo ${JSON.stringify(valid)}.`, valid };
}

const inWords = (schema: Schema | undefined): Advice =>
  schema === undefined ? NOTHING : { suggestion: `Informe ${describe(schema)}.`, valid: null };
