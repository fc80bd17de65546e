/** Save operations: selects the API operation for each form and button. */
import type { ImportStarted, Product } from '../../api/answers.ts';
import { type RecordChange, proposeRecord } from '../../aprovar/propose-record.ts';
import type { AttributeLists } from '../../../catalogue/attribute/words/model.ts';
import { api } from '../../api/api.ts';
import type { Result } from '../../api/result.ts';
import { PRODUCTS } from '../product.ts';
import { atFields } from './check.ts';
import { type FormMode, type FormValues, type Saved, requestOf } from './form-values.ts';

const DRAFTS = '/appliance/api/products/drafts';

/** Product of the form; for a new product, only the company. */
export interface Subject {
  readonly cpfCnpjRaiz: string;
  readonly mode: FormMode;
  readonly codigo?: number;
  readonly versao?: string;
}

/** `propose`: another person approves what is saved. */
export type Saving = 'draft' | 'final' | 'propose';

/** Saves a draft, or saves permanently: includes, activates, creates a version or rectifies. */
export async function send(
  saving: Saving,
  { cpfCnpjRaiz, mode, codigo = 0, versao = '' }: Subject,
  values: FormValues,
  lists: AttributeLists,
): Promise<Result<Saved>> {
  const body = requestOf(values, lists);
  const { dataReferencia } = values;
  const place = `${PRODUCTS}/${cpfCnpjRaiz}`;
  const requests: { readonly [mode in FormMode]: () => Promise<Result<Product>> } = {
    novo: () =>
      api.post(dataReferencia === '' ? place : `${place}/${encodeURIComponent(dataReferencia)}`, body),
    copia: () => requests.novo(),
    rascunho: () => requests.versao(),
    versao: () => api.put(`${place}/${codigo}`, body),
    retificar: () => api.put(`${place}/${codigo}/${versao}`, body),
  };
  const asDraft = (): Promise<Result<Product>> => {
    const draft = { ...body, dataReferencia };
    return mode === 'rascunho'
      ? api.put(`${DRAFTS}/${cpfCnpjRaiz}/${codigo}`, draft)
      : api.post(DRAFTS, { cpfCnpjRaiz, ...draft });
  };
  const answer = await (saving === 'draft' ? asDraft : requests[mode])();
  if (answer.ok) return answer;
  return { ok: false, error: { ...answer.error, problems: atFields(answer.error.problems, lists) } };
}

const PROPOSED = {
  novo: 'include',
  copia: 'include',
  rascunho: 'newVersion',
  versao: 'newVersion',
  retificar: 'rectify',
} as const satisfies { readonly [mode in FormMode]: RecordChange['operation'] };

/** Proposes what the form would save. Returns the import that waits. */
export async function proposeProduct(
  { cpfCnpjRaiz, mode, codigo, versao }: Subject,
  values: FormValues,
  lists: AttributeLists,
): Promise<Result<ImportStarted>> {
  const { dataReferencia } = values;
  const answer = await proposeRecord({
    cpfCnpjRaiz,
    kind: 'produto',
    operation: PROPOSED[mode],
    ...(codigo !== undefined && { codigo: String(codigo) }),
    ...(mode === 'retificar' && versao !== undefined && { versao }),
    content: { ...requestOf(values, lists), ...(dataReferencia !== '' && { dataReferencia }) },
  });
  if (answer.ok) return answer;
  return { ok: false, error: { ...answer.error, problems: atFields(answer.error.problems, lists) } };
}

/** Members of a product that are no part of its content. */
const NOT_CONTENT: readonly string[] = ['cpfCnpjRaiz', 'codigo', 'versao', 'situacao'];

/** Proposes to activate a draft unchanged. Returns the import that waits. */
export async function proposeActivation({
  cpfCnpjRaiz,
  codigo,
  versao,
}: Pick<Product, 'cpfCnpjRaiz' | 'codigo' | 'versao'>): Promise<Result<ImportStarted>> {
  const draft = await api.get<Product>(`${PRODUCTS}/${cpfCnpjRaiz}/${codigo}/${versao}`);
  if (!draft.ok) return draft;
  const content = Object.fromEntries(
    Object.entries(draft.value).filter(([member]) => !NOT_CONTENT.includes(member)),
  );
  return proposeRecord({
    cpfCnpjRaiz,
    kind: 'produto',
    operation: 'newVersion',
    codigo: String(codigo),
    content,
  });
}

/** Activates a draft unchanged: the body that the server returned is also a valid request. */
export async function activateDraft(path: string, versao: string): Promise<Result<Saved>> {
  const draft = await api.get<Product>(`${PRODUCTS}/${path}/${versao}`);
  return draft.ok ? api.put(`${PRODUCTS}/${path}`, draft.value) : draft;
}
