/** The daily jobs, and the check of the rows that they must remove. */
import { DAY_MS } from '../../src/clock.ts';
import { MOTIVO_FAILING, Violation } from './ledger.ts';
import type { Machine } from './machine.ts';
import { prepared } from './prepared.ts';

const EVERY_MS = DAY_MS;

export class Jobs {
  readonly #machine: Machine;
  /** Clock time of the last start of retention. */
  #retainedAt = 0;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  plan(): void {
    this.#machine.plan(EVERY_MS, () => {
      this.plan();
      if (this.#machine.isUp) this.#run();
    });
  }

  /** Accepts, after a crash, that interrupted jobs did a part of their work. */
  reconcile(): void {
    const { ledger, product } = this.#machine;
    const deleted = prepared<[], { id: number; deletedAt: number }>(
      product.db,
      'SELECT id, deleted_at AS deletedAt FROM subscription WHERE deleted_at IS NOT NULL',
    ).all();
    for (const { id, deletedAt } of deleted) {
      const sub = ledger.subs.get(id);
      if (sub === undefined || sub.deletedAt !== null) continue;
      if (!ledger.isDelinquent(sub, deletedAt))
        throw new Violation(`subscription ${id} was deleted by nobody`);
      ledger.ended(sub, MOTIVO_FAILING, deletedAt);
    }
    ledger.reconcileRetention(product.db, this.#retainedAt);
  }

  #run(): void {
    const { product, ledger, time, lifecycle, stir, fault } = this.#machine;
    const ifAlive = (work: () => void) => (): void => {
      if (!lifecycle.alive) return;
      work();
      stir();
    };
    product.delinquency
      .runOnce()
      .then(ifAlive(() => this.#endDelinquent()))
      .then(() => {
        this.#retainedAt = time.now;
        return product.retention.runOnce();
      })
      .then(
        ifAlive(() => ledger.retained(product.db, time.now)),
        (error: unknown) => lifecycle.alive && fault(error),
      );
  }

  #endDelinquent(): void {
    const { ledger, time } = this.#machine;
    for (const sub of ledger.activeSubs())
      if (ledger.isDelinquent(sub, time.now)) ledger.ended(sub, MOTIVO_FAILING, time.now);
  }
}
