/** Finds which table is in force, and what it requires of a product (contract section 8). */
import type { Clock, Day } from '../../../clock.ts';
import type { Feed } from '../../../db/feed.ts';
import { type Problem, unprocessable } from '../../../errors.ts';
import { dayOf } from '../../../validation/calendar.ts';
import type { Activation, ActivationStore } from './activation-store.ts';
import type { AttributeLists, Modalidade, NcmAttributes, NcmGuide } from '../words/model.ts';
import { attributesOfNcm } from './ncm-attributes.ts';
import type { PreparedTables } from './prepared-tables.ts';
import { futureActivationsOf } from './scan.ts';
import { guideOf } from '../check/example.ts';
import { check, unknownNcm } from '../check/rules.ts';
import { hasPaddedValues, withTrimmedDomains } from '../check/trim.ts';

export interface AttributeTablesDependencies {
  readonly feed: Feed;
  readonly activations: ActivationStore;
  readonly prepared: PreparedTables;
  readonly clock: Clock;
  /** Returns true for the table that `catp dev` generated. */
  readonly isInvented: (tableId: number) => boolean;
}

const NO_PROBLEMS: readonly Problem[] = [];
const INVENTED_NOTE =
  ' Esta tabela é inventada, para demonstração, e só tem algumas NCMs: carregue a oficial com catp attributes load, ou comece com catp dev --empty, sem tabela.';

export class AttributeTables {
  readonly #feed: Feed;
  readonly #activations: ActivationStore;
  readonly #prepared: PreparedTables;
  readonly #clock: Clock;
  readonly #isInvented: (tableId: number) => boolean;
  #cachedActivations: readonly Activation[] | undefined;

  constructor({ feed, activations, prepared, clock, isInvented }: AttributeTablesDependencies) {
    this.#feed = feed;
    this.#activations = activations;
    this.#prepared = prepared;
    this.#clock = clock;
    this.#isInvented = isInvented;
    feed.subscribe('activations', () => (this.#cachedActivations = undefined));
  }

  /**
   * Returns the problems of a product under the table in force on that day; an empty list without a table.
   */
  problemsOf(day: Day, ncm: string, modalidade: Modalidade, lists: AttributeLists): readonly Problem[] {
    const activation = this.inForceOn(day);
    if (activation === undefined) return NO_PROBLEMS;
    return this.problemsUnder(activation.tableId, day, ncm, modalidade, lists);
  }

  /**
   * Returns the attributes that the table in force on that day names for an NCM, by code; an empty result
   * without a table. `modalidade` `null`: the attributes of both modalities.
   */
  attributesOfNcm(day: Day, ncm: string, modalidade: Modalidade | null): NcmAttributes {
    const tableId = this.inForceOn(day)?.tableId;
    const prepared = tableId && this.#prepared.find(tableId, ncm, this.#futureActivations(tableId));
    return prepared ? attributesOfNcm(prepared, day, modalidade ?? 'AMBOS') : NO_ATTRIBUTES;
  }

  /**
   * Returns the requirements of the table in force on that day for an NCM; `undefined` without a table.
   * Throws 422 for an NCM that the table does not have.
   */
  guideOf(day: Day, ncm: string, modalidade?: Modalidade): NcmGuide | undefined {
    const tableId = this.inForceOn(day)?.tableId;
    if (tableId === undefined) return undefined;
    const prepared = this.#prepared.find(tableId, ncm);
    if (prepared === undefined)
      throw unprocessable([{ ...unknownNcm(ncm, this.noteOf(tableId)), path: 'ncm' }]);
    return guideOf(prepared, day, modalidade);
  }

  /** Returns the content without blanks around domain codes; unchanged if no table in force has the NCM. */
  trimDomainCodes<T extends AttributeLists & { readonly ncm: string | null }>(content: T): T {
    const tableId =
      content.ncm !== null && hasPaddedValues(content) ? this.inForceToday()?.tableId : undefined;
    const prepared =
      tableId && this.#prepared.find(tableId, content.ncm ?? '', this.#futureActivations(tableId));
    return prepared ? { ...content, ...withTrimmedDomains(prepared, content) } : content;
  }

  /** Returns the problems of a product under a table as of a day. */
  problemsUnder(
    tableId: number,
    day: Day,
    ncm: string,
    modalidade: Modalidade,
    lists: AttributeLists,
  ): readonly Problem[] {
    const prepared = this.#prepared.find(tableId, ncm, this.#futureActivations(tableId));
    if (prepared === undefined) return [unknownNcm(ncm, this.noteOf(tableId))];
    return check(prepared, day, modalidade, lists, ncm);
  }

  /** Returns an extra note for an NCM that is not in the table. */
  noteOf(tableId: number): string {
    return this.#isInvented(tableId) ? INVENTED_NOTE : '';
  }

  /** Returns future activations of other tables: values for them are already accepted. */
  #futureActivations(tableId: number): readonly Activation[] {
    return futureActivationsOf(this.list(), { tableId, day: dayOf(this.#clock.now()) });
  }

  /** Returns the latest activation whose day is not after `day`. */
  inForceOn(day: Day): Activation | undefined {
    return this.list().find(({ onDay }) => onDay <= day);
  }

  inForceToday(): Activation | undefined {
    return this.inForceOn(dayOf(this.#clock.now()));
  }

  /** Returns the activations that follow the table in force, latest day first. */
  futureActivations(): readonly Activation[] {
    const tableId = this.inForceToday()?.tableId;
    return tableId === undefined ? [] : this.#futureActivations(tableId);
  }

  /** Returns all activations, also future ones, latest day first. */
  list(): readonly Activation[] {
    // Another process may have just activated a table; all later writes must be judged by it, since its sweep
    // does not see them. The feed looks for such changes in the transaction that judges a product.
    this.#feed.checkForChanges();
    return (this.#cachedActivations ??= this.#activations.list());
  }
}

const NO_ATTRIBUTES: NcmAttributes = new Map();
