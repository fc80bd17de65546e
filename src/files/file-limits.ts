/** What a file of records may be. */
import { UnreadableFile, shownBytes } from './unreadable-file.ts';

export interface JsonLimits {
  /** Bytes of one item of the array. */
  readonly maxItemBytes: number;
  /** Levels of objects and arrays inside one item; the item itself is the first. */
  readonly maxDepth: number;
}

export const JSON_LIMITS: JsonLimits = { maxItemBytes: 10 * 1024 * 1024, maxDepth: 100 };

export interface FileLimits extends JsonLimits {
  /** Bytes of JSON, unpacked: of a plain file, or of all JSON members of a zip together. */
  readonly maxBytes: number;
  /** How many bytes of a member may come out of one byte of the zip. */
  readonly maxRatio: number;
  /** Entries in the directory of a zip, folders and other files included. */
  readonly maxMembers: number;
  /** Of a zip with one file alone, whatever that is called. */
  readonly takesAnyName?: true;
}

/** Contract section 7: “zip bomb: over 200 MiB or 1:200”; the members are ours. */
export const FILE_LIMITS: FileLimits = {
  ...JSON_LIMITS,
  maxBytes: 200 * 1024 * 1024,
  maxRatio: 200,
  maxMembers: 10_000,
};

/** A path, or the whole file in memory. */
export type FileSource = string | Uint8Array;

/** Where an item of a file ends, so that reading can go on behind it. */
export interface ItemPlace {
  /** From 0, through all members. */
  readonly index: number;
  /** Which JSON text of the file, from 0. */
  readonly member: number;
  readonly indexInMember: number;
  /** The byte behind it in that text, and its line there. */
  readonly end: number;
  readonly endLine: number;
}

/** A JSON text of a file: all of it, or one of a zip. */
export interface JsonMember {
  /** Which of the file, from 0. */
  readonly number: number;
  /** Its path in the zip; `undefined` of a plain JSON file. */
  readonly name: string | undefined;
  /** Whether the file has others. */
  readonly isOneOfMany: boolean;
  /** To be read once, to its end or not at all, before the next member is asked for; each chunk, before the next chunk. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** What is read of a file at a time. */
export const READ_BYTES = 128 * 1024;

/** The refusal of a file of so many bytes. */
export function tooLarge(
  size: number,
  limits: FileLimits,
  reason: 'tooLarge' | 'zipBomb' = 'tooLarge',
): UnreadableFile {
  const state = reason === 'zipBomb' ? ' descompactado' : '';
  const message = `O arquivo tem ${shownBytes(size)}${state}; são aceitos até ${shownBytes(limits.maxBytes)}.`;
  return new UnreadableFile(reason, message);
}
