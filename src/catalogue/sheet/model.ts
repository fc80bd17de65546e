/**
 * Defines spreadsheets on the wire (contract section 24): the form of an upload, and the content found in a
 * file.
 */
import { choice, form, idOf, nullable, text } from '../../validation/forms.ts';
import { GUESS_REASONS } from '../../sheet/model.ts';
import { IMPORT_KINDS } from '../import/model.ts';
import { t } from '../../validation/type.ts';

export const SheetId = idOf('Identificador da planilha enviada.');

export const SheetTipo = choice(IMPORT_KINDS, 'O que as linhas são.');

export const SheetForm = t.Object(
  { file: t.String({ format: 'binary', description: 'Um XLSX ou um CSV, até 50 MiB.' }) },
  {
    additionalProperties: false,
    'x-form': 'SheetRequest',
    description: 'A planilha.',
    examples: [{ file: 'produtos.csv' }],
  },
);

const ROW_MAX = 1_048_576;
export const TableIndex = t.Integer({
  minimum: 0,
  maximum: 9999,
  description: 'Qual das planilhas do arquivo, a partir de 0.',
});
export const HeaderRow = t.Integer({
  minimum: 1,
  maximum: ROW_MAX,
  description: 'Linha em que estão os nomes das colunas, a partir de 1.',
});

const Meaning = form('SheetValueMeaning', 'O que um valor da coluna quer dizer.', {
  value: text('O valor, como a planilha o tem.', 'compra'),
  meaning: text('O que fica em seu lugar.', 'Importação'),
});

/** Maximum meanings in the answer for one column. */
export const MEANINGS_MAX = 20;

const Column = form('SheetColumn', 'Uma coluna, e para onde seus valores vão; null: para nada.', {
  index: t.Integer({ minimum: 0, description: 'Posição da coluna, a partir de 0.' }),
  heading: t.String({ description: 'Como a planilha a chama; vazio onde não há nome.' }),
  samples: t.Array(t.String(), { description: 'Até três valores diferentes.' }),
  target: nullable(
    t.String({
      description: 'Um membro, atributo:CÓDIGO, atributo:CÓDIGO/SUBCÓDIGO ou atributo-nome:NOME.',
    }),
    { examples: ['denominacao'] },
  ),
  because: choice(
    GUESS_REASONS,
    'nome: é o nome do catálogo; escolha: alguém a escolheu antes; palpite: parece ser; repetida: outra coluna já vai para lá; desconhecida.',
  ),
  meanings: t.Array(Meaning, {
    description: `O que é lembrado de correções e de ordens de antes para os valores desta coluna, se ela for para target; até ${MEANINGS_MAX}.`,
  }),
  sure: t.Boolean({ description: 'false: só os valores dizem para onde ela vai.' }),
});

const Target = form('SheetTarget', 'O que uma coluna pode ser.', {
  target: text('Um membro ou um atributo.', 'ncm'),
  heading: text('Como as pessoas o chamam.', 'NCM'),
  isRequired: t.Boolean({ description: 'Se sem ele nenhuma linha inclui um registro novo.' }),
});

const LookedSheet = form('LookedSheet', 'Uma planilha do arquivo, com linhas abaixo de um cabeçalho.', {
  table: TableIndex,
  name: t.String({ description: 'Nome da planilha no arquivo; vazio em um CSV.' }),
  rows: t.Integer({ minimum: 0, description: 'Linhas abaixo do cabeçalho que não estão vazias.' }),
  headerRow: HeaderRow,
  columns: t.Array(Column, { description: 'As que têm nome ou valores.' }),
  seems: nullable(SheetTipo, {
    description: 'O que as linhas parecem ser, pelos nomes das colunas; null onde eles não dizem.',
    examples: ['produto'],
  }),
  targets: t.Array(Target, {
    description: 'O que uma coluna pode ser: os membros, e os atributos das NCMs da planilha.',
  }),
});

export const SheetsInFile = form('Sheets', 'O que há em um arquivo de planilhas.', {
  id: SheetId,
  table: { ...TableIndex, description: 'A que é importada quando nenhuma é dita.' },
  sheets: t.Array(LookedSheet, { description: 'As que têm linhas, as ocultas por último.' }),
});

/** Meanings of received values of a column. */
export interface RememberedMeanings {
  /** The key made by `headingKey`. */
  readonly heading: string;
  readonly target: string;
  readonly values: Readonly<Record<string, string>>;
}
