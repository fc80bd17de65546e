/** What saving an operator does: which operation of the API for which form. */
import { api } from '../api/api.ts';
import { type Problem, type Result, faultOf } from '../api/result.ts';
import { type OperatorValues, problemOf, requestOf } from './form-values.ts';
import { type Operator, OPERATORS, pathOf } from './operator.ts';

export type OperatorFormMode = 'novo' | 'versao' | 'retificar';

export interface Sending {
  readonly cpfCnpjRaiz: string;
  readonly mode: OperatorFormMode;
  /** The version that it begins from. */
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

interface BatchResult {
  readonly codigo: string;
  readonly versao: string | null;
  readonly sucesso: boolean;
  readonly erros: readonly string[];
}

const NOT_THERE = 404;

/** Only the batch operation takes the day from which a new operator is valid (contract section 4). */
async function includeRetroactive(cpfCnpjRaiz: string, operator: object): Promise<Result<Saved>> {
  const answer = await api.post<readonly BatchResult[]>(OPERATORS, [{ seq: 1, cpfCnpjRaiz, ...operator }]);
  if (!answer.ok) {
    const isSwitchedOff = answer.error.status === NOT_THERE;
    return isSwitchedOff ? { ...answer, error: { ...answer.error, problems: [SWITCHED_OFF] } } : answer;
  }
  const [result] = answer.value;
  if (result?.sucesso === true)
    return { ...answer, value: { cpfCnpjRaiz, codigo: result.codigo, versao: result.versao ?? '1' } };
  const problems = (result?.erros ?? []).map(problemOf);
  return { ok: false, error: { ...faultOf('O operador não foi incluído.'), problems } };
}

/** The setting `operacoesDescontinuadas` says so. */
const SWITCHED_OFF: Problem = {
  message: 'Com as operações em lote desligadas, um operador novo só vale de agora em diante: apague o dia.',
  code: null,
  place: 'dataReferencia',
};
