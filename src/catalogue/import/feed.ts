/** Reads the items of an uploaded file ahead of the applier, in bounded memory. */
import { FILE_LIMITS, JSON_LIMITS, type FileLimits, type ItemPlace } from '../../files/file-limits.ts';
import { type FileItem, type ItemSource, otherMembers, readItems } from '../../files/json-members.ts';
import { lookAlike } from '../../files/look-alike.ts';
import { UnreadableFile } from '../../files/unreadable-file.ts';
import { numberText } from '../../validation/json-number.ts';
import { memberIn } from '../../validation/json-value.ts';
import type { FileContents, ImportJob, SheetMembers } from './model.ts';

const MEBIBYTE = 1024 * 1024;

/** Maximum bytes of one item [ours]. JSON.parse and the rules must process it in far less than 50 ms. */
export const ITEM_MAX_BYTES = 2 * MEBIBYTE;

/** Returns the limits of an upload. `maxBytes`: unpacked JSON (setting `importacao.maximo`). */
export const importLimits = (maxBytes: number): FileLimits => ({
  ...FILE_LIMITS,
  maxItemBytes: ITEM_MAX_BYTES,
  maxBytes,
});

/**
 * Returns the limits for items that this program writes. Their source has its own limits: a row of a sheet
 * has at most 500 000 characters, which are stored up to three times, with up to 6 bytes each.
 */
export const generatedLimits = (limits: FileLimits): FileLimits => ({
  ...limits,
  maxItemBytes: JSON_LIMITS.maxItemBytes,
  maxBytes: 4096 * MEBIBYTE,
  maxRatio: Number.POSITIVE_INFINITY,
  takesEveryName: true,
});

/** Items that are read in one turn. */
const ITEMS_PER_TURN = 256;
const BYTES_PER_TURN = MEBIBYTE;

/**
 * Reads and checks the whole file, and yields after each turn. Runs before the first item is applied, because
 * no item of an unreadable file may be stored.
 * Throws `UnreadableFile`.
 * `requestedCompanies`: the companies to look for.
 * `rows`: the members whose items are rows of sheets, which do not name their company.
 */
export async function* contentsOf(
  file: string,
  limits: FileLimits,
  requestedCompanies: ReadonlySet<string> = new Set(),
  rows?: SheetMembers,
): AsyncGenerator<void, FileContents, undefined> {
  const count = new ItemCount(requestedCompanies, rows);
  let turnAt = 0;
  try {
    for await (const item of readItems(file, limits, { judgesOnly: true })) {
      count.add(item);
      const { end } = item;
      if (end < turnAt) turnAt = 0; // the next member of a zip
      if (count.total % ITEMS_PER_TURN !== 0 && end - turnAt < BYTES_PER_TURN) continue;
      turnAt = end;
      yield;
    }
  } catch (failure) {
    throw failure instanceof UnreadableFile ? await withLikeness(failure, file) : failure;
  }
  return count.contents(await otherMembers(file, limits));
}

/** Counts the items of a file, and finds the companies that they name. */
export class ItemCount {
  readonly #requestedCompanies: ReadonlySet<string>;
  readonly #rows: SheetMembers | undefined;
  readonly #companies = new Set<string>();
  #company: string | null = null;
  total = 0;

  /** The parameters are those of `contentsOf`. */
  constructor(requestedCompanies: ReadonlySet<string>, rows?: SheetMembers) {
    this.#requestedCompanies = requestedCompanies;
    this.#rows = rows;
  }

  add({ value, member }: Pick<FileItem, 'value' | 'member'>): void {
    const company = this.#rows?.names.has(member) === true ? this.#rows.cpfCnpjRaiz : companyIn(value);
    this.#company = this.total === 0 || this.#company === company ? company : null;
    if (company !== null && this.#requestedCompanies.has(company)) this.#companies.add(company);
    this.total += 1;
  }

  contents(leftOut: FileContents['leftOut']): FileContents {
    return { total: this.total, company: this.#company, companies: [...this.#companies], leftOut };
  }
}

/**
 * Returns the contents as they are stored with a job: a sender that does not represent a company cannot block
 * it, and cannot show a file to it. `otherwise`: the company of the job when its file names none of these.
 */
export function storedContents(
  contents: FileContents,
  callerCompanies: ReadonlySet<string>,
  otherwise: string | null,
): FileContents {
  const isOwned = contents.company !== null && callerCompanies.has(contents.company);
  return isOwned ? { ...contents, companies: [] } : { ...contents, company: otherwise };
}

/**
 * Reads the company as the form of the item does: digits may be a number, and blanks around them are ignored.
 */
function companyIn(item: unknown): string | null {
  const cpfCnpjRaiz = memberIn(item, 'cpfCnpjRaiz');
  const text = numberText(cpfCnpjRaiz) ?? cpfCnpjRaiz;
  return typeof text === 'string' ? text.trim() : null;
}

/** Adds what the file seems to be. For a spreadsheet, "byte 0" alone does not help the user. */
async function withLikeness(failure: UnreadableFile, file: string): Promise<UnreadableFile> {
  const other = await lookAlike(file);
  if (other === undefined) return failure;
  const message = `${failure.message} O arquivo parece ${other}; envie um .json, ou um .zip de arquivos .json.`;
  return new UnreadableFile(failure.reason, message, failure.byte, failure);
}

/** Returns where reading resumes: behind the last item that was applied. */
export const lastAppliedPlace = ({ processed, place }: ImportJob): ItemPlace | undefined =>
  processed === 0 ? undefined : { index: processed - 1, ...place };

/** Maximum items and ms of reading ahead. Large items take long to read, so few of them are held. */
const AHEAD_MAX_ITEMS = 512;
const AHEAD_MS = 5;

export class ItemFeed {
  readonly #stopwatch: () => number;
  readonly #items: AsyncGenerator<FileItem, void, undefined>;
  #ahead: FileItem[] = [];

  constructor(
    file: string | ItemSource,
    limits: FileLimits,
    /** The last item that was applied before. `undefined`: none was. */
    lastApplied: ItemPlace | undefined,
    stopwatch: () => number,
  ) {
    this.#stopwatch = stopwatch;
    const behind = lastApplied;
    this.#items = typeof file === 'string' ? readItems(file, limits, { behind }) : file(behind);
  }

  /**
   * Returns the next items in order, and the same ones until `take` removes them. Returns none at the end of
   * the file.
   */
  async next(): Promise<readonly FileItem[]> {
    const started = this.#stopwatch();
    while (this.#ahead.length < AHEAD_MAX_ITEMS) {
      const { done, value } = await this.#items.next();
      if (done === true) break;
      this.#ahead.push(value);
      if (this.#stopwatch() - started >= AHEAD_MS) break;
    }
    return this.#ahead;
  }

  /** Removes the first `count` items that `next` returned. */
  take(count: number): void {
    this.#ahead = this.#ahead.slice(count);
  }

  async close(): Promise<void> {
    await this.#items.return();
  }
}
