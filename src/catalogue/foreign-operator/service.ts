/** Offers foreign operators to the rest of the program (contract sections 4, 6 and 14). */
import { notFound } from '../../errors.ts';
import { formatValue } from '../../validation/format-value.ts';
import { type HistoryWords, type ListedVersion, historyOf } from '../versioned/history.ts';
import { situacaoOf } from '../versioned/model.ts';
import { VersionedService, type VersionedServiceDependencies } from '../versioned/service.ts';
import { type OperatorRequest, type OperatorTypes, toContent } from './model.ts';
import { operatorMembers } from './members.ts';
import { printRecord } from './record.ts';
import type { OperatorStore } from './store.ts';

type Parts = VersionedServiceDependencies<OperatorTypes, OperatorRequest>;

export interface OperatorServiceParts extends Pick<Parts, 'changes' | 'lookUp' | 'items' | 'writer'> {
  readonly store: OperatorStore;
  readonly nameOf: HistoryWords['nameOf'];
}

/** `seq` of an operator that is the only record of a response. */
const ALONE = 1;

export class OperatorService extends VersionedService<OperatorTypes, OperatorRequest> {
  readonly #store: OperatorStore;
  readonly #lookUp: OperatorServiceParts['lookUp'];
  readonly #nameOf: HistoryWords['nameOf'];

  constructor({ store, nameOf, ...parts }: OperatorServiceParts) {
    super({
      ...parts,
      toContent,
      print: ({ cpfCnpjRaiz, codigoPais, codigo }, version) =>
        printRecord.text(
          { ...version, codigo, codigoPais, situacao: situacaoOf(version) },
          { cpfCnpjRaiz, seq: ALONE },
        ),
    });
    this.#store = store;
    this.#lookUp = parts.lookUp;
    this.#nameOf = nameOf;
  }

  /** Returns every version of an operator, of any country, oldest first. Throws 404. */
  history({
    cpfCnpjRaiz,
    codigo,
  }: {
    readonly cpfCnpjRaiz: string;
    readonly codigo: string;
  }): ListedVersion[] {
    const operator = this.#store.find(cpfCnpjRaiz, codigo);
    if (operator === undefined)
      throw notFound(
        `Não existe operador estrangeiro com o código ${formatValue(codigo)} no catálogo de ${cpfCnpjRaiz}.`,
      );
    const { codigoPais } = operator;
    return historyOf(operator, this.#store.versions.listPast(operator.id), {
      nameOf: this.#nameOf,
      membersOf: (number) => {
        const key = { cpfCnpjRaiz, codigoPais, codigo };
        const version = this.#lookUp.getVersion(key, operator, number);
        return operatorMembers({ ...version, ...key, situacao: situacaoOf(version) });
      },
    });
  }
}
