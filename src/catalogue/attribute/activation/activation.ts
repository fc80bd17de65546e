/**
 * Puts tables in force, at once or on a day, and checks the products on the days that require it (contract
 * section 8).
 */
import { type Actor, nameOf } from '../../../change.ts';
import type { Clock, Day, EpochMs } from '../../../clock.ts';
import type { Feed } from '../../../db/feed.ts';
import type { Transaction, Writer } from '../../../db/writer.ts';
import { DomainError, notFound, unprocessable, withLabel } from '../../../errors.ts';
import { formatValue } from '../../../validation/format-value.ts';
import { dayOf } from '../../../validation/calendar.ts';
import type { Activation, ActivationStore } from './activation-store.ts';
import { changedBetween } from '../table/boundary.ts';
import { TABLE_CODES } from '../words/codes.ts';
import { SYSTEM } from '../../../session/model.ts';
import type { AttributeTables } from './in-force.ts';
import type { AttributeTableStore, StoredTable } from '../table/store.ts';
import type { SweepResult, SweepRun, Sweeper } from './sweep.ts';

export interface ActivatorDependencies {
  readonly tables: AttributeTableStore;
  readonly activations: ActivationStore;
  readonly inForce: AttributeTables;
  readonly feed: Feed;
  readonly sweeper: Sweeper;
  readonly writer: Writer;
  readonly clock: Clock;
}

const NO_SWEEP: SweepRun = { deactivated: 0, events: 0, isFinished: true };

export class Activator {
  readonly #tables: AttributeTableStore;
  readonly #activations: ActivationStore;
  readonly #inForce: AttributeTables;
  readonly #feed: Feed;
  readonly #sweeper: Sweeper;
  readonly #writer: Writer;
  readonly #clock: Clock;
  /** Runs one sweep at a time: each waits for the previous one, also if that one failed. */
  #lastSweep: Promise<unknown> = Promise.resolve();
  /** Latest moment for which products were judged. */
  #judgedAt: EpochMs = Number.NEGATIVE_INFINITY;

  constructor({ tables, activations, inForce, feed, sweeper, writer, clock }: ActivatorDependencies) {
    this.#tables = tables;
    this.#activations = activations;
    this.#inForce = inForce;
    this.#feed = feed;
    this.#sweeper = sweeper;
    this.#writer = writer;
    this.#clock = clock;
  }

  /**
   * Puts a table in force at once and deactivates the products that it does not admit, or records that it
   * comes into force on a later day.
   * Throws 404 for an unknown table, 422 for a past day.
   * Throws `unavailable` when the server stops during the sweep: the table is then in force, and the sweep
   * resumes at the next start.
   */
  async activate(tableId: number, on: Day | undefined, by: Actor): Promise<SweepResult> {
    this.requireActivatable(tableId, on); // checked again before the sweep, which may have to wait for others
    const { isFinished, ...result } = await this.#oneAtATime((tx) =>
      this.#insertActivation(tx, tableId, on, by),
    );
    if (!isFinished) throw stoppedDuringSweep();
    return result;
  }

  /**
   * Cancels the future activation of a table, on one day or on all.
   * Throws 404 for an unknown table, or when no such day is in the future.
   */
  cancel(tableId: number, on: Day | undefined, by: Actor): Promise<void> {
    return this.#writer.write((tx) => {
      const table = this.#tables.find(tableId);
      if (table === undefined) throw unknownTable(tableId);
      const today = dayOf(tx.now);
      const futureActivations = this.#inForce
        .list()
        .filter((activation) => activation.tableId === tableId && activation.onDay > today);
      const cancelled = futureActivations.filter(({ onDay }) => on === undefined || onDay === on);
      if (cancelled.length === 0) throw notScheduled(table, on, futureActivations);
      tx.afterCommit(() => this.#feed.changed('activations'));
      for (const activation of cancelled) this.#activations.cancel(activation, tx.now);
      const current = this.#inForce.inForceOn(today);
      tx.record({
        by,
        action: 'CANCELAMENTO',
        kind: 'tabela',
        key: String(tableId),
        before: table.versao,
        after: (current && this.#tables.find(current.tableId)?.versao) ?? null,
      });
    });
  }

  /**
   * Runs the sweep that is due today: after an interrupted sweep, for a table whose day has come, or on a day
   * on which a rule of the table in force starts. Also runs the sweep of a day that the server missed.
   */
  runOnce(): Promise<SweepRun> {
    return this.#oneAtATime((tx) => this.#findDueSweep(tx));
  }

  /** Waits for the running sweep; stopping the sweeper ends it soon. */
  async waitForSweep(): Promise<void> {
    await this.#lastSweep.catch(() => undefined); // its caller has received the error
  }

  /**
   * Returns the table of the last sweep: an NCM that has the same rules in it needs no check on that day.
   * `null`: every product is checked.
   */
  comparableTable(current: Activation | undefined, day: Day): number | null {
    if (current === undefined) return null;
    // The last sweep belongs to the table in force, unless the clock was put back since.
    const sweep = this.#activations.findNewestSweep();
    const isSwept = sweep?.outcome === 'complete' && sweep.activationId === current.id;
    const table = this.#tables.find(current.tableId);
    if (!isSwept || table === undefined || hasChanged(table, sweep.day, day)) return null;
    return current.tableId;
  }

  /** Throws 404 for an unknown table, 422 for a past day. */
  requireActivatable(tableId: number, on: Day | undefined): void {
    this.#requireActivatable(tableId, on, dayOf(this.#clock.now()));
  }

  #requireActivatable(tableId: number, on: Day | undefined, today: Day): void {
    requireFullTable(this.#tables.find(tableId), tableId);
    if (on !== undefined && on < today) throw dayIsOver(on, today);
  }

  /** Stores the activation. Returns the sweep to run now, if any. */
  #insertActivation(tx: Transaction, tableId: number, on: Day | undefined, by: Actor): number | undefined {
    const today = dayOf(tx.now);
    this.#requireActivatable(tableId, on, today);
    const before = this.#inForce.inForceOn(today);
    tx.afterCommit(() => this.#feed.changed('activations'));
    const activation = this.#activations.insert(tableId, on ?? today, nameOf(by), tx.now);
    const isToday = activation.onDay <= today;
    this.#record(tx, by, isToday ? 'ATIVACAO' : 'AGENDAMENTO', before, activation);
    if (!isToday) return undefined;
    const sinceTable = this.#isTurnedBack(tx) ? null : this.comparableTable(before, today);
    return this.#beginSweep(tx, activation, today, sinceTable);
  }

  /**
   * Returns true if the clock was put back since products were last judged. Days then repeat, and all
   * products are checked.
   */
  #isTurnedBack(tx: Transaction): boolean {
    const isTurnedBack = tx.now < this.#judgedAt;
    tx.afterCommit(() => (this.#judgedAt = tx.now));
    return isTurnedBack;
  }

  #findDueSweep(tx: Transaction): number | undefined {
    const today = dayOf(tx.now);
    const isTurnedBack = this.#isTurnedBack(tx);
    const current = this.#inForce.inForceOn(today);
    const table = current && this.#tables.find(current.tableId);
    if (current === undefined || table === undefined) return undefined;
    const latest = this.#activations.findLatestSweep(current.id);
    if (latest === undefined) {
      const before = this.#predecessor(current);
      this.#record(tx, SYSTEM, 'ATIVACAO', before, current);
      return this.#beginSweep(tx, current, today, isTurnedBack ? null : this.comparableTable(before, today));
    }
    // If the clock was put back, products have been judged by another table or as of another day.
    const isOutdated = isTurnedBack || this.#activations.findNewestSweep()?.id !== latest.id;
    if (isOutdated || hasChanged(table, latest.day, today)) return this.#beginSweep(tx, current, today, null);
    return latest.outcome === null ? latest.id : undefined;
  }

  /** Records in the audit which table was in force before, and which one is or will be. */
  #record(
    tx: Transaction,
    by: Actor,
    action: 'ATIVACAO' | 'AGENDAMENTO',
    before: Activation | undefined,
    { tableId }: Activation,
  ): void {
    tx.record({
      by,
      action,
      kind: 'tabela',
      key: String(tableId),
      before: (before && this.#tables.find(before.tableId)?.versao) ?? null,
      after: this.#tables.find(tableId)?.versao ?? null,
    });
  }

  #predecessor(current: Activation): Activation | undefined {
    const all = this.#inForce.list();
    return all[all.findIndex(({ id }) => id === current.id) + 1];
  }

  #beginSweep(tx: Transaction, activation: Activation, day: Day, sinceTableId: number | null): number {
    for (const unfinished of this.#activations.listUnfinishedSweeps())
      this.#sweeper.supersede(tx, unfinished);
    return this.#activations.insertSweep(activation.id, day, sinceTableId, tx.now);
  }

  /** Runs the sweep that `findSweep` returns, if any, after the previous ones. */
  #oneAtATime(findSweep: (tx: Transaction) => number | undefined): Promise<SweepRun> {
    const result = this.#lastSweep
      .catch(() => undefined)
      .then(async () => {
        const sweepId = await this.#writer.write(findSweep);
        return sweepId === undefined ? NO_SWEEP : this.#sweeper.run(sweepId);
      });
    this.#lastSweep = result;
    result.catch(() => undefined); // the caller receives the error
    return result;
  }
}

/** Returns true if a sweep of `sweptDay` does not cover `day`. It never covers an earlier day. */
const hasChanged = ({ boundaries }: StoredTable, sweptDay: Day, day: Day): boolean =>
  sweptDay > day || changedBetween(boundaries, sweptDay, day);

/** Throws 404 for an unknown table, and for one of which only the difference is stored. */
export function requireFullTable(table: StoredTable | undefined, id: number): StoredTable {
  if (table === undefined) throw unknownTable(id);
  if (!table.isWhole)
    throw notFound(
      `Da tabela de atributos ${table.versao} só está guardado o que ela mudou; carregue o arquivo dela de novo.`,
    );
  return table;
}

export const unknownTable = (id: number) => notFound(`Não existe tabela de atributos com o id ${id}.`);

function notScheduled(
  { versao }: StoredTable,
  on: Day | undefined,
  futureActivations: readonly Activation[],
) {
  const when = on === undefined ? 'um dia futuro' : on;
  const days = [...new Set(futureActivations.map(({ onDay }) => onDay))].reverse();
  const rest =
    days.length > 0
      ? `os dias em que entra em vigor: ${days.join(', ')}`
      : 'o que já está em vigor muda quando outra tabela entra em vigor';
  return notFound(`A tabela ${versao} não está agendada para ${when}; ${rest}.`);
}

const stoppedDuringSweep = () =>
  new DomainError(
    'unavailable',
    'O serviço está sendo encerrado: a tabela está em vigor, e a conferência dos produtos continua no próximo início.',
  );

const dayIsOver = (on: Day, today: Day) =>
  unprocessable([
    {
      code: TABLE_CODES.dayIsOver.code,
      ...withLabel('on', `recebido ${formatValue(on)}; aceita de hoje, ${today}, em diante.`),
      field: 'on',
      path: '/on',
    },
  ]);
