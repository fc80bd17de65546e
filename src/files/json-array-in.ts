import { endOfTurn } from '../clock.ts';
import { JSON_LIMITS, type JsonLimits } from './file-limits.ts';
import type { ArrayItem, ArrayReading } from './array-item.ts';
import { ArrayScanner } from './json-array-scanner.ts';

/** Size that is read before other tasks get their turn: some 2 ms on the slowest measured machine. */
const TURN_BYTES = 128 * 1024;

/**
 * Yields the items of a JSON text that is one array of any length, in the memory of its largest item
 * (contract section 7). Our own scanner only finds where items begin and end; `JSON.parse` validates each
 * (validation/json.ts). Throws `UnreadableFile` at the first wrong byte, after all items before it.
 */
export async function* readJsonArray(
  chunks: AsyncIterable<Uint8Array>,
  limits: JsonLimits = JSON_LIMITS,
  reading: ArrayReading = {},
): AsyncGenerator<ArrayItem, void, undefined> {
  const scanner = new ArrayScanner(limits, reading);
  let turn = 0;
  for await (const chunk of chunks) {
    for (let offset = 0; offset < chunk.length; offset += TURN_BYTES) {
      const piece = chunk.subarray(offset, offset + TURN_BYTES);
      scanner.push(piece);
      for (let item = scanner.next(); item !== undefined; item = scanner.next()) yield item;
      turn += piece.length;
      if (turn >= TURN_BYTES) {
        turn = 0;
        await endOfTurn();
      }
    }
  }
  scanner.end();
}
