/** Saves an operator: selects the API operation for each form. */
import type { ImportStarted } from '../api/answers.ts';
import { proposeRecord } from '../aprovar/propose-record.ts';
import { api } from '../api/api.ts';
import { type Result, faultOf } from '../api/result.ts';
import { allResults } from '../importar/importacao/all-results.ts';
import { startImport, waitForImport } from '../importar/upload.ts';
import { type OperatorValues, requestOf } from './form-values.ts';
import { pathOf, type Operator } from './operator.ts';

export type OperatorFormMode = 'novo' | 'versao' | 'retificar';

export interface Sending {
  readonly cpfCnpjRaiz: string;
  readonly mode: OperatorFormMode;
  /** The version that the form starts from. */
  readonly from?: Operator;
}

export type Saved = Pick<Operator, 'cpfCnpjRaiz' | 'codigo' | 'versao'>;

export function send(values: OperatorValues, { cpfCnpjRaiz, mode, from }: Sending): Promise<Result<Saved>> {
  const { codigoPais, dataReferencia } = values;
  const body = requestOf(values);
  if (mode === 'novo' || from === undefined)
    return dataReferencia === ''
      ? api.post<Saved>(pathOf(cpfCnpjRaiz, codigoPais), body)
      : includeRetroactive(cpfCnpjRaiz, { ...body, codigoPais, dataReferencia });
  const { codigo, versao } = from;
  if (mode === 'retificar') return api.put<Saved>(pathOf(cpfCnpjRaiz, codigoPais, codigo, versao), body);
  return dataReferencia === ''
    ? api.put<Saved>(pathOf(cpfCnpjRaiz, codigoPais, codigo), body)
    : api.post<Saved>(pathOf(cpfCnpjRaiz, codigoPais, codigo, dataReferencia), body);
}

const PROPOSED = { novo: 'include', versao: 'newVersion', retificar: 'rectify' } as const;

/** Proposes what the form would save. Returns the import that waits. */
export function proposeOperator(
  values: OperatorValues,
  { cpfCnpjRaiz, mode, from }: Sending,
): Promise<Result<ImportStarted>> {
  const { codigoPais, dataReferencia } = values;
  return proposeRecord({
    cpfCnpjRaiz,
    kind: 'operador',
    operation: PROPOSED[mode],
    ...(mode !== 'novo' && from !== undefined && { codigo: from.codigo }),
    ...(mode === 'retificar' && from !== undefined && { versao: from.versao }),
    content: { ...requestOf(values), codigoPais, ...(dataReferencia !== '' && { dataReferencia }) },
  });
}

/**
 * Includes an operator with a past start date. Only an import item accepts this date for a new operator
 * (contract section 4).
 */
async function includeRetroactive(cpfCnpjRaiz: string, operator: object): Promise<Result<Saved>> {
  const file = new File([JSON.stringify([{ seq: 1, cpfCnpjRaiz, ...operator }])], 'operador.json');
  const started = await startImport({ file, kind: 'operador-estrangeiro', mode: 'lote' }, false);
  if (!started.ok) return started;
  const ended = await waitForImport(started.value.id);
  if (!ended.ok) return ended;
  const results = await allResults(started.value.id, '');
  if (!results.ok) return results;
  const [result] = results.value;
  if (result?.outcome === 'created')
    return { ...results, value: { cpfCnpjRaiz, codigo: result.codigo ?? '', versao: result.versao ?? '1' } };
  const problems = (result?.problems ?? []).map(({ path, message, code }) => ({
    message,
    code,
    place: path.replace(/^\//, ''),
  }));
  return { ok: false, error: { ...faultOf(ended.value.error ?? 'O operador não foi incluído.'), problems } };
}
