/** A stored operator as it is printed, members in the order of contract section 4. */
import type { EpochMs } from '../../clock.ts';
import { momentText } from '../../validation/calendar.ts';
import { type VersionNumber, versionText } from '../version.ts';
import { EXPORTED_SITUACAO, type Situacao } from '../versioned/model.ts';
import type { OperatorContent } from './model.ts';

/** What a record shows, beside its place in a list. */
export interface PrintedOperator extends OperatorContent, VersionNumber {
  readonly codigo: string;
  readonly codigoPais: string;
  readonly situacao: Situacao;
}

const ALONE = 1;

/** The one form of every answer. */
export const answerText = (cpfCnpjRaiz: string, operator: PrintedOperator): string =>
  listItemText(cpfCnpjRaiz, ALONE, operator);

export const listItemText = (cpfCnpjRaiz: string, seq: number, operator: PrintedOperator): string =>
  JSON.stringify(record(cpfCnpjRaiz, seq, operator, operator.situacao));

/** The list form without its place, and when the record was last changed (contract section 14). */
export function pageItemText(cpfCnpjRaiz: string, operator: PrintedOperator, changedAt: EpochMs): string {
  const { seq: _, ...members } = record(cpfCnpjRaiz, ALONE, operator, operator.situacao);
  return JSON.stringify({ ...members, changedAt: momentText(changedAt) });
}

/** The export form: the list form with the situation in words, as an object to be printed pretty. */
export const exportRecord = (cpfCnpjRaiz: string, seq: number, operator: PrintedOperator): object =>
  record(cpfCnpjRaiz, seq, operator, EXPORTED_SITUACAO[operator.situacao]);

function record(cpfCnpjRaiz: string, seq: number, operator: PrintedOperator, situacao: string) {
  return {
    seq,
    cpfCnpjRaiz,
    codigo: operator.codigo,
    versao: versionText(operator),
    tin: operator.tin,
    nome: operator.nome,
    situacao,
    logradouro: operator.logradouro,
    nomeCidade: operator.nomeCidade,
    codigoSubdivisaoPais: operator.codigoSubdivisaoPais,
    codigoPais: operator.codigoPais,
    cep: operator.cep,
    codigoInterno: operator.codigoInterno,
    email: operator.email,
    // Contract section 4: never a day on output, which public clients cannot read as the moment that they expect.
    dataReferencia: null,
    identificacoesAdicionais: JSON.parse(operator.identificacoesAdicionais) as object[],
  };
}
