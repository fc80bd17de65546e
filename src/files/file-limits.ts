/** Limits of a file of records. */
import { UnreadableFile, bytesText } from './unreadable-file.ts';

export interface JsonLimits {
  /** Size of one item of the array, in bytes. */
  readonly maxItemBytes: number;
  /** Levels of objects and arrays inside one item. The item itself is the first. */
  readonly maxDepth: number;
}

export const JSON_LIMITS: JsonLimits = { maxItemBytes: 10 * 1024 * 1024, maxDepth: 100 };

export interface FileLimits extends JsonLimits {
  /** Size of the unpacked JSON in bytes: of a plain file, or of all JSON members of a zip together. */
  readonly maxBytes: number;
  /** Maximum number of unpacked bytes per byte of the zip. */
  readonly maxRatio: number;
  /** Entries in the directory of a zip, folders and other files included. */
  readonly maxMembers: number;
  /** A zip with only one file may have any name for it. */
  readonly takesAnyName?: true;
  /** Every file of a zip is JSON, whatever its name. */
  readonly takesEveryName?: true;
}

/** Contract section 7: “zip bomb: over 200 MiB or 1:200”. The limit for members is ours. */
export const FILE_LIMITS: FileLimits = {
  ...JSON_LIMITS,
  maxBytes: 200 * 1024 * 1024,
  maxRatio: 200,
  maxMembers: 10_000,
};

/** A path, or the whole file in memory. */
export type FileSource = string | Uint8Array;

/** The end of an item in a file, at which reading can continue. */
export interface ItemPlace {
  /** From 0, through all members. */
  readonly index: number;
  /** Number of the JSON text in the file, from 0. */
  readonly member: number;
  readonly indexInMember: number;
  /** Offset of the byte after it in that text, and its line. */
  readonly end: number;
  readonly endLine: number;
}

/** A JSON text of a file: the whole file, or a member of a zip. */
export interface JsonMember {
  /** Number in the file, from 0. */
  readonly number: number;
  /** Path in the zip. `undefined`: a plain JSON file. */
  readonly name: string | undefined;
  /** The file has more than one. */
  readonly isOneOfMany: boolean;
  /**
   * Read it once, to its end or not at all, before the next member. Process each chunk before the next one.
   */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Size of one read, in bytes. */
export const READ_BYTES = 128 * 1024;

/** Returns the refusal of a file that is too large. */
export function tooLarge(
  size: number,
  limits: FileLimits,
  reason: 'tooLarge' | 'zipBomb' = 'tooLarge',
): UnreadableFile {
  const state = reason === 'zipBomb' ? ' descompactado' : '';
  const message = `O arquivo tem ${bytesText(size)}${state}; são aceitos até ${bytesText(limits.maxBytes)}.`;
  return new UnreadableFile(reason, message);
}
