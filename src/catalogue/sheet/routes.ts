/** The operations of spreadsheets (contract section 24). */
import { Type as t } from '@sinclair/typebox';
import { type Operation, ok, operation } from '../../http/operation.ts';
import type { Caller } from '../../session/model.ts';
import { type CatalogueRules, companySchema } from '../../validation/company.ts';
import { requireWriter } from '../import/service.ts';
import { type UploadParts, receiveUpload } from '../import/upload.ts';
import { HeaderRow, Looked, SheetForm, SheetId, SheetTipo, TableIndex } from './model.ts';
import type { SheetService } from './service.ts';

export interface SheetRoutesParts extends UploadParts {
  readonly sheets: SheetService;
  readonly rules: CatalogueRules;
}

const PATH = '/appliance/api/sheets';
const SECTION = { tag: 'Planilhas', source: 'contract, section 24' } as const;
const CREATED = 201;

export function sheetRoutes(parts: SheetRoutesParts): Operation<Caller>[] {
  const { sheets, rules } = parts;
  return [
    operation('POST', PATH, {
      ...SECTION,
      id: 'sendSheet',
      summary: 'Envia uma planilha e mostra o que há nela',
      description:
        'XLSX ou CSV, até 50 MiB e 200.000 linhas. De cada coluna vem para onde seus valores parecem ir, e por quê; nada é importado. A planilha fica guardada por uma hora, para quem a enviou; importe-a com POST /appliance/api/imports e o id dela.',
      query: t.Object({ cpfCnpjRaiz: companySchema(rules), tipo: SheetTipo }),
      body: SheetForm,
      bodyForm: 'raw',
      accepts: ['multipart/form-data'],
      success: Looked,
      successStatus: CREATED,
      guard: requireWriter,
      handle: async ({ caller, holder, query, request }) => {
        const { cpfCnpjRaiz, tipo } = query;
        const upload = await receiveUpload(parts, request, SheetForm);
        return { ...ok(await sheets.add(caller, holder, cpfCnpjRaiz, tipo, upload)), status: CREATED };
      },
    }),

    operation('GET', `${PATH}/:id`, {
      ...SECTION,
      id: 'getSheet',
      summary: 'Olha de novo uma planilha enviada',
      description:
        'Com table só essa planilha do arquivo; com headerRow a linha do cabeçalho é essa, e as colunas são adivinhadas de novo.',
      params: t.Object({ id: SheetId }),
      query: t.Object({ table: t.Optional(TableIndex), headerRow: t.Optional(HeaderRow) }),
      success: Looked,
      handle: async ({ caller, holder, params, query }) =>
        ok(await sheets.look(caller, holder, params.id, query)),
    }),
  ];
}
