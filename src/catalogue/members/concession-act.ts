/** Members of a concession act that users write (contract section 4). */
import { CONTENT, type MemberTable } from './member.ts';

export const ACT = {
  codigoProduto: { kind: 'number', forms: CONTENT, heading: 'Produto', required: 'always' },
  numeroAto: {
    kind: 'code',
    forms: CONTENT,
    heading: 'Número do ato',
    required: 'always',
    max: 14,
    description: 'Número do ato concessório.',
    example: '20260000001',
  },
  numeroItem: {
    kind: 'code',
    forms: CONTENT,
    heading: 'Item',
    required: 'always',
    max: 6,
    description: 'Número do item do ato.',
    example: '001',
  },
} as const satisfies MemberTable;
