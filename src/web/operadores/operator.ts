/** A foreign operator as the API returns it (contract section 4), with its paths and words. */
import { OPERATOR, OPERATOR_READING, type OperatorMember } from '../../catalogue/members/foreign-operator.ts';
import { type ContentName, type Member, isContent } from '../../catalogue/members/member.ts';
import type { ForeignOperator } from '../api/answers.ts';
import { queryOf } from '../api/client.ts';

type TextMember = 'codigoPais' | Exclude<ContentName<typeof OPERATOR>, 'identificacoesAdicionais'>;

export const OPERATOR_PAGES = '/appliance/api/foreign-operators';
export const OPERATORS = '/catp/api/ext/operador-estrangeiro';

/** An operator from a list or a single request. Only the public list numbers its rows. */
export type Operator = Omit<ForeignOperator, 'seq'>;

type Key = Pick<Operator, 'cpfCnpjRaiz' | 'codigo'>;

export const addressOf = (
  { cpfCnpjRaiz, codigo }: Key,
  more: Readonly<Record<string, string>> = {},
): string => `/operadores/${cpfCnpjRaiz}/${encodeURIComponent(codigo)}${queryOf(more)}`;

/** Returns the path of a write to one operator. Without `codigo` it is an include. */
export const pathOf = (cpfCnpjRaiz: string, codigoPais: string, ...segments: readonly string[]): string =>
  [OPERATORS, cpfCnpjRaiz, ...[codigoPais, ...segments].map(encodeURIComponent)].join('/');

export const versionPathOf = (operator: Key & Pick<Operator, 'codigoPais'>, versao: string): string =>
  pathOf(operator.cpfCnpjRaiz, operator.codigoPais, operator.codigo, versao);

export const versionsPathOf = ({ cpfCnpjRaiz, codigo }: Key): string =>
  `${OPERATOR_PAGES}/${cpfCnpjRaiz}/${encodeURIComponent(codigo)}/versions`;

/** The text members of an operator, in display order. */
export const TEXTS = OPERATOR_READING.filter(
  (name): name is TextMember => name === 'codigoPais' || isContent(OPERATOR[name]),
);

export const isRequired = (name: TextMember): boolean => (OPERATOR[name] as Member).required === 'always';

const IDENTIFICATION = { numero: 'número', codigo: 'agência' } as const;

/**
 * Returns the label of an operator member: `identificacoesAdicionais/0/numero` is "Identificação 1, número".
 */
export function memberName(place: string): string {
  const [member = '', index, part] = place.split('/');
  if (member === 'identificacoesAdicionais')
    return `Identificação ${Number(index) + 1}, ${IDENTIFICATION[part as keyof typeof IDENTIFICATION] ?? part}`; // an unknown part is shown unchanged
  return OPERATOR[member as OperatorMember]?.heading ?? member; // same as above
}
