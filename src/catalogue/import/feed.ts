/** The items of an uploaded file, read ahead of what applies them, in bounded memory. */
import { FILE_LIMITS, type FileLimits, type ItemPlace } from '../../files/file-limits.ts';
import { type FileItem, type ItemSource, otherMembers, readItems } from '../../files/json-members.ts';
import { lookAlike } from '../../files/look-alike.ts';
import { UnreadableFile } from '../../files/unreadable-file.ts';
import { numberText } from '../../validation/json-number.ts';
import { memberIn } from '../../validation/json-value.ts';
import type { FileContents, ImportJob } from './model.ts';

const MEBIBYTE = 1024 * 1024;

/** Bytes of one item [ours]: what JSON.parse and the rules do to it in one go must stay far below 50 ms. */
export const ITEM_MAX_BYTES = 2 * MEBIBYTE;

/** `maxBytes`: of JSON, unpacked (setting `importacao.maximo`). */
export const importLimits = (maxBytes: number): FileLimits => ({
  ...FILE_LIMITS,
  maxItemBytes: ITEM_MAX_BYTES,
  maxBytes,
});

/** Of items that we make ourselves: what they are made of has limits of its own. */
export const madeLimits = (limits: FileLimits): FileLimits => ({ ...limits, maxBytes: 4096 * MEBIBYTE });

/** What is read in one turn. */
const ITEMS_PER_TURN = 256;
const BYTES_PER_TURN = MEBIBYTE;

/**
 * Reads and checks the whole file; stands still after each turn. Throws `UnreadableFile`: nothing of a file that cannot be
 * read to its end may be kept, so this runs before the first item is applied. `asked`: the companies that are looked for.
 */
export async function* contentsOf(
  file: string,
  limits: FileLimits,
  asked: ReadonlySet<string> = new Set(),
): AsyncGenerator<void, FileContents, undefined> {
  let [total, turnAt] = [0, 0];
  const companies = new Set<string>();
  let company: string | null | undefined;
  try {
    for await (const { value, end } of readItems(file, limits, { judgesOnly: true })) {
      const named = companyIn(value);
      company = total === 0 || company === named ? named : null;
      if (named !== null && asked.has(named)) companies.add(named);
      total += 1;
      if (end < turnAt) turnAt = 0; // the next member of a zip
      if (total % ITEMS_PER_TURN !== 0 && end - turnAt < BYTES_PER_TURN) continue;
      turnAt = end;
      yield;
    }
  } catch (failure) {
    throw failure instanceof UnreadableFile ? await withLikeness(failure, file) : failure;
  }
  const leftOut = await otherMembers(file, limits);
  return { total, company: company ?? null, companies: [...companies], leftOut };
}

/** Names the members of a zip that are no JSON; a spreadsheet is sent by itself. */
export const leftOutNotices = (names: readonly string[]): readonly string[] =>
  names.map((name) =>
    /\.(?:xls[xm]?|csv|tsv)$/i.test(name)
      ? `${name}: uma planilha, não importada; envie-a fora do zip.`
      : `${name}: não é um arquivo .json, não importado.`,
  );

/** As the item's own form reads it: digits may come as a number, with blanks round them. */
function companyIn(item: unknown): string | null {
  const cpfCnpjRaiz = memberIn(item, 'cpfCnpjRaiz');
  const text = numberText(cpfCnpjRaiz) ?? cpfCnpjRaiz;
  return typeof text === 'string' ? text.trim() : null;
}

/** Says what the file seems to be instead: of a spreadsheet, "byte 0" alone tells nobody what to do. */
async function withLikeness(failure: UnreadableFile, file: string): Promise<UnreadableFile> {
  const other = await lookAlike(file);
  if (other === undefined) return failure;
  const message = `${failure.message} O arquivo parece ${other}; envie um .json, ou um .zip de arquivos .json.`;
  return new UnreadableFile(failure.reason, message, failure.byte, failure);
}

/** Where the file is read on: behind the last item that was applied. */
export const behindOf = ({ processed, place }: ImportJob): ItemPlace | undefined =>
  processed === 0 ? undefined : { index: processed - 1, ...place };

/** Reading ahead ends after so many items, or so much time: large items take long, so few of them are held. */
const AHEAD_MAX_ITEMS = 512;
const AHEAD_MS = 5;

export interface FeedParts {
  readonly file: string | ItemSource;
  readonly limits: FileLimits;
  /** The last item that was applied before; `undefined`: none was. */
  readonly behind: ItemPlace | undefined;
  readonly stopwatch: () => number;
}

export class ItemFeed {
  readonly #parts: FeedParts;
  readonly #items: AsyncGenerator<FileItem, void, undefined>;
  #ahead: FileItem[] = [];

  constructor(parts: FeedParts) {
    this.#parts = parts;
    const { file, limits, behind } = parts;
    this.#items = typeof file === 'string' ? readItems(file, limits, { behind }) : file(behind);
  }

  /** The next items in order, the same ones again until they are taken; none when the file has ended. */
  async next(): Promise<readonly FileItem[]> {
    const { stopwatch } = this.#parts;
    const started = stopwatch();
    while (this.#ahead.length < AHEAD_MAX_ITEMS) {
      const { done, value } = await this.#items.next();
      if (done === true) break;
      this.#ahead.push(value);
      if (stopwatch() - started >= AHEAD_MS) break;
    }
    return this.#ahead;
  }

  /** Takes the first `count` of what `next` gave. */
  take(count: number): void {
    this.#ahead = this.#ahead.slice(count);
  }

  async close(): Promise<void> {
    await this.#items.return();
  }
}
