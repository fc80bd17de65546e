/** Defines the operations of spreadsheets (contract section 24). */
import type { Clock } from '../../clock.ts';
import { ACCEPTED, type Operation, accepted, ok, operationsIn } from '../../http/operation.ts';
import { type Idempotency, KEY_HEADER } from '../../idempotency/service.ts';
import type { Reads } from '../../reading/pool.ts';
import type { Caller } from '../../session/model.ts';
import { XLSX_TYPE, xlsxAnswer } from '../../sheet/answers.ts';
import { type CatalogueRules, companySchema } from '../../validation/company.ts';
import { requireImporter } from '../import/service.ts';
import { type UploadParts, receiveUpload } from '../import/upload.ts';
import { ImportId, ImportStarted } from '../import/model.ts';
import { Corrections } from './corrections.ts';
import type { FailedRowsRead } from './failed.ts';
import type { SheetImports } from './imports.ts';
import { HeaderRow, SheetsInFile, SheetForm, SheetId, SheetTipo, TableIndex } from './model.ts';
import type { SheetService } from './service.ts';
import { t } from '../../validation/type.ts';

export interface SheetRoutesParts extends UploadParts {
  readonly sheets: SheetService;
  readonly imports: SheetImports;
  /** Corrects bulk changes of products, which have no sheet. */
  readonly changes: Pick<SheetImports, 'correct'>;
  readonly reads: Reads<FailedRowsRead>;
  readonly clock: Clock;
  readonly rules: CatalogueRules;
  readonly idempotency: Idempotency;
}

const PATH = '/appliance/api/sheets';
const IMPORTS = '/appliance/api/imports';
const operation = operationsIn({ tag: 'Planilhas', source: 'contract, section 24' });
const CREATED = 201;

export function sheetRoutes(parts: SheetRoutesParts): Operation<Caller>[] {
  const { sheets, imports, changes, rules, reads, clock, idempotency } = parts;
  return [
    operation('POST', PATH, {
      id: 'sendSheet',
      right: 'leitura',
      summary: 'Envia uma planilha e mostra o que há nela',
      description:
        'XLSX ou CSV, até 50 MiB; 200.000 linhas e 16.384 colunas por planilha, 100 planilhas, 32.767 caracteres por célula e 500.000 por linha, 10 milhões de células e 500 milhões de caracteres ao todo. De cada coluna vem para onde seus valores parecem ir, e por quê; nada é importado. Das enviadas ficam guardadas as últimas 20 de cada usuário, por até uma hora; importe-a com POST /appliance/api/imports e o id dela.',
      query: t.Object({ cpfCnpjRaiz: companySchema(rules), tipo: SheetTipo }),
      body: SheetForm,
      bodyForm: 'raw',
      accepts: ['multipart/form-data'],
      success: SheetsInFile,
      successStatus: CREATED,
      guard: requireImporter,
      handle: async ({ caller, quotaOwner, query, request }) => {
        const { cpfCnpjRaiz, tipo } = query;
        using arriving = parts.waiting.begin(caller);
        const upload = await receiveUpload(parts, arriving, request, SheetForm);
        return { ...ok(await sheets.add(caller, quotaOwner, cpfCnpjRaiz, tipo, upload)), status: CREATED };
      },
    }),

    operation('DELETE', `${PATH}/choices`, {
      id: 'forgetSheetChoices',
      right: 'preenchimento',
      summary: 'Esquece o que pessoas da empresa escolheram para colunas de planilhas',
      description:
        'O que alguém pôs em mapping e values é lembrado para a próxima planilha da empresa e do tipo que tenha a mesma coluna; daqui em diante as colunas vão para onde seus nomes dizem.',
      query: t.Object({ cpfCnpjRaiz: companySchema(rules), tipo: SheetTipo }),
      guard: requireImporter,
      handle: ({ caller, query }) => sheets.forgetChoices(caller, query.cpfCnpjRaiz, query.tipo),
    }),

    operation('GET', `${PATH}/:id`, {
      id: 'getSheet',
      summary: 'Olha de novo uma planilha enviada',
      description:
        'Com table só essa planilha do arquivo; com headerRow a linha do cabeçalho é essa, e as colunas são adivinhadas de novo.',
      params: t.Object({ id: SheetId }),
      query: t.Object({ table: t.Optional(TableIndex), headerRow: t.Optional(HeaderRow) }),
      success: SheetsInFile,
      handle: async ({ caller, quotaOwner, params, query }) =>
        ok(await sheets.summarize(caller, quotaOwner, params.id, query)),
    }),

    operation('POST', `${IMPORTS}/:id/corrections`, {
      id: 'correctImport',
      right: 'leitura',
      summary: 'Importa de novo as linhas que falharam, com valores corrigidos',
      description:
        'De uma importação de planilha ou de uma alteração de vários produtos que terminou. De cada linha com erro fica o que a planilha trazia, com os valores de set; sem nenhum, as linhas são importadas como estavam. De uma alteração voltam os produtos que falharam, com o mesmo pedido e os valores de set, sem rows. De uma simulação a outra (simular) vão também as linhas sem erro, que nada gravou: from grava todas. É outra importação, que pode ser corrigida do mesmo modo.',
      params: t.Object({ id: ImportId }),
      body: Corrections,
      success: ImportStarted,
      successStatus: ACCEPTED,
      guard: requireImporter,
      headers: KEY_HEADER,
      handle: async ({ caller, params, body, request }) => {
        const find = (importId: number) => imports.find(caller, importId);
        const corrected = find(params.id).changesMany === true ? changes : imports;
        const content = ['correctImport', params.id, body];
        const id = await idempotency.once({ caller, request, content, find }, (alsoWrite) =>
          corrected.correct(caller, params.id, body, alsoWrite),
        );
        return accepted({ id });
      },
    }),

    operation('GET', `${IMPORTS}/:id/failed.xlsx`, {
      id: 'downloadFailedRows',
      summary: 'Baixa em XLSX as linhas da planilha que falharam, com o motivo de cada uma',
      description:
        'As colunas são as da planilha enviada, e as células como vieram; as erradas são marcadas, e o motivo está na última coluna. Corrigida, é enviada como outra planilha.',
      params: t.Object({ id: ImportId }),
      produces: XLSX_TYPE,
      handle: ({ caller, quotaOwner, params }) => {
        const read = imports.failedRows(caller, params.id);
        return xlsxAnswer(reads, quotaOwner, `importacao_${params.id}_corrigir`, read, clock.now());
      },
    }),
  ];
}
