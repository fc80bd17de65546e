/** Items of a file that this tab has sent, to send some of them again. */
import type { Upload } from '../upload.ts';

export type Item = Readonly<Record<string, unknown>>;

/** Maximum size for parsing in the memory of a browser. */
const READ_MAX_BYTES = 100 * 1024 * 1024;

/**
 * Returns the items in the order of `index` of the import, or `undefined` if the file is too large or has
 * changed.
 */
export async function itemsOf({ file }: Upload): Promise<readonly Item[] | undefined> {
  if (file.size > READ_MAX_BYTES) return undefined;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  try {
    const texts = isZip ? await textsInZip(bytes) : [new TextDecoder().decode(bytes)];
    return texts.flatMap((text) => JSON.parse(text) as readonly Item[]);
  } catch {
    return undefined;
  }
}

async function textsInZip(bytes: Uint8Array): Promise<readonly string[]> {
  const { unzipSync } = await import('fflate');
  const members = Object.entries(unzipSync(bytes)).filter(([name]) => /\.json$/i.test(name));
  return members.map(([, content]) => new TextDecoder().decode(content));
}

interface PlacedItem {
  readonly line: number;
  readonly item: Item;
}

/**
 * Returns a JSON array in which each item keeps its line, so that line numbers in results match the original
 * file.
 */
export function textOfItems(items: readonly PlacedItem[]): string {
  let text = '[';
  let line = 1;
  for (const [index, placedItem] of items.entries()) {
    if (index > 0) text += ',';
    text += '\n'.repeat(Math.max(0, placedItem.line - line)) + JSON.stringify(placedItem.item);
    line = Math.max(line, placedItem.line);
  }
  return `${text}]`;
}
