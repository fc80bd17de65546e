/** Codes of the catalogue's business rules, CATP-ER10nn. Those of attributes (CATP-ER11nn) stand in attribute/codes.ts. */
import { type Problem, unprocessable } from '../errors.ts';
import { shown } from '../validation/shown.ts';
import { memberOf } from '../validation/pointer.ts';
import { type VersionNumber, hasText, versionText } from './version.ts';

export const CATALOGUE_CODES = {
  identicalProduct: { code: 'CATP-ER1001', meaning: 'Já existe produto ativo idêntico.' },
  repeatedInternalCode: { code: 'CATP-ER1002', meaning: 'Código interno repetido no mesmo registro.' },
  fixedByRectification: { code: 'CATP-ER1003', meaning: 'Membro que a retificação não pode mudar.' },
  futureReference: { code: 'CATP-ER1004', meaning: 'Data de referência posterior a hoje.' },
  draftNotRectifiable: { code: 'CATP-ER1005', meaning: 'Rascunho não pode ser retificado.' },
  notADraft: { code: 'CATP-ER1006', meaning: 'Produto já ativado não volta a rascunho.' },
  codeRequired: { code: 'CATP-ER1007', meaning: 'Operação em lote que exige o código do registro.' },
  repeatedSequence: { code: 'CATP-ER1009', meaning: 'Número de sequência repetido no lote.' },
  referenceNotAllowed: { code: 'CATP-ER1010', meaning: 'Data de referência que esta operação não aceita.' },
  unknownCountry: { code: 'CATP-ER1012', meaning: 'País que não existe na ISO 3166-1.' },
  unknownSubdivision: { code: 'CATP-ER1013', meaning: 'Subdivisão que não existe ou é de outro país.' },
  repeatedTin: { code: 'CATP-ER1014', meaning: 'TIN de outro operador ativo da empresa.' },
  inactiveProduct: { code: 'CATP-ER1015', meaning: 'Produto inexistente ou desativado.' },
  manufacturerOnly: { code: 'CATP-ER1016', meaning: 'Fabricante conhecido no Brasil: só o CPF/CNPJ.' },
  operatorRequired: {
    code: 'CATP-ER1017',
    meaning: 'Fabricante conhecido no exterior: só um operador ativo do país.',
  },
  unknownManufacturerOnly: {
    code: 'CATP-ER1018',
    meaning: 'Fabricante desconhecido: nem operador nem CPF/CNPJ.',
  },
  repeatedLink: { code: 'CATP-ER1019', meaning: 'Vínculo que já existe.' },
  unknownLink: { code: 'CATP-ER1020', meaning: 'Vínculo que não existe.' },
  wrongCheckDigits: { code: 'CATP-ER1021', meaning: 'Dígitos verificadores que não conferem.' },
  otherContent: { code: 'CATP-ER1022', meaning: 'Versão já guardada com outro conteúdo (modo espelho).' },
  mirrorNeedsNumbers: { code: 'CATP-ER1023', meaning: 'Modo espelho: código e versão são exigidos.' },
  olderVersion: { code: 'CATP-ER1024', meaning: 'Modo espelho: versão anterior à já guardada.' },
  numbersUsedUp: {
    code: 'CATP-ER1025',
    meaning: 'Não há mais números de versão ou de produto no tamanho aceito.',
  },
  tooFewNumbers: {
    code: 'CATP-ER1026',
    meaning: 'Modo espelho: versão que deixa números de menos para as próximas.',
  },
  changedSince: { code: 'CATP-ER1027', meaning: 'Registro que mudou depois da simulação.' },
  notADryRun: { code: 'CATP-ER1028', meaning: 'Só uma simulação que terminou pode ser gravada.' },
  tooManyDeactivations: {
    code: 'CATP-ER1029',
    meaning: 'Mais desativações do que se esperava; o número exato confirma.',
  },
  tooManyColumns: { code: 'CATP-ER1030', meaning: 'Tabela com mais colunas do que uma planilha tem.' },
  repeatedKey: { code: 'CATP-ER1032', meaning: 'Linha de planilha com a chave de outra.' },
  unknownKey: {
    code: 'CATP-ER1033',
    meaning: 'Linha de planilha com o código de um registro que não existe.',
  },
  severalRecords: { code: 'CATP-ER1034', meaning: 'Linha de planilha cuja chave é de vários registros.' },
  otherCompany: { code: 'CATP-ER1035', meaning: 'Linha de planilha de outra empresa.' },
  changesBesideDeactivation: {
    code: 'CATP-ER1036',
    meaning: 'Linha de planilha que desativa um registro e muda outra coisa.',
  },
  unreadableSheet: { code: 'CATP-ER1031', meaning: 'Arquivo que não pode ser lido como planilha.' },
} as const;

export type CatalogueRule = keyof typeof CATALOGUE_CODES;

/** A violated rule of the catalogue; `path` is a pointer into the body, or the name of a parameter. */
export function violated(
  rule: CatalogueRule,
  path: string | null,
  message: string,
  about: Pick<Problem, 'about'> = {},
): Problem {
  const field = path?.startsWith('/') === true ? memberOf(path) : path;
  return { code: CATALOGUE_CODES[rule].code, message, field, path, ...about };
}

/** Throws 422 where there is a problem. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw unprocessable(problems);
}

/** The second and later texts of a list that stood there before. */
export function* repeats(texts: readonly string[]): Generator<readonly [index: number, text: string]> {
  const seen = new Set<string>();
  for (const [index, text] of texts.entries()) {
    if (seen.has(text)) yield [index, text];
    seen.add(text);
  }
}

/** Versions that were moved here with high numbers can use them up. */
export function versionProblems(number: VersionNumber): Problem[] {
  if (hasText(number)) return [];
  const message = `A próxima versão seria ${versionText(number)}, que não cabe em 8 caracteres; inclua um novo registro.`;
  return [violated('numbersUsedUp', null, message)];
}

/** Where a reference day stands: it is a part of the address of an operation, or a member of an item. */
export type DayPlace = 'dataReferencia' | '/dataReferencia';

/** A reference day may not lie in the future. */
export function referenceProblems(
  dataReferencia: string | undefined,
  today: string,
  path: DayPlace,
): Problem[] {
  if (dataReferencia === undefined || dataReferencia <= today) return [];
  const message = `dataReferencia: recebido ${shown(dataReferencia)}; aceita até hoje, ${today}.`;
  return [violated('futureReference', path, message)];
}
