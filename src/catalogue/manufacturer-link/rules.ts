/** Business rules of a link (contract section 4): each returns the problems it finds. */
import type { Day } from '../../clock.ts';
import type { Problem } from '../../errors.ts';
import { formatValue } from '../../validation/format-value.ts';
import { productProblems } from '../product/active.ts';
import { hasValidCheckDigits } from '../../validation/check-digits.ts';
import { violated } from '../codes.ts';
import { isCountry } from '../country.ts';
import type { Operators } from '../foreign-operator/model.ts';
import type { ProductHead } from '../product/model.ts';
import type { ManufacturerLink } from './model.ts';
import type { LinkStore } from './store.ts';

const BRAZIL = 'BR';

export class LinkRules {
  readonly #store: LinkStore;
  readonly #operators: Operators;
  readonly #checkDigits: boolean;

  constructor(store: LinkStore, operators: Operators, checkDigits: boolean) {
    this.#store = store;
    this.#operators = operators;
    this.#checkDigits = checkDigits;
  }

  /**
   * Returns all problems of a new link. `mayBeInactive`: a mirrored catalogue keeps the links of products and
   * operators that were deactivated since (contract section 7, `modo=espelho`).
   */
  linkProblems(
    cpfCnpjRaiz: string,
    link: ManufacturerLink,
    product: ProductHead | undefined,
    mayBeInactive: boolean,
  ): Problem[] {
    return [
      ...productProblems(cpfCnpjRaiz, link.codigoProduto, product?.situacao, mayBeInactive),
      ...countryProblems(link.codigoPais),
      ...this.#manufacturerProblems(cpfCnpjRaiz, link, mayBeInactive),
      ...(this.#checkDigits ? checkDigitProblems(link.cpfCnpjFabricante) : []),
      ...this.#repetitionProblems(product, link),
    ];
  }

  /** The allowed identification depends on the manufacturer: known or not, and its country. */
  #manufacturerProblems(cpfCnpjRaiz: string, link: ManufacturerLink, mayBeInactive: boolean): Problem[] {
    if (!link.conhecido) return unknownManufacturerProblems(link);
    if (link.codigoPais === BRAZIL) return brazilianManufacturerProblems(link);
    return [
      ...foreignManufacturerProblems(link),
      ...this.#operatorProblems(cpfCnpjRaiz, link, mayBeInactive),
    ];
  }

  #operatorProblems(cpfCnpjRaiz: string, link: ManufacturerLink, mayBeInactive: boolean): Problem[] {
    const { codigoOperadorEstrangeiro: codigo, codigoPais } = link;
    if (codigo === null) return [];
    const operator = this.#operators.findHead(cpfCnpjRaiz, codigo);
    const refusal = (reason: string): Problem[] => [
      violated(
        'operatorRequired',
        '/codigoOperadorEstrangeiro',
        `recebido ${formatValue(codigo)}, ${reason}; informe um operador estrangeiro ativo do país ${codigoPais}.`,
      ),
    ];
    if (operator === undefined) return refusal(`que não existe no catálogo de ${cpfCnpjRaiz}`);
    if (operator.codigoPais !== codigoPais) return refusal(`que é do país ${operator.codigoPais}`);
    return operator.situacao === 'ATIVADO' || mayBeInactive ? [] : refusal('que está DESATIVADO');
  }

  #repetitionProblems(product: ProductHead | undefined, link: ManufacturerLink): Problem[] {
    if (product === undefined || this.#store.find(product.id, link) === undefined) return [];
    const message = `Este fabricante/produtor já está vinculado ao produto ${link.codigoProduto}.`;
    return [violated('repeatedLink', null, message)];
  }
}

/** Checks the digits of a CPF or CNPJ, for profiles that require it (contract section 1). */
export function checkDigitProblems(cpfCnpjFabricante: string | null): Problem[] {
  if (cpfCnpjFabricante === null || hasValidCheckDigits(cpfCnpjFabricante)) return [];
  const message = `recebido ${formatValue(cpfCnpjFabricante)}, cujos dígitos verificadores não conferem; verifique o número.`;
  return [violated('wrongCheckDigits', '/cpfCnpjFabricante', message)];
}

/** Refuses to remove a link that does not exist. No other rule applies: an existing link satisfied them. */
export function unknownLinkProblems(linkId: number | undefined): Problem[] {
  if (linkId !== undefined) return [];
  return [violated('unknownLink', null, 'Fabricante/produtor não encontrado no produto.')];
}

/** Refuses a reference day in a removal: only a new link may choose its first day. */
export function endReferenceProblems(dataReferencia: Day | undefined): Problem[] {
  if (dataReferencia === undefined) return [];
  const message = `recebido ${formatValue(dataReferencia)}, mas só é aceita ao vincular; retire-a deste item ou envie vincular=true.`;
  return [violated('referenceNotAllowed', '/dataReferencia', message)];
}

function countryProblems(codigoPais: string): Problem[] {
  if (isCountry(codigoPais)) return [];
  const message = `recebido ${formatValue(codigoPais)}; aceita um país da ISO 3166-1, por exemplo DE.`;
  return [violated('unknownCountry', '/codigoPais', message)];
}

function unknownManufacturerProblems(link: ManufacturerLink): Problem[] {
  return (['codigoOperadorEstrangeiro', 'cpfCnpjFabricante'] as const)
    .filter((member) => link[member] !== null)
    .map((member) =>
      violated(
        'unknownManufacturerOnly',
        `/${member}`,
        `recebido ${formatValue(link[member])}; com conhecido=false só o país é informado. Retire este membro.`,
      ),
    );
}

function brazilianManufacturerProblems(link: ManufacturerLink): Problem[] {
  const problems: Problem[] = [];
  if (link.cpfCnpjFabricante === null) {
    const message = `ausente; um fabricante conhecido no Brasil é informado pelo CPF ou CNPJ.`;
    problems.push(violated('manufacturerOnly', '/cpfCnpjFabricante', message));
  }
  if (link.codigoOperadorEstrangeiro !== null) {
    const message = `recebido ${formatValue(link.codigoOperadorEstrangeiro)}; um fabricante conhecido no Brasil é informado só pelo CPF ou CNPJ. Retire este membro.`;
    problems.push(violated('manufacturerOnly', '/codigoOperadorEstrangeiro', message));
  }
  return problems;
}

function foreignManufacturerProblems(link: ManufacturerLink): Problem[] {
  const problems: Problem[] = [];
  if (link.codigoOperadorEstrangeiro === null) {
    const message = `ausente; um fabricante conhecido no exterior é informado pelo operador estrangeiro.`;
    problems.push(violated('operatorRequired', '/codigoOperadorEstrangeiro', message));
  }
  if (link.cpfCnpjFabricante !== null) {
    const message = `recebido ${formatValue(link.cpfCnpjFabricante)}; um fabricante conhecido no exterior é informado só pelo operador estrangeiro. Retire este membro.`;
    problems.push(violated('operatorRequired', '/cpfCnpjFabricante', message));
  }
  return problems;
}
