/** Defines the download of templates (contract section 24). */
import { csvOf } from '../../../files/csv.ts';
import { type Operation, operationsIn } from '../../../http/operation.ts';
import { streamOf } from '../../../reading/stream.ts';
import type { Caller } from '../../../session/model.ts';
import { CSV_TYPE, XLSX_TYPE, downloadHeaders } from '../../../sheet/answers.ts';
import { formXlsx } from '../../../sheet/form.ts';
import { choice } from '../../../validation/forms.ts';
import { Ncm, modalidadesOf } from '../../product/model.ts';
import { SheetTipo } from '../model.ts';
import { type TemplateParts, templateOf } from './template.ts';
import { t } from '../../../validation/type.ts';

const PATH = '/appliance/api/sheets/template';
const operation = operationsIn({ tag: 'Planilhas', source: 'contract, section 24' });

export function templateRoutes(parts: TemplateParts): Operation<Caller>[] {
  const query = t.Object({
    tipo: t.Optional({ ...SheetTipo, default: 'produto' }),
    ncm: t.Optional({
      ...Ncm,
      description: 'De produtos: uma coluna para cada atributo desta NCM na tabela em vigor.',
    }),
    modalidade: t.Optional(
      choice(
        modalidadesOf(parts.rules),
        'De produtos: só os atributos desta modalidade; sem ela, os de todas.',
      ),
    ),
  });
  return [
    operation('GET', `${PATH}.xlsx`, {
      id: 'downloadSheetTemplate',
      summary: 'Baixa em XLSX um modelo de planilha a preencher',
      description:
        'A primeira planilha só tem os títulos, os obrigatórios destacados, com o que cada coluna pede e listas de que escolher; outras trazem uma linha de exemplo e o que cada coluna pede. Preenchida e enviada, só a primeira é lida.',
      query,
      produces: XLSX_TYPE,
      handle: async ({ query: template }) => {
        const { name, fileName, columns } = templateOf(parts, template);
        return {
          headers: downloadHeaders(`${fileName}.xlsx`, XLSX_TYPE),
          content: await formXlsx(name, columns, parts.clock.now()),
        };
      },
    }),

    operation('GET', `${PATH}.csv`, {
      id: 'downloadSheetTemplateCsv',
      summary: 'Baixa em CSV um modelo de planilha, com uma linha de exemplo',
      query,
      produces: 'text/csv',
      handle: ({ query: template }) => {
        const { fileName, columns } = templateOf(parts, template);
        const headings = columns.map(({ heading }) => heading);
        const rows = [columns.map(({ example }) => example)];
        return {
          headers: downloadHeaders(`${fileName}.csv`, CSV_TYPE),
          content: streamOf(csvOf(headings, rows)),
        };
      },
    }),
  ];
}
