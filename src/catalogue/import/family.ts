/**
 * Groups the imports of the rows of one sheet. A row that one of them has applied is not applied again
 * (contract sections 16, 24).
 */
import { endOfTurn } from '../../clock.ts';
import { unprocessable } from '../../errors.ts';
import { withCount } from '../../validation/text.ts';
import { violated } from '../codes.ts';
import { type ImportJob, isOver } from './model.ts';
import type { FamilyStore } from './family-store.ts';

/** Lines of one page, a few ms of work. */
const LINES_PER_TURN = 2000;

export class ImportFamily {
  readonly #store: FamilyStore;

  constructor(store: FamilyStore) {
    this.#store = store;
  }

  /** Throws 422 that names the import, other than `own`, that carries out a dry run. */
  refuseCarriedOut(dryRun: number, own = 0): void {
    const id = this.#store.findCarriedOut(dryRun, own);
    if (id !== undefined)
      throw alreadyDone(
        '/from',
        `a simulação ${dryRun} já foi gravada pela importação ${id}; acompanhe-a, ou simule de novo.`,
      );
  }

  /**
   * Returns the rows that other imports of the sheet have applied, or the products that other imports of the
   * change have.
   * Throws 422 while one of them writes.
   */
  async doneByOthers(
    job: Pick<ImportJob, 'id' | 'root' | 'changesMany'>,
    isDryRun: boolean,
  ): Promise<DoneRows> {
    const isOfProducts = job.changesMany === true;
    const members = this.#others(job);
    if (!isDryRun) refuseOpen(members);
    const byLine = new Map<number, number>();
    for (const { id } of members)
      for (let after: number | undefined = -1; after !== undefined;) {
        const page: readonly { idx: number; line: number }[] = isOfProducts
          ? this.#store.listDoneCodes(id, after, LINES_PER_TURN)
          : this.#store.listDoneLines(id, after, LINES_PER_TURN);
        for (const { line } of page) byLine.set(line, id);
        after = page.length < LINES_PER_TURN ? undefined : page.at(-1)?.idx;
        await endOfTurn();
      }
    const check = (own: number): void => {
      if (isDryRun) return;
      const now = this.#others(job).filter(({ id }) => id !== own);
      refuseOpen(now);
      const memberIds = new Set(members.map(({ id }) => id));
      const later = now.findLast(({ id }) => !memberIds.has(id));
      if (later !== undefined) throw underWay(later.id);
    };
    return new DoneRows(byLine, check, isOfProducts);
  }

  #others({ id: own, root }: Pick<ImportJob, 'id' | 'root'>) {
    return this.#store.listFamily(root).filter(({ id }) => id !== own);
  }
}

export class DoneRows {
  readonly #byLine: ReadonlyMap<number, number>;
  /**
   * Throws 422 if an import other than `own` was added in the meantime. Call it in the transaction of the new
   * import.
   */
  readonly check: (own: number) => void;
  readonly #isOfProducts: boolean;
  readonly #leftOut = new Map<number, number>();
  #openRows = 0;

  constructor(byLine: ReadonlyMap<number, number>, check: (own: number) => void, isOfProducts: boolean) {
    this.#byLine = byLine;
    this.#isOfProducts = isOfProducts;
    this.check = check;
  }

  /** Returns true if a row is still open. Counts the rows that are not. */
  isOpen(line: number): boolean {
    const by = this.#byLine.get(line);
    if (by === undefined) this.#openRows += 1;
    else this.#leftOut.set(by, (this.#leftOut.get(by) ?? 0) + 1);
    return by === undefined;
  }

  /** Throws 422 that names the import that applied all of the checked rows. */
  refuseAllDone(): void {
    if (this.#openRows > 0 || this.#leftOut.size === 0) return;
    const by = [...this.#leftOut.keys()].toSorted((a, b) => a - b);
    throw alreadyDone(
      null,
      `${this.#isOfProducts ? 'Todos os produtos já foram gravados' : 'Todas as linhas já foram gravadas'} pela importação ${by.join(', ')}; não há o que fazer.`,
    );
  }

  /** Returns a notice for each import whose rows were left out. */
  notices(): string[] {
    return [...this.#leftOut].map(
      ([id, count]) =>
        `${withCount(count, this.#isOfProducts ? 'produto' : 'linha')} de fora, porque a importação ${id} já ${this.#isOfProducts ? 'o' : 'a'}${count === 1 ? '' : 's'} gravou.`,
    );
  }
}

function refuseOpen(members: readonly Pick<ImportJob, 'id' | 'state'>[]): void {
  const open = members.find(({ state }) => !isOver(state));
  if (open !== undefined) throw underWay(open.id);
}

const underWay = (id: number) =>
  alreadyDone(
    null,
    `A importação ${id}, feita da mesma origem, ainda grava; espere que termine e veja o que falta.`,
  );

const alreadyDone = (path: string | null, message: string) =>
  unprocessable([violated('alreadyDone', path, message)]);
