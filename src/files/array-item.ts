/** An item of a JSON array, with its position. */
import type { Problem } from '../errors.ts';

export interface ArrayItem {
  /** From 0, in the order of the file. */
  readonly index: number;
  readonly value: unknown;
  /** The members that occur twice in one object: an error of this item (contract section 3). */
  readonly repeated?: readonly Problem[];
  /** The line in which it begins, from 1. */
  readonly line: number;
  /**
   * Offset of the byte after the item, from the start of its JSON text. A comma or the end of the array
   * follows.
   */
  readonly end: number;
  /** The line of that byte. */
  readonly endLine: number;
}

export interface ArrayReading {
  /** Continues after an item that was read before. The chunks begin with the byte at its `end`. */
  readonly behind?: Pick<ArrayItem, 'index' | 'end' | 'endLine'> | undefined;
  /** Only checks that the item is readable: the values may be anything. */
  readonly judgesOnly?: boolean | undefined;
}
