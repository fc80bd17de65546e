/** Defines the operations of imports (contract section 7). */
import type { TSchema } from '@sinclair/typebox';
import { JSON_TYPE } from '../../http/answers.ts';
import { readJson } from '../../http/body.ts';
import type { Clock } from '../../clock.ts';
import type { Reads } from '../../reading/pool.ts';
import type { QuotaOwner } from '../../fair-shares.ts';
import { ACCEPTED, type Operation, accepted, ok, operationsIn } from '../../http/operation.ts';
import { type AlsoWrite, type Idempotency, KEY_HEADER } from '../../idempotency/service.ts';
import { choice, limitOf } from '../../validation/forms.ts';
import { arrayText, streamOf } from '../../reading/stream.ts';
import type { Caller } from '../../session/model.ts';
import { type CatalogueRules, companySchema } from '../../validation/company.ts';
import { catalogueAccess } from '../access.ts';
import { tableOperations } from '../table-operations.ts';
import { ITEM_OUTCOMES, ImportForm, ImportId, ImportProgress, ImportStarted, Sha256 } from './model.ts';
import { ImportResult } from './result-form.ts';
import { expectedIn } from '../brake.ts';
import { type ImportService, requireImporter } from './service.ts';
import type { ImportTableRead } from './table.ts';
import {
  type SheetUpload,
  type Upload,
  type UploadParts,
  type UploadedFile,
  type ZipContentKind,
  isMultipart,
  receiveUpload,
} from './upload.ts';
import { t } from '../../validation/type.ts';

/** Starts imports of spreadsheets, from a stored sheet or from a file of the request. */
export interface SheetStarter {
  /** The schema of the body of `start`. */
  readonly schema: TSchema;
  start(caller: Caller, quotaOwner: QuotaOwner, body: unknown, alsoWrite?: AlsoWrite): Promise<number>;
  startUpload(
    caller: Caller,
    quotaOwner: QuotaOwner,
    fields: SheetUpload & { readonly cpfCnpjRaiz: string },
    upload: Upload<unknown>,
    alsoWrite?: AlsoWrite,
  ): Promise<number>;
  /** Returns what a zip of files holds. `undefined`: it is no such zip. */
  contentKind(upload: UploadedFile): Promise<ZipContentKind | undefined>;
  /** Imports the sheets and JSON members of a zip. */
  startZip(
    caller: Caller,
    quotaOwner: QuotaOwner,
    fields: SheetUpload,
    upload: Upload<unknown>,
    alsoWrite?: AlsoWrite,
  ): Promise<number>;
}

export interface ImportRoutesParts extends UploadParts {
  readonly imports: ImportService;
  readonly reads: Reads<ImportTableRead>;
  readonly clock: Clock;
  readonly sheets: SheetStarter;
  readonly rules: CatalogueRules;
  readonly idempotency: Idempotency;
}

/** Maximum bytes of the JSON that describes how a sheet is imported. */
const ORDER_MAX_BYTES = 2 * 1024 * 1024;

const PATH = '/appliance/api/imports';
const SECTION = { tag: 'Importações', source: 'contract, section 7' } as const;
const operation = operationsIn(SECTION);

const Id = t.Object({ id: ImportId });
const OutcomeOf = t.Optional(choice(ITEM_OUTCOMES, 'Só os itens que terminaram assim.'));
const LIST_MAX = 1000;
const LIST_DEFAULT = 100;
/** The highest `limit` of results. Without a `limit`, the answer has all of them. */
const RESULTS_MAX = 10_000;

export function importRoutes(parts: ImportRoutesParts): Operation<Caller>[] {
  const { imports, sheets, rules, reads, clock, idempotency } = parts;
  return [
    operation('POST', PATH, {
      id: 'startImport',
      right: 'leitura',
      summary: 'Importa um arquivo JSON ou zip, ou uma planilha',
      description:
        'O arquivo é recebido por inteiro e a importação segue por si, também depois de um reinício; acompanhe-a pelo id. Um item recusado não impede os outros; de um arquivo que não pode ser lido até o fim nada é aplicado. Na simulação cada item é julgado contra o catálogo como ele está, sem o que itens anteriores do mesmo arquivo mudariam. De uma planilha, com cpfCnpjRaiz e o que planilha diz; ou em JSON, de uma que foi enviada antes (sheet) ou de uma simulação que agora é gravada (from): uma coluna que não há nada muda, nem uma célula vazia. O que desativaria mais que o maior de 10 e 5 % dos registros ativos, ou faria da maioria das linhas outros produtos, é recusado antes de começar (422 APPL-ER0451, APPL-ER0450) até que expected diga quantos são.',
      body: ImportForm,
      bodyForm: 'raw',
      accepts: ['multipart/form-data', 'application/json'],
      jsonBody: sheets.schema,
      success: ImportStarted,
      successStatus: ACCEPTED,
      guard: requireImporter,
      headers: KEY_HEADER,
      handle: async ({ caller, quotaOwner, request }) => {
        const find = (id: number) => imports.find(caller, id);
        const repeatable = { caller, request, find };
        if (!isMultipart(request)) {
          const body = await readJson(request, { limit: ORDER_MAX_BYTES, optional: false });
          const content = ['startImport', body];
          const id = await idempotency.once({ ...repeatable, content }, (alsoWrite) =>
            sheets.start(caller, quotaOwner, body, alsoWrite),
          );
          return accepted({ id });
        }
        using arriving = parts.waiting.begin(caller);
        const upload = await receiveUpload(parts, arriving, request, ImportForm);
        const { fields, fileName, storedFile, sha256 } = upload;
        const content = ['startImport', fields, fileName, sha256];
        const discard = () => parts.folder.remove(storedFile);
        const { tipo, modo = 'lote', simular, cpfCnpjRaiz, planilha, expected } = fields;
        const sheetFields = { cpfCnpjRaiz, tipo, planilha, simular: simular === 'true', expected };
        const contentKind = await sheets.contentKind(upload);
        if (modo === 'lote' && contentKind === 'sheets') {
          const id = await idempotency.once({ ...repeatable, content, discard }, (alsoWrite) =>
            sheets.startZip(caller, quotaOwner, sheetFields, upload, alsoWrite),
          );
          return accepted({ id });
        }
        if (cpfCnpjRaiz !== undefined && contentKind === undefined) {
          const id = await idempotency.once({ ...repeatable, content, discard }, (alsoWrite) =>
            sheets.startUpload(caller, quotaOwner, { ...sheetFields, cpfCnpjRaiz }, upload, alsoWrite),
          );
          return accepted({ id });
        }
        const importRequest = {
          kind: 'arquivo',
          tipo,
          modo,
          simular: simular === 'true',
          pedido: null,
          company: null,
        } as const;
        const file = { ...importRequest, fileName, storedFile, sha256 };
        const id = await idempotency.once({ ...repeatable, content, discard }, (alsoWrite) =>
          imports.startFile(caller, file, expectedIn(expected), alsoWrite),
        );
        return accepted({ id });
      },
    }),

    operation('GET', PATH, {
      id: 'listImports',
      summary: 'Lista as importações, da mais nova para a mais antiga',
      description:
        'As próprias e, de outros usuários, as que só têm itens de uma empresa que o usuário logado representa. Com cpfCnpjRaiz, só as dessa empresa, e as próprias que não são de uma só: com itens de várias, ou cujo arquivo ainda não foi lido ou não pôde ser.',
      query: t.Object({
        limit: t.Optional(limitOf('Quantas importações, no máximo.', LIST_MAX, LIST_DEFAULT)),
        sha256: t.Optional(Sha256),
        cpfCnpjRaiz: t.Optional(companySchema(rules)),
      }),
      success: t.Array(ImportProgress),
      guard: catalogueAccess(rules).readsQueryCompany,
      handle: ({ caller, query: { limit = LIST_DEFAULT, sha256, cpfCnpjRaiz } }) =>
        ok(imports.list(caller, limit, sha256, cpfCnpjRaiz)),
    }),

    operation('GET', `${PATH}/:id`, {
      id: 'getImport',
      summary: 'Mostra o andamento de uma importação',
      params: Id,
      success: ImportProgress,
      handle: ({ caller, params }) => ok(imports.get(caller, params.id)),
    }),

    operation('GET', `${PATH}/:id/results`, {
      id: 'listImportResults',
      summary: 'Mostra o resultado de cada item já julgado, na ordem do arquivo',
      params: Id,
      query: t.Object({
        outcome: OutcomeOf,
        limit: t.Optional(
          t.Integer({
            minimum: 1,
            maximum: RESULTS_MAX,
            description: 'Quantos itens, no máximo; sem ele, todos.',
          }),
        ),
        after: t.Optional(
          t.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'Só os itens depois deste: o index do último que foi visto.',
          }),
        ),
        others: t.Optional(
          t.Boolean({
            description:
              'true: só os que fazem de um registro outro: outra denominação ou NCM de um produto, outro nome ou país de um operador, onde já havia um. De outro outcome que newVersion não há nenhum.',
          }),
        ),
      }),
      success: t.Array(ImportResult),
      handle: ({ caller, params, query }) => ({
        headers: { 'Content-Type': JSON_TYPE },
        content: streamOf(
          arrayText(
            query.others === true
              ? imports.others(caller, params.id, query)
              : imports.results(caller, params.id, query),
          ),
        ),
      }),
    }),

    ...tableOperations({
      ...SECTION,
      path: `${PATH}/:id/results`,
      subject: 'o resultado de cada item, com os códigos internos',
      params: Id,
      query: t.Object({ outcome: OutcomeOf }),
      reads,
      clock,
      csv: { id: 'downloadImportResultsCsv' },
      xlsx: { id: 'downloadImportResultsXlsx' },
      nameOf: ({ caller, params }) => `importacao_${imports.find(caller, params.id).id}`,
      readOf: ({ params: { id }, query: { outcome } }) => ({ kind: 'importTable', id, outcome }) as const,
    }),

    operation('GET', `${PATH}/:id/errors.csv`, {
      id: 'downloadImportErrors',
      summary: 'Baixa os erros dos itens recusados, um por linha',
      params: Id,
      produces: 'text/csv',
      handle: ({ caller, params }) => ({
        headers: {
          'Content-Type': 'text/csv; charset=utf-8',
          'Content-Disposition': `attachment; filename="importacao_${params.id}_errors.csv"`,
        },
        content: streamOf(imports.errorsCsv(caller, params.id)),
      }),
    }),

    operation('DELETE', `${PATH}/:id/results`, {
      id: 'forgetImportResults',
      right: 'leitura',
      summary: 'Apaga os resultados dos itens de uma importação que terminou',
      description:
        'Os nomes e motivos guardados de cada item são apagados; os números da importação permanecem. É de quem a pediu, ou de um administrador. Enquanto ela não terminou, é recusado.',
      params: Id,
      otherSuccess: [204],
      handle: ({ caller, params }) => imports.forget(caller, params.id),
    }),

    operation('DELETE', `${PATH}/:id`, {
      id: 'cancelImport',
      right: 'leitura',
      summary: 'Cancela uma importação',
      description:
        'O que já foi aplicado permanece e o resto do arquivo é deixado de lado. Uma importação que já terminou fica como está.',
      params: Id,
      otherSuccess: [204],
      handle: ({ caller, params }) => imports.cancel(caller, params.id),
    }),
  ];
}
