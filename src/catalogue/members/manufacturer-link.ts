/**
 * Members of a link between a product and its manufacturer (contract section 4), in the order of the batch
 * form.
 */
import { CONTENT, type MemberTable } from './member.ts';

export const LINK = {
  seq: { kind: 'number', forms: ['list', 'item'], heading: 'Item' },
  cpfCnpjRaiz: {
    kind: 'company',
    forms: ['response', 'list', 'item'],
    heading: 'CPF/CNPJ raiz',
    required: 'always',
  },
  codigoProduto: {
    kind: 'number',
    forms: CONTENT,
    heading: 'Produto',
    required: 'always',
  },
  conhecido: {
    kind: 'boolean',
    forms: CONTENT,
    heading: 'Conhecido',
    required: 'always',
    description: 'true: o fabricante ou produtor é conhecido.',
  },
  codigoPais: {
    kind: 'country',
    forms: CONTENT,
    heading: 'País',
    required: 'always',
    example: 'DE',
  },
  codigoOperadorEstrangeiro: {
    kind: 'code',
    forms: CONTENT,
    heading: 'Operador estrangeiro',
    max: 35,
    description: 'Operador estrangeiro, quando conhecido no exterior.',
    example: 'OPE_1',
  },
  cpfCnpjFabricante: {
    kind: 'code',
    forms: CONTENT,
    heading: 'CPF/CNPJ do fabricante',
    max: 14,
    description: 'Fabricante, quando conhecido no Brasil.',
    example: '12345678000195',
  },
  vincular: { kind: 'boolean', forms: ['list', 'item'], heading: 'Vincular' },
  dataReferencia: {
    kind: 'day',
    forms: ['list', 'item'],
    heading: 'Data de referência',
  },
} as const satisfies MemberTable;
