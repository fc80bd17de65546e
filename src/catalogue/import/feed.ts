/** The items of an uploaded file, read ahead of what applies them, in bounded memory. */
import { FILE_LIMITS, type FileLimits, type ItemPlace } from '../../files/file-limits.ts';
import { type FileItem, readItems } from '../../files/json-members.ts';
import { lookAlike } from '../../files/look-alike.ts';
import { UnreadableFile } from '../../files/unreadable-file.ts';

const MEBIBYTE = 1024 * 1024;

/** Bytes of one item [ours]: what JSON.parse and the rules do to it in one go must stay far below 50 ms. */
export const ITEM_MAX_BYTES = 2 * MEBIBYTE;

/** `maxBytes`: of JSON, unpacked (setting `importacao.maximo`). */
export const importLimits = (maxBytes: number): FileLimits => ({
  ...FILE_LIMITS,
  maxItemBytes: ITEM_MAX_BYTES,
  maxBytes,
});

/** Items between two looks at whether to go on. */
const ITEMS_PER_LOOK = 256;

/**
 * Reads and checks the whole file: so many items, or `undefined` when `goesOn` said no. Throws `UnreadableFile`: nothing
 * of a file that cannot be read to its end may be kept, so this runs before the first item is applied.
 */
export async function countItems(
  file: string,
  limits: FileLimits,
  goesOn: () => boolean,
): Promise<number | undefined> {
  let count = 0;
  try {
    for await (const _ of readItems(file, limits, { judgesOnly: true })) {
      count += 1;
      if (count % ITEMS_PER_LOOK === 0 && !goesOn()) return undefined;
    }
  } catch (failure) {
    throw failure instanceof UnreadableFile ? await withLikeness(failure, file) : failure;
  }
  return count;
}

/** Says what the file seems to be instead: of a spreadsheet, "byte 0" alone tells nobody what to do. */
async function withLikeness(failure: UnreadableFile, file: string): Promise<UnreadableFile> {
  const other = await lookAlike(file);
  if (other === undefined) return failure;
  const message = `${failure.message} O arquivo parece ${other}; envie um .json, ou um .zip de arquivos .json.`;
  return new UnreadableFile(failure.reason, message, failure.byte, failure);
}

/** Reading ahead ends after so many items, or so much time: large items take long, so few of them are held. */
const AHEAD_MAX_ITEMS = 512;
const AHEAD_MS = 5;

export interface FeedParts {
  readonly file: string;
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
    this.#items = readItems(parts.file, parts.limits, { behind: parts.behind });
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
