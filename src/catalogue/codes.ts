/**
 * Codes of the catalogue's business rules, CATP-ER10nn. Those of attributes (CATP-ER11nn) are in
 * attribute/codes.ts.
 */
import { type Problem, rulesOf, unprocessable, withLabel } from '../errors.ts';
import { formatValue } from '../validation/format-value.ts';
import { isPointer, lastMemberOf, memberOf } from '../pointer.ts';
import { type VersionNumber, hasText, versionText } from './version.ts';

export const CATALOGUE_CODES = rulesOf({
  identicalProduct: 'CATP-ER1001 Já existe produto ativo idêntico.',
  repeatedInternalCode: 'CATP-ER1002 Código interno repetido no mesmo registro.',
  fixedByRectification: 'CATP-ER1003 Membro que a retificação não pode mudar.',
  futureReference: 'CATP-ER1004 Data de referência posterior a hoje.',
  draftNotRectifiable: 'CATP-ER1005 Rascunho não pode ser retificado.',
  notADraft: 'CATP-ER1006 Produto já ativado não volta a rascunho.',
  codeRequired: 'CATP-ER1007 Operação em lote que exige o código do registro.',
  repeatedSequence: 'CATP-ER1009 Número de sequência repetido no lote.',
  referenceNotAllowed: 'CATP-ER1010 Data de referência que esta operação não aceita.',
  unknownCountry: 'CATP-ER1012 País que não existe na ISO 3166-1.',
  unknownSubdivision: 'CATP-ER1013 Subdivisão que não existe ou é de outro país.',
  repeatedTin: 'CATP-ER1014 TIN de outro operador ativo da empresa.',
  inactiveProduct: 'CATP-ER1015 Produto inexistente ou desativado.',
  manufacturerOnly: 'CATP-ER1016 Fabricante conhecido no Brasil: só o CPF/CNPJ.',
  operatorRequired: 'CATP-ER1017 Fabricante conhecido no exterior: só um operador ativo do país.',
  unknownManufacturerOnly: 'CATP-ER1018 Fabricante desconhecido: nem operador nem CPF/CNPJ.',
  repeatedLink: 'CATP-ER1019 Vínculo que já existe.',
  unknownLink: 'CATP-ER1020 Vínculo que não existe.',
  wrongCheckDigits: 'CATP-ER1021 Dígitos verificadores que não conferem.',
  otherContent: 'CATP-ER1022 Versão já guardada com outro conteúdo (modo espelho).',
  mirrorNeedsNumbers: 'CATP-ER1023 Modo espelho: código e versão são exigidos.',
  olderVersion: 'CATP-ER1024 Modo espelho: versão anterior à já guardada.',
  numbersUsedUp: 'CATP-ER1025 Não há mais números de versão ou de produto no tamanho aceito.',
  tooFewNumbers: 'CATP-ER1026 Modo espelho: versão que deixa números de menos para as próximas.',
  changedSince: 'CATP-ER1027 Registro que mudou depois da simulação.',
  notADryRun: 'CATP-ER1028 Só uma simulação que terminou pode ser gravada.',
  otherRecords:
    'APPL-ER0450 Importação que faria de muitos produtos outros produtos; o número exato confirma.',
  tooManyDeactivations: 'APPL-ER0451 Mais desativações do que se esperava; o número exato confirma.',
  tooManyColumns: 'CATP-ER1030 Tabela com mais colunas do que uma planilha tem.',
  unreadableSheet: 'CATP-ER1031 Arquivo que não pode ser lido como planilha.',
  repeatedKey: 'CATP-ER1032 Linha de planilha com a chave de outra.',
  unknownKey: 'CATP-ER1033 Linha de planilha com o código de um registro que não existe.',
  severalRecords: 'CATP-ER1034 Linha de planilha cuja chave é de vários registros.',
  otherCompany: 'CATP-ER1035 Linha de planilha de outra empresa.',
  changesBesideDeactivation: 'CATP-ER1036 Linha de planilha que desativa um registro e muda outra coisa.',
  nothingToCorrect: 'CATP-ER1037 Nada a corrigir em uma importação.',
  notUndoable: 'CATP-ER1038 Importação, ou linha dela, que não pode ser desfeita.',
  unknownTable: 'CATP-ER1039 Tabela de atributos que não existe.',
  alreadyDone: 'CATP-ER1041 Simulação ou linhas que outra importação já gravou, ou está gravando.',
  noRoomForCells: 'CATP-ER1042 Planilha cujas células não cabem no que sua empresa guarda.',
  otherOrder: 'CATP-ER1043 Chave de idempotência que já veio com outro pedido.',
  noRoomForUpload: 'CATP-ER1044 Arquivo que não cabe com os que o usuário ou a empresa já tem esperando.',
  awaitingDecision: 'CATP-ER1045 Simulação proposta que ainda espera uma decisão.',
  notProposable: 'CATP-ER1046 Importação que não pode ser proposta.',
  alreadyDecided: 'CATP-ER1047 Proposta que já foi decidida, ou que não espera uma decisão.',
  memberMissing: 'CATP-ER1040 Falta um membro que um produto ativo precisa ter.',
});

export type CatalogueRule = keyof typeof CATALOGUE_CODES;

/**
 * Returns the problem of a violated rule. `path`: a pointer into the body, or the name of a parameter, with
 * which the message then begins. `null`: the whole body.
 */
export function violated(
  rule: CatalogueRule,
  path: string | null,
  sentence: string,
  about: Pick<Problem, 'about'> = {},
): Problem {
  const { code } = CATALOGUE_CODES[rule];
  if (path === null) return { code, message: sentence, field: null, path, ...about };
  const field = isPointer(path) ? memberOf(path) : path;
  const label = isPointer(path) ? lastMemberOf(path) : path;
  return { code, ...withLabel(label, sentence), field, path, ...about };
}

/** Throws 422 if there is a problem. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw unprocessable(problems);
}

/** Yields the repeated texts of a list, without their first occurrence. */
export function* repeats(texts: readonly string[]): Generator<readonly [index: number, text: string]> {
  if (texts.length < 2) return; // as in most lists
  const distinctTexts = new Set<string>();
  for (const [index, text] of texts.entries()) {
    if (distinctTexts.has(text)) yield [index, text];
    distinctTexts.add(text);
  }
}

/** Versions that were moved in with high numbers can exhaust them. */
export function versionProblems(number: VersionNumber): Problem[] {
  if (hasText(number)) return [];
  const message = `A próxima versão seria ${versionText(number)}, que não cabe em 8 caracteres; inclua um novo registro.`;
  return [violated('numbersUsedUp', null, message)];
}

/** Place of a reference day: a URL parameter of an operation, or a member of an item. */
export type DayPlace = 'dataReferencia' | '/dataReferencia';

/** Refuses a reference day in the future. */
export function referenceProblems(
  dataReferencia: string | undefined,
  today: string,
  path: DayPlace,
): Problem[] {
  if (dataReferencia === undefined || dataReferencia <= today) return [];
  const message = `recebido ${formatValue(dataReferencia)}; aceita até hoje, ${today}.`;
  return [violated('futureReference', path, message)];
}
