/** What is wrong with what was filled in, said before anything is sent; the server judges it again. */
import type { ProductForm } from '../../api/answers.ts';
import type { AttributeLists } from '../../../catalogue/attribute/words/model.ts';
import type { Problem, Result } from '../../api/result.ts';
import { type Situated, attributeProblems } from '../../attribute/fields.ts';
import { culpritOf } from '../../attribute/culprit.ts';
import { type FormValues, internalCodes, ncmDigits } from './form-values.ts';

/** As the server has them (contract section 4). */
export const DESCRICAO_MAX = 3700;
export const INTERNAL_CODE_MAX = 60;

export interface Checked {
  readonly values: FormValues;
  readonly lists: AttributeLists;
  readonly rules: ProductForm;
  /** What the NCM asks, as far as it is known. */
  readonly situated: Situated | undefined;
  /** Of a draft only the name is asked. */
  readonly asDraft: boolean;
}

export function problemsOf({ values, lists, rules, situated, asDraft }: Checked): readonly Problem[] {
  const own = ownProblems(values, rules, asDraft);
  if (asDraft || situated === undefined) return own;
  const found = attributeProblems(situated, lists).map(({ message, code, path }) => ({
    message,
    code,
    place: (path ?? '').replace(/^\//, ''),
  }));
  return [...own, ...atFields(found, lists)];
}

function ownProblems(values: FormValues, rules: ProductForm, asDraft: boolean): readonly Problem[] {
  const { denominacao, descricao, modalidade, dataReferencia } = values;
  const ncm = ncmDigits(values.ncm);
  const problems: Problem[] = [];
  const say = (place: string, message: string): void => void problems.push({ place, message, code: null });
  if (denominacao.trim() === '') say('denominacao', 'Informe a denominação do produto.');
  tooLong('denominacao', denominacao, rules.denominacaoMax);
  tooLong('descricao', descricao, DESCRICAO_MAX);
  if (ncm === '' ? !asDraft : !/^\d{8}$/.test(ncm))
    say('ncm', ncm === '' ? 'Informe a NCM.' : `Recebido “${values.ncm}”; a NCM tem 8 algarismos.`);
  if (modalidade === '' && !asDraft) say('modalidade', 'Escolha a modalidade.');
  const codes = internalCodes(values.codigosInterno);
  const repeated = codes.find((code, at) => codes.indexOf(code) < at);
  if (repeated !== undefined)
    say('codigosInterno', `“${repeated}” está repetido; informe cada código uma só vez.`);
  const long = codes.find((code) => length(code) > INTERNAL_CODE_MAX);
  if (long !== undefined)
    say('codigosInterno', `“${long}” tem ${length(long)} caracteres; aceita no máximo ${INTERNAL_CODE_MAX}.`);
  if (dataReferencia !== '') {
    if (asDraft)
      say('dataReferencia', 'Um rascunho ainda não vale em dia nenhum: apague o dia, ou salve e ative.');
    else if (!/^\d{4}-\d{2}-\d{2}$/.test(dataReferencia))
      say('dataReferencia', `Recebido “${dataReferencia}”; informe um dia como dd/mm/aaaa.`);
    else if (dataReferencia > rules.today)
      say('dataReferencia', 'O dia ainda não chegou; informe hoje ou um dia passado.');
  }
  return problems;

  function tooLong(place: string, text: string, max: number): void {
    if (length(text) > max) say(place, `Tem ${length(text)} caracteres; aceita no máximo ${max}.`);
  }
}

/** Code points, as the server counts. */
const length = (text: string): number => Array.from(text).length;

/** Problems of attributes, each with the field that it stands at. */
export const atFields = (problems: readonly Problem[], lists: AttributeLists): readonly Problem[] =>
  problems.map((problem) => {
    const culprit = culpritOf({ path: `/${problem.place}`, message: problem.message }, lists);
    if (culprit === undefined) return problem;
    const { codigo, at = 0, group = 0, part } = culprit;
    if (part !== undefined) return { ...problem, field: partPlace(codigo, group, part) };
    const isOfSeveral = problem.place.startsWith('atributosMultivalorados');
    return { ...problem, field: isOfSeveral ? valuePlace(codigo, at) : attributePlace(codigo) };
  });

export const attributePlace = (codigo: string): string => `atributo/${codigo}`;
/** One of several values; what is said of all of them stands at the first. */
export const valuePlace = (codigo: string, at: number): string => `${attributePlace(codigo)}/${at}`;
export const partPlace = (codigo: string, group: number, part: string): string =>
  `parte/${codigo}/${group}/${part}`;

/** A refusal, with what was found here and is not said of the same field there: a 400 tells nothing of the rules. */
export function withProblems<T>(answer: Result<T>, found: readonly Problem[]): Result<T> {
  if (answer.ok) return answer;
  const fieldOf = ({ field, place }: Problem): string => field ?? place;
  const told = answer.error.problems;
  const said = new Set(told.map(fieldOf));
  const further = found.filter((problem) => !said.has(fieldOf(problem)));
  return { ok: false, error: { ...answer.error, problems: [...told, ...further] } };
}

/** As the server says it, in the profile that refuses such a product. */
const IDENTICAL = 'CATP-ER1001';

/** The product that is the same (profile `portal`). */
export function identicalIn(problems: readonly Problem[]): string | undefined {
  const told = problems.find(({ code }) => code === IDENTICAL);
  return told && /Código: (\d+)/.exec(told.message)?.[1];
}
