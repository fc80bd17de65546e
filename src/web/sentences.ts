/**
 * Rewrites sentences of the server for the pages (contract section 17, "Words for people"). Members get the
 * label of their field; days, NCMs and companies get the notation of people. The API keeps the words of the
 * specification.
 */
import { ACT } from '../catalogue/members/concession-act.ts';
import { OPERATOR } from '../catalogue/members/foreign-operator.ts';
import { LINK } from '../catalogue/members/manufacturer-link.ts';
import type { Member, MemberTable } from '../catalogue/members/member.ts';
import { PRODUCT } from '../catalogue/members/product.ts';
import { messageFor } from '../errors.ts';
import { dayText, momentText, ncmText, numberText, hasDayForm } from './words.ts';

const headingsOf = (table: MemberTable): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(table).map(([name, { heading }]) => [name, heading]));

/** Labels of the members of a request. */
const LABELS: Readonly<Record<string, string>> = {
  ...headingsOf(ACT),
  ...headingsOf(LINK),
  ...headingsOf(OPERATOR),
  ...headingsOf(PRODUCT),
  cnpj: 'CNPJ',
  documento: 'CPF ou CNPJ',
  orgao: 'Órgão',
  perfil: 'Perfil',
  tipo: 'Tipo',
  administrador: 'Administrador',
  clientId: 'Client-Id',
  clientSecret: 'Client-Secret',
  expiresAt: 'Vence em',
  evento: 'Evento',
  endpoint: 'Endpoint',
  numero: 'Número',
  conteudo: 'Conteúdo',
  data: 'Dia',
  since: 'Desde',
  actor: 'Quem',
  subject: 'Assunto',
  url: 'Endereço',
  companies: 'Empresas',
  certificate: 'Certificado',
  password: 'Senha',
  login: 'CPF ou e-mail',
  convite: 'Convite até',
  senha: 'Senha',
  atual: 'Senha atual',
  nova: 'Senha nova',
  ca: 'Outra autoridade',
  perHour: 'Requisições por hora',
  downtime: 'Parada diária',
  maxDeactivations: 'Quantos podem ser desativados',
  expected: 'Quantos são',
  remoteCodigo: 'Código lá',
};

/**
 * Returns the label of a path: `nomeCidade` is "Cidade", `identificacoesAdicionais/0/numero` "Identificações
 * adicionais 1, Número".
 */
export function labelOf(place: string): string {
  const [member = '', index, part] = place.replace(/^\//, '').split('/');
  const label = LABELS[member] ?? member;
  if (index === undefined || !/^\d+$/.test(index)) return label;
  return `${label} ${Number(index) + 1}${part === undefined ? '' : `, ${LABELS[part] ?? part}`}`;
}

/** Words of the codes that the server prints in sentences. */
const CODE_WORDS: Readonly<Record<string, string>> = Object.fromEntries(
  [PRODUCT.modalidade, PRODUCT.situacao].flatMap(({ choices }) =>
    Object.entries(choices).map(([code, text]) => [code, text.toLowerCase()]),
  ),
);

/** A code between quotes is a value that was received, or that is accepted. */
const CODES = /(?<![\w"])(?:IMPORTACAO|EXPORTACAO|AMBOS|ATIVADO|DESATIVADO|RASCUNHO)(?![\w"])/g;

/** Rewrites the message of a problem. `place`: the path of the member that it describes. */
export const problemText = (problem: Parameters<typeof messageFor>[0], place: string): string =>
  readableSentence(messageFor(problem, labelOf(place)));

/** Rewrites days, NCMs, companies and attributes in a sentence of the server into the notation of people. */
export const readableSentence = (sentence: string): string =>
  sentence
    .replaceAll(/(?:Atributo )?\bATT_\d+ \(((?:[^()]|\([^()]*\))*)\)/g, '$1')
    .replaceAll(/(?<=igual a |diferente de )"(true|false)"/g, (_, answer: string) => `"${TRUTH[answer]}"`)
    .replaceAll('yyyy-MM-dd', 'dd/mm/aaaa')
    .replaceAll(CODES, (code) => CODE_WORDS[code] ?? code)
    .replaceAll(/\b\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:[+-]\d{2}:\d{2}|Z)?)?/g, momentText)
    .replaceAll(/(?<=\bNCM "?)\d{8}\b/g, ncmText)
    .replaceAll(/(?<=(?:catálogo de|empresa|representa|é de) )[\dA-Z]{8,14}\b/g, numberText);

/**
 * Formats the value of a member, or of an attribute (`atributo:ATT_1`) without a loaded table, for people.
 */
export function valueText(member: string, value: string): string {
  if (member === 'ncm') return ncmText(value);
  if (hasDayForm(value)) return dayText(value);
  const { choices }: Partial<Member> = (PRODUCT as MemberTable)[member] ?? {};
  return (member.startsWith('atributo:') ? TRUTH : choices)?.[value] ?? value;
}

const TRUTH: Readonly<Record<string, string>> = { true: 'Sim', false: 'Não' };
