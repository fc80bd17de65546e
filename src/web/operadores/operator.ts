/** A foreign operator as the API hands it out (contract section 4), its addresses and its words. */
import { OPERATOR, OPERATOR_READING, type OperatorMember } from '../../catalogue/members/foreign-operator.ts';
import { type ContentName, type Member, isContent } from '../../catalogue/members/member.ts';
import type { ForeignOperator } from '../api/answers.ts';
import { queryOf } from '../api/client.ts';

type TextMember = 'codigoPais' | Exclude<ContentName<typeof OPERATOR>, 'identificacoesAdicionais'>;

export const OPERATOR_PAGES = '/appliance/api/foreign-operators';
export const OPERATORS = '/catp/api/ext/operador-estrangeiro';

/** Of a list or by itself: only the public list numbers its rows. */
export type Operator = Omit<ForeignOperator, 'seq'>;

type Key = Pick<Operator, 'cpfCnpjRaiz' | 'codigo'>;

export const addressOf = (
  { cpfCnpjRaiz, codigo }: Key,
  more: Readonly<Record<string, string>> = {},
): string => `/operadores/${cpfCnpjRaiz}/${encodeURIComponent(codigo)}${queryOf(more)}`;

/** Where a write about one operator goes; without `codigo`, an include. */
export const pathOf = (cpfCnpjRaiz: string, codigoPais: string, ...further: readonly string[]): string =>
  [OPERATORS, cpfCnpjRaiz, ...[codigoPais, ...further].map(encodeURIComponent)].join('/');

export const versionPathOf = (operator: Key & Pick<Operator, 'codigoPais'>, versao: string): string =>
  pathOf(operator.cpfCnpjRaiz, operator.codigoPais, operator.codigo, versao);

export const versionsPathOf = ({ cpfCnpjRaiz, codigo }: Key): string =>
  `${OPERATOR_PAGES}/${cpfCnpjRaiz}/${encodeURIComponent(codigo)}/versions`;

/** The texts of an operator, in the order in which they are shown. */
export const TEXTS = OPERATOR_READING.filter(
  (name): name is TextMember => name === 'codigoPais' || isContent(OPERATOR[name]),
);

export const isRequired = (name: TextMember): boolean => (OPERATOR[name] as Member).required === 'always';

const IDENTIFICATION = { numero: 'número', codigo: 'agência' } as const;

/** What people call a place of an operator: `identificacoesAdicionais/0/numero` is "Identificação 1, número". */
export function memberName(place: string): string {
  const [member = '', index, part] = place.split('/');
  if (member === 'identificacoesAdicionais')
    return `Identificação ${Number(index) + 1}, ${IDENTIFICATION[part as keyof typeof IDENTIFICATION] ?? part}`; // another part is shown as it is
  return OPERATOR[member as OperatorMember]?.heading ?? member; // as above
}
