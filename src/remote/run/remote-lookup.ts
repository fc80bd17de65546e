/**
 * Reads the remote records of a run: their current form, and the possible results of a step. Throws
 * `Interrupted`, `LookupRefused`.
 */
import { type Clock, DAY_MS, HOUR_MS } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import { dayOf } from '../../validation/calendar.ts';
import type { PairedKind, Side } from '../compare/model.ts';
import type { PairStore } from '../compare/pair-store.ts';
import type { RemoteStore } from '../store.ts';
import type { Wire } from '../wire/model.ts';
import { codeOfKey } from '../forms.ts';
import { filterOf } from './content.ts';
import { isSameContent } from './tolerant-comparison.ts';
import type { Run, Step } from './model.ts';
import { COMPARABLES, listRemote } from './wire-words.ts';

export class RemoteLookup {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #remotes: RemoteStore;
  readonly #pairs: PairStore;

  constructor(db: Db, clock: Clock, remotes: RemoteStore, pairs: PairStore) {
    this.#db = db;
    this.#clock = clock;
    this.#remotes = remotes;
    this.#pairs = pairs;
  }

  /**
   * Finds a remote record by the internal codes. The comparison did not see it, and it has no other pair.
   * `undefined`: none.
   */
  async findUnseen(
    run: Run,
    wire: Wire,
    kind: PairedKind,
    step: Step,
    codes: readonly string[],
  ): Promise<{ readonly side: Side; readonly isEqual: boolean } | undefined> {
    if (kind !== 'produto') return undefined;
    const sentText = this.sentText(run, kind, step);
    let other: Side | undefined;
    for (const codigoInterno of codes) {
      const sides = await this.list(run, wire, kind, { codigoInterno });
      for (const side of sides.filter((listedSide) => this.mayBeResult(run, step, listedSide))) {
        if (sentText !== undefined && isSameContent(sentText, side.text)) return { side, isEqual: true };
        other ??= side;
      }
    }
    return other && { side: other, isEqual: false };
  }

  /** Returns the remote records that an include may have created. */
  async results(run: Run, wire: Wire, kind: PairedKind, step: Step): Promise<Side[]> {
    const sentText = this.sentText(run, kind, step);
    if (sentText === undefined) return [];
    const sentAt = step.sentAt ?? 0;
    // The remote clock may be slightly slow, and the answer may come after midnight.
    const filter = filterOf(kind, sentText, [dayOf(sentAt - HOUR_MS), dayOf(sentAt + DAY_MS)]);
    return (await this.list(run, wire, kind, filter)).filter((side) => this.mayBeResult(run, step, side));
  }

  /** Returns the remote record of a step as it is now. `undefined`: it does not exist. */
  async current(run: Run, wire: Wire, kind: PairedKind, { remoteKey }: Step): Promise<Side | undefined> {
    const codigo = codeOfKey(kind, remoteKey ?? '');
    return (await this.list(run, wire, kind, { codigo })).find(({ key }) => key === remoteKey);
  }

  /** Returns the remote records that a filter finds. Throws `Interrupted`, `LookupRefused`. */
  list(run: Run, wire: Wire, kind: PairedKind, filter: Readonly<Record<string, string>>): Promise<Side[]> {
    return listRemote(wire, kind, { cpfCnpjRaiz: run.cpfCnpjRaiz, ...filter }, () => this.#clock.now());
  }

  /**
   * Returns true when a remote record may be the result of a step. Records that the comparison already saw
   * are never results.
   */
  mayBeResult(run: Run, step: Step, side: Side): boolean {
    const { comparisonId } = run;
    const candidates = this.#remotes.findByLocalKey(comparisonId, step.kind, step.localKey)?.candidates ?? [];
    const isSeen =
      this.#remotes.findByRemoteKey(comparisonId, step.kind, side.key) !== undefined ||
      candidates.some(({ there: remoteKey }) => remoteKey === side.key);
    return !isSeen && this.isFree(run, step, side);
  }

  /** Returns true when the remote record has no pair, or is the pair of this step. */
  isFree({ remoteId, cpfCnpjRaiz }: Run, { kind, localKey }: Step, { key }: Side): boolean {
    return (this.#pairs.localKeyOf(remoteId, cpfCnpjRaiz, kind, key) ?? localKey) === localKey;
  }

  /** Returns the sent text. Later local changes do not affect it. */
  sentText({ cpfCnpjRaiz }: Run, kind: PairedKind, { localKey, localVersao }: Step): string | undefined {
    return COMPARABLES[kind].version(this.#db, cpfCnpjRaiz, localKey, localVersao ?? '');
  }
}
