/** What saving does: which operation of the API for which form and button. */
import type { Product } from '../../api/answers.ts';
import type { AttributeLists } from '../../../catalogue/attribute/words/model.ts';
import { api } from '../../api/api.ts';
import type { Problem, Result } from '../../api/result.ts';
import { atFields } from './check.ts';
import { type FormMode, type FormValues, type Saved, listsIn, requestOf, valuesFrom } from './form-values.ts';

const PRODUCTS = '/catp/api/ext/produto';

/** Of which product the form is; of a new one only the company. */
export interface Subject {
  readonly cpfCnpjRaiz: string;
  readonly mode: FormMode;
  readonly codigo?: number;
  readonly versao?: string;
}

/** Saves for good: includes, activates, makes a version, rectifies. */
export async function save(
  subject: Subject,
  values: FormValues,
  lists: AttributeLists,
): Promise<Result<Saved>> {
  const { cpfCnpjRaiz, mode, codigo = 0, versao = '' } = subject;
  const body = requestOf(values, lists);
  const place = `${PRODUCTS}/${cpfCnpjRaiz}`;
  const { dataReferencia } = values;
  const answer =
    mode === 'novo' || mode === 'copia'
      ? await api.post<Product>(dataReferencia === '' ? place : `${place}/${dataReferencia}`, body)
      : mode === 'retificar'
        ? await api.put<Product>(`${place}/${codigo}/${versao}`, body)
        : await api.put<Product>(`${place}/${codigo}`, body);
  return answer.ok ? answer : refused(answer, (problems) => atFields(problems, lists));
}

const DRAFTS = '/appliance/api/products/drafts';

export async function saveDraft(
  { cpfCnpjRaiz, mode, codigo }: Subject,
  values: FormValues,
  lists: AttributeLists,
): Promise<Result<Saved>> {
  const draft = requestOf(values, lists);
  const answer =
    mode === 'rascunho' && codigo !== undefined
      ? await api.put<Product>(`${DRAFTS}/${cpfCnpjRaiz}/${codigo}`, draft)
      : await api.post<Product>(DRAFTS, { cpfCnpjRaiz, ...draft });
  return answer.ok ? answer : refused(answer, (problems) => atFields(problems, lists));
}

/** Activates a draft as it stands. */
export async function activateDraft(
  cpfCnpjRaiz: string,
  codigo: number | string,
  versao: string,
): Promise<Result<Saved>> {
  const draft = await api.get<Product>(`${PRODUCTS}/${cpfCnpjRaiz}/${codigo}/${versao}`);
  if (!draft.ok) return draft;
  const body = requestOf(valuesFrom(draft.value, 'rascunho'), listsIn(draft.value));
  return api.put<Product>(`${PRODUCTS}/${cpfCnpjRaiz}/${codigo}`, body);
}

type Refusal = Extract<Result<Saved>, { readonly ok: false }>;

const refused = (
  { error }: Refusal,
  placed: (problems: readonly Problem[]) => readonly Problem[],
): Refusal => ({ ok: false, error: { ...error, problems: placed(error.problems) } });
