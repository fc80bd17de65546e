/**
 * Warns companies some days before a new requirement on their products (contract section 19): event
 * `catp-prazo`.
 */
import { type Clock, DAY_MS, type Day, type EpochMs } from '../../../clock.ts';
import { type FolderMarks, WARNED_ON } from '../../../db/folder-mark.ts';
import type { Transaction, Writer } from '../../../db/writer.ts';
import type { Reads } from '../../../reading/pool.ts';
import { linesIn } from '../../../reading/stream.ts';
import { SYSTEM } from '../../../session/model.ts';
import { dayBefore, dayOf, daysAfter, localDateTime } from '../../../validation/calendar.ts';
import type { LackingRead } from './lacking.ts';
import type { LackingProduct, Warning } from './model.ts';
import type { WarningPlace, WarningStore } from './warning-store.ts';

export interface DeadlineWarningsParts {
  readonly store: WarningStore;
  readonly marks: FolderMarks;
  readonly reads: Reads<LackingRead>;
  readonly writer: Writer;
  readonly clock: Clock;
  /** Days before the deadline at which a company is warned (setting `prazos.avisos`). */
  readonly days: readonly number[];
  readonly publish: (tx: Transaction, warning: Warning) => void;
}

/** Hour of the job, Brasília. */
export const WARNING_HOUR = 6;

/** Some ms of work for the writer. */
const WARNINGS_PER_WRITE = 50;
const PRODUCTS_PER_WRITE = 1000;

interface DueWarning {
  readonly warning: Warning;
  /** Days before the deadline, as counted in the setting. */
  readonly left: number;
}

export class DeadlineWarnings {
  readonly #parts: DeadlineWarningsParts;

  constructor(parts: DeadlineWarningsParts) {
    this.#parts = parts;
  }

  /** Publishes the warnings that are due and not published yet. */
  async runOnce(): Promise<{ readonly events: number }> {
    const { reads, writer, marks, clock, days } = this.#parts;
    const today = dayOf(clock.now());
    let events = 0;
    if (days.length > 0) {
      const filter = { today, companies: undefined, until: daysAfter(today, Math.max(...days)) };
      const lines = reads.read({ kind: 'lacking', filter }, { user: SYSTEM });
      let [due, products]: [DueWarning[], number] = [[], 0];
      const tellDue = async (): Promise<void> => {
        const batch = due;
        [due, products] = [[], 0];
        if (batch.length > 0)
          events += await writer.write((tx) => batch.filter((one) => this.#tell(tx, one)).length);
      };
      for await (const line of linesIn(lines)) {
        const warning = JSON.parse(line) as Warning; // written by this program
        const noticeDays = dueDays(warning.on, today, days);
        if (this.#isTold(warning, noticeDays)) continue;
        due.push({ warning, left: noticeDays });
        products += warning.products.length;
        if (due.length >= WARNINGS_PER_WRITE || products >= PRODUCTS_PER_WRITE) await tellDue();
      }
      await tellDue();
    }
    await writer.write(() => marks.put(WARNED_ON, today));
    return { events };
  }

  /**
   * Returns true if the server was off when the job was due: since its last run, or since the folder was
   * created.
   */
  hasMissedOne(): boolean {
    const { marks, clock } = this.#parts;
    const now = clock.now();
    const warnedOn = marks.find(WARNED_ON) ?? lastDueDay(marks.bornAt());
    // A clock that was ahead has stored a future day: it proves nothing about the days before.
    return warnedOn < lastDueDay(now) || warnedOn > dayOf(now);
  }

  #isTold(warning: Warning, noticeDays: number): boolean {
    const warned = this.#parts.store.find(warning);
    if (warned === undefined || warned.days > noticeDays) return false;
    return warned.isTold || !warning.products.some((product) => isBehind(product, warned.after));
  }

  /** Returns `false` when another process has published it. */
  #tell(tx: Transaction, { warning, left: noticeDays }: DueWarning): boolean {
    if (this.#isTold(warning, noticeDays)) return false;
    const { store, publish } = this.#parts;
    const warned = store.find(warning);
    const goesOn = warned !== undefined && warned.days <= noticeDays;
    const products = goesOn
      ? warning.products.filter((product) => isBehind(product, warned.after))
      : warning.products;
    const [ncm, codigo] = warning.products.at(-1) ?? ['', 0];
    publish(tx, { ...warning, products });
    store.put(warning, { days: noticeDays, after: { ncm, codigo }, isTold: warning.isLast });
    return true;
  }
}

/**
 * Returns the latest due warning: earlier ones are not published any more. Only deadlines with at least one
 * due warning are read.
 */
function dueDays(on: Day, today: Day, days: readonly number[]): number {
  const daysLeft = (Date.parse(on) - Date.parse(today)) / DAY_MS;
  return Math.min(...days.filter((most) => daysLeft <= most));
}

const isBehind = ([ncm, codigo]: LackingProduct, after: WarningPlace): boolean =>
  ncm > after.ncm || (ncm === after.ncm && codigo > after.codigo);

function lastDueDay(now: EpochMs): Day {
  const today = dayOf(now);
  return Number(localDateTime(now).slice(11, 13)) >= WARNING_HOUR ? today : dayBefore(today);
}
