/** Problems of the values in the form, each with its field. The server validates everything again. */
import type { AttributeLists } from '../../../catalogue/attribute/words/model.ts';
import type { Problem, Result } from '../../api/result.ts';
import { readableSentence } from '../../sentences.ts';
import { type FormContext, attributeProblems } from './fields.ts';
import type { FormValues } from './form-values.ts';

const MISSING = {
  denominacao: 'Informe a denominação do produto.',
  ncm: 'Informe a NCM.',
  modalidade: 'Escolha a modalidade.',
} as const;

/**
 * Returns the problems that are shown before a request, and next to a refusal that came before the rules ran.
 */
export function problemsOf(
  values: FormValues,
  lists: AttributeLists,
  context: FormContext | undefined,
): readonly Problem[] {
  const missing = (['denominacao', 'ncm', 'modalidade'] as const)
    .filter((place) => values[place].trim() === '')
    .map((place) => ({ place, message: MISSING[place], code: null }));
  const violations = context === undefined ? [] : attributeProblems(context, lists);
  const localProblems = violations.map(({ path, field: _, ...problem }) => ({
    ...problem,
    message: readableSentence(problem.message),
    place: (path ?? '').slice(1),
  }));
  return [...missing, ...atFields(localProblems, lists)];
}

/** Adds the field to each attribute problem, by its place in the lists and its subject. */
export const atFields = (problems: readonly Problem[], lists: AttributeLists): readonly Problem[] =>
  problems.map((problem) => {
    const field = fieldOf(problem, lists);
    return field === undefined ? problem : { ...problem, field };
  });

/** Returns the field of a problem, or `undefined` when it concerns no attribute. */
function fieldOf({ place, about }: Problem, lists: AttributeLists): string | undefined {
  const [list = '', index, , nth = '0'] = place.split('/');
  if (!Object.hasOwn(lists, list)) return undefined;
  const subjectCode = about?.attribute;
  const codigo =
    index === undefined ? subjectCode : lists[list as keyof AttributeLists][Number(index)]?.atributo;
  if (codigo === undefined) return undefined;
  // A problem about another attribute, in the lists of compounds, concerns a part.
  if (subjectCode !== undefined && subjectCode !== codigo)
    return partPlace(codigo, list === 'atributosCompostos' ? 0 : Number(nth), subjectCode);
  return list === 'atributosMultivalorados' && index !== undefined
    ? valuePlace(codigo, Number(nth))
    : attributePlace(codigo);
}

export const attributePlace = (codigo: string): string => `atributo/${codigo}`;
/** Returns the place of one of several values. A problem of all values uses the first place. */
export const valuePlace = (codigo: string, index: number): string => `${attributePlace(codigo)}/${index}`;
export const partPlace = (codigo: string, group: number, part: string): string =>
  `parte/${codigo}/${group}/${part}`;

/**
 * Adds local problems to a refusal, except for fields that it already covers: a 400 does not report rule
 * violations.
 */
export function withProblems<T>(answer: Result<T>, localProblems: readonly Problem[]): Result<T> {
  if (answer.ok) return answer;
  const fieldOf = ({ field, place }: Problem): string => field ?? place;
  const serverProblems = answer.error.problems;
  const coveredFields = new Set(serverProblems.map(fieldOf));
  const further = localProblems.filter((problem) => !coveredFields.has(fieldOf(problem)));
  return { ok: false, error: { ...answer.error, problems: [...serverProblems, ...further] } };
}
