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
import type { WarningPosition, WarningStore } from './warning-store.ts';

/** Hour of the job, Brasília. */
export const WARNING_HOUR = 6;

/** Maximum number of warnings in one transaction: some ms of work for the writer. */
const WARNINGS_PER_WRITE = 50;
const PRODUCTS_PER_WRITE = 1000;

interface DueWarning {
  readonly warning: Warning;
  /** Days before the deadline, as counted in the setting. */
  readonly noticeDays: number;
}

export function createDeadlineWarnings({
  store,
  marks,
  reads,
  writer,
  clock,
  days,
  publish,
}: {
  readonly store: WarningStore;
  readonly marks: FolderMarks;
  readonly reads: Reads<LackingRead>;
  readonly writer: Writer;
  readonly clock: Clock;
  /** Days before the deadline at which a company is warned (setting `prazos.avisos`). */
  readonly days: readonly number[];
  readonly publish: (tx: Transaction, warning: Warning) => void;
}) {
  /** Publishes the warnings that are due and not published yet. */
  async function runOnce(): Promise<{ readonly events: number }> {
    const today = dayOf(clock.now());
    let events = 0;
    if (days.length > 0) {
      const filter = { today, companies: undefined, until: daysAfter(today, Math.max(...days)) };
      const lines = reads.read({ kind: 'lacking', filter }, { user: SYSTEM });
      let [dueWarnings, products]: [DueWarning[], number] = [[], 0];
      const publishDue = async (): Promise<void> => {
        const batch = dueWarnings;
        [dueWarnings, products] = [[], 0];
        if (batch.length > 0)
          events += await writer.write(
            (tx) => batch.filter((dueWarning) => publishOnce(tx, dueWarning)).length,
          );
      };
      for await (const line of linesIn(lines)) {
        const warning = JSON.parse(line) as Warning; // written by this program
        const noticeDays = dueDays(warning.on, today, days);
        if (isPublished(warning, noticeDays)) continue;
        dueWarnings.push({ warning, noticeDays });
        products += warning.products.length;
        if (dueWarnings.length >= WARNINGS_PER_WRITE || products >= PRODUCTS_PER_WRITE) await publishDue();
      }
      await publishDue();
    }
    await writer.write(() => marks.put(WARNED_ON, today));
    return { events };
  }

  /**
   * Returns true if the server was off when the job was due: since its last run, or since the folder was
   * created.
   */
  function hasMissedRun(): boolean {
    const now = clock.now();
    const warnedOn = marks.find(WARNED_ON) ?? lastDueDay(marks.bornAt());
    // A clock that was ahead has stored a future day: the days before it may have been missed.
    return warnedOn < lastDueDay(now) || warnedOn > dayOf(now);
  }

  function isPublished(warning: Warning, noticeDays: number): boolean {
    const progress = store.find(warning);
    if (progress === undefined || progress.days > noticeDays) return false;
    return progress.isComplete || !warning.products.some((product) => isAfter(product, progress.after));
  }

  /** Returns `false` when another process has published it. */
  function publishOnce(tx: Transaction, { warning, noticeDays }: DueWarning): boolean {
    if (isPublished(warning, noticeDays)) return false;
    const progress = store.find(warning);
    const isContinued = progress !== undefined && progress.days <= noticeDays;
    const products = isContinued
      ? warning.products.filter((product) => isAfter(product, progress.after))
      : warning.products;
    const [ncm, codigo] = warning.products.at(-1) ?? ['', 0];
    publish(tx, { ...warning, products });
    store.put(warning, { days: noticeDays, after: { ncm, codigo }, isComplete: warning.isLast });
    return true;
  }

  return { runOnce, hasMissedRun };
}

/**
 * Returns the latest due warning: earlier ones are not published any more. Only deadlines with at least one
 * due warning are read.
 */
function dueDays(on: Day, today: Day, days: readonly number[]): number {
  const daysLeft = (Date.parse(on) - Date.parse(today)) / DAY_MS;
  return Math.min(...days.filter((noticeDays) => daysLeft <= noticeDays));
}

const isAfter = ([ncm, codigo]: LackingProduct, after: WarningPosition): boolean =>
  ncm > after.ncm || (ncm === after.ncm && codigo > after.codigo);

function lastDueDay(now: EpochMs): Day {
  const today = dayOf(now);
  return Number(localDateTime(now).slice(11, 13)) >= WARNING_HOUR ? today : dayBefore(today);
}
