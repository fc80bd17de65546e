/** Defines the result of one item on the wire (contract section 7). */
import { About } from '../../http/error-forms.ts';
import { choice, form, notRecordedOf, nullable, text, integerForm } from '../../validation/forms.ts';
import { MemberChange } from '../record.ts';
import { ERRORS_KEPT, ITEM_OUTCOMES } from './model.ts';
import { t } from '../../validation/type.ts';

const ImportProblem = form('ImportProblem', 'Um problema de um item recusado.', {
  path: text('Ponteiro RFC 6901 dentro do item; vazio quando é o item inteiro.', '/ncm'),
  message: t.String({ description: 'O que foi recebido, o que é aceito, o que fazer.' }),
  code: text('Código da regra.', 'PUCX-ER0010'),
  cell: t.Optional(text('De uma planilha: a célula.', 'H17')),
  heading: t.Optional(t.String({ description: 'De uma planilha: como ela chama a coluna.' })),
  member: t.Optional(text('De uma planilha: para onde a coluna vai.', 'ncm')),
  about: t.Optional(About),
  label: t.Optional(text('Nome do membro com que message começa.', 'ncm')),
});

const ImportNotice = form('ImportNotice', 'O que foi deixado de lado de um item.', {
  path: text('Ponteiro RFC 6901 dentro do item.', '/unidade'),
  message: t.String({ description: 'O que foi deixado de lado.' }),
});

/** The result of one item. */
export const ImportResult = form('ImportResult', 'O que foi feito de um item do arquivo.', {
  index: t.Integer({ minimum: 0, description: 'Posição no arquivo, a partir de 0.' }),
  seq: nullable(integerForm('Número que o item traz; null onde não traz.', 1)),
  codigo: nullable(t.String({ description: 'Código decimal sem zeros à esquerda.' })),
  versao: nullable(text('Versão gravada; null em caso de erro.', '1')),
  outcome: choice(ITEM_OUTCOMES, 'O que o item fez; em uma simulação, o que faria.'),
  errors: t.Array(t.String(), { description: 'Por que o item foi recusado.' }),
  name: nullable(
    text(
      'denominacao do produto, nome do operador ou codigoProduto do vínculo ou ato, como recebido; null onde falta. Os longos são cortados.',
      'Parafuso sextavado',
    ),
  ),
  codigosInterno: t.Array(t.String(), {
    description: 'Os códigos internos que o item traz, por que um ERP o conhece.',
    examples: [['ERP-1']],
  }),
  file: text('Nome do arquivo enviado; de um zip, o do arquivo dentro dele.', 'produtos.json'),
  row: t.Optional(t.Integer({ minimum: 1, description: 'De uma planilha: a linha, como ela a mostra.' })),
  line: t.Integer({ minimum: 1, description: 'Linha desse arquivo em que o item começa, a partir de 1.' }),
  problems: t.Array(ImportProblem, {
    description: `O mesmo que errors, com o lugar e o código de cada problema; até ${ERRORS_KEPT}.`,
  }),
  notices: t.Array(ImportNotice, {
    description: `Os membros desconhecidos que foram deixados de lado; até ${ERRORS_KEPT}.`,
  }),
  changes: t.Array(MemberChange, {
    description:
      'O que o item mudou; em uma simulação, o que mudaria. De planilhas, alterações, registros trazidos e simulações; de itens gravados de um arquivo JSON não é registrado.',
  }),
  notRecorded: notRecordedOf(['codigosInterno', 'notices', 'changes']),
});
