/** A foreign operator as the API hands it out (contract section 4), its addresses and its words. */
import { queryOf } from '../api/client.ts';

export interface Identification {
  readonly numero: string;
  readonly codigo: string;
}

export interface Operator {
  readonly cpfCnpjRaiz: string;
  readonly codigo: string;
  readonly versao: string;
  readonly situacao: string;
  readonly codigoPais: string;
  readonly nome: string;
  readonly tin: string | null;
  readonly logradouro: string;
  readonly nomeCidade: string;
  readonly codigoSubdivisaoPais: string | null;
  readonly cep: string | null;
  readonly codigoInterno: string | null;
  readonly email: string | null;
  readonly identificacoesAdicionais: readonly Identification[];
}

/** Of a page of the list (contract section 14). */
export interface ListedOperator extends Operator {
  readonly changedAt: string;
}

export const OPERATOR_PAGES = '/appliance/api/foreign-operators';
export const OPERATORS = '/catp/api/ext/operador-estrangeiro';

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

/** What people call the members, in the order in which they are shown. */
export const MEMBERS = {
  nome: 'Nome',
  codigoPais: 'País',
  logradouro: 'Logradouro',
  nomeCidade: 'Cidade',
  codigoSubdivisaoPais: 'Subdivisão (ISO 3166-2)',
  cep: 'CEP',
  tin: 'TIN',
  codigoInterno: 'Código interno',
  email: 'E-mail',
} as const;

const IDENTIFICATION = { numero: 'número', codigo: 'agência' } as const;

/** What people call a place of an operator: `identificacoesAdicionais/0/numero` is "Identificação 1, número". */
export function memberName(place: string): string {
  const [member = '', index, part] = place.split('/');
  if (member === 'situacao') return 'Situação';
  if (member === 'identificacoesAdicionais')
    return `Identificação ${Number(index) + 1}, ${IDENTIFICATION[part as keyof typeof IDENTIFICATION] ?? part}`; // another part is shown as it is
  return MEMBERS[member as keyof typeof MEMBERS] ?? member; // as above
}
