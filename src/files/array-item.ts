/** An item of a JSON array, and where it stands. */
import type { Problem } from '../errors.ts';

export interface ArrayItem {
  /** From 0, in the order of the file. */
  readonly index: number;
  readonly value: unknown;
  /** The members that stand twice in their object: the item's own error (contract section 3). */
  readonly repeated?: readonly Problem[];
  /** The line in which it begins, from 1. */
  readonly line: number;
  /** The byte behind it, counted from the start of its JSON text; what comes next is a comma or the end of the array. */
  readonly end: number;
  /** The line of that byte. */
  readonly endLine: number;
}

export interface ArrayReading {
  /** Goes on behind an item that was read before; the chunks begin with the byte at its `end`. */
  readonly behind?: Pick<ArrayItem, 'index' | 'end' | 'endLine'> | undefined;
  /** Only whether it can be read is asked: the values may be anything. */
  readonly judgesOnly?: boolean | undefined;
}
