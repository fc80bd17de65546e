/** Business rules of a foreign operator (contract section 4): each returns the problems it finds. */
import { near, type Problem } from '../../errors.ts';
import { formatValue } from '../../validation/format-value.ts';
import { violated } from '../codes.ts';
import { isCountry, isSubdivisionOf } from '../country.ts';
import type { JudgedContent, VersionedRules } from '../versioned/kind.ts';
import type { OperatorContent, OperatorTypes } from './model.ts';
import type { OperatorStore } from './store.ts';

export class OperatorRules implements VersionedRules<OperatorTypes> {
  readonly #store: OperatorStore;

  constructor(store: OperatorStore) {
    this.#store = store;
  }

  /** Checks the TIN only if the content becomes that of an active operator. */
  contentProblems(subject: JudgedContent<OperatorTypes>): Problem[] {
    const { place, content, record, strictness, isToBeActive } = subject;
    return [
      ...(strictness === 'all' ? this.#placeProblems(place.codigoPais, content) : []),
      ...(isToBeActive ? this.#tinProblems(place.cpfCnpjRaiz, content.tin, record?.id) : []),
    ];
  }

  /** Checks that the country exists, and that the subdivision belongs to it. */
  #placeProblems(codigoPais: string, { codigoSubdivisaoPais }: OperatorContent): Problem[] {
    const problems: Problem[] = [];
    if (!isCountry(codigoPais)) {
      const message = `recebido ${formatValue(codigoPais)}; aceita um código de país da ISO 3166-1, como "DE".`;
      problems.push(violated('unknownCountry', 'codigoPais', message));
    }
    if (codigoSubdivisaoPais !== null && !isSubdivisionOf(codigoSubdivisaoPais, codigoPais))
      problems.push(unknownSubdivision(codigoSubdivisaoPais, codigoPais));
    return problems;
  }

  /**
   * Checks that no other active operator of the company has the TIN; `operatorId` is the operator itself, if
   * it exists.
   */
  #tinProblems(cpfCnpjRaiz: string, tin: string | null, operatorId: number | undefined): Problem[] {
    if (tin === null) return [];
    const other = this.#store.listActiveWithTin(cpfCnpjRaiz, tin).find(({ id }) => id !== operatorId);
    if (other === undefined) return [];
    const message = `recebido ${formatValue(tin)}, que já é o TIN do operador ativo ${other.codigo}; informe outro, ou desative aquele operador.`;
    return [violated('repeatedTin', '/tin', message)];
  }
}

function unknownSubdivision(code: string, codigoPais: string): Problem {
  const complete = `${codigoPais}-${code}`;
  const hint = isSubdivisionOf(complete, codigoPais) ? complete : undefined;
  const question = hint === undefined ? '' : ` Você quis dizer "${hint}"?`;
  return violated(
    'unknownSubdivision',
    '/codigoSubdivisaoPais',
    `recebido ${formatValue(code)}; aceita uma subdivisão da ISO 3166-2 do país ${codigoPais}, no formato "${codigoPais}-…".${question}`,
    near(hint),
  );
}
