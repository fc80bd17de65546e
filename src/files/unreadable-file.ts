/** Reasons for which a whole file is unreadable (contract section 7). */
export type UnreadableReason =
  | 'invalidJson'
  | 'invalidUtf8'
  | 'notArray'
  | 'truncated'
  | 'trailingData'
  | 'empty'
  | 'itemTooLarge'
  | 'tooDeep'
  | 'tooLarge'
  | 'zipBomb'
  | 'encrypted'
  | 'corrupt'
  | 'unsupportedMethod'
  | 'noJsonMember'
  | 'tooManyMembers';

/**
 * Ends the reading of a file: the rest of it is unreliable, so an import keeps nothing of it. It is thrown
 * because an async iterable has no other way to fail. The import job turns it into its `error` text.
 */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  readonly reason: UnreadableReason;
  /** Offset from 0 in the uncompressed file, byte order mark included. `undefined`: not available. */
  readonly byte: number | undefined;

  constructor(reason: UnreadableReason, message: string, byte?: number, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
    this.byte = byte;
  }
}

/** Returns the error in the form of contract section 7: “bad JSON at byte N”. */
export const unreadableJson = (reason: UnreadableReason, byte: number, message: string): UnreadableFile =>
  new UnreadableFile(reason, `JSON inválido no byte ${byte}: ${message}`, byte);

/** Returns the same error with the name of its zip member. */
export const inMember = (name: string, refusal: UnreadableFile): UnreadableFile =>
  new UnreadableFile(refusal.reason, `${name}: ${refusal.message}`, refusal.byte, refusal);

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

/**
 * Prints the exact size, so that one byte over a limit does not look like the limit: `200 MiB`, `209.715.201
 * bytes`.
 */
export function bytesText(bytes: number): string {
  if (bytes >= MEBIBYTE && bytes % MEBIBYTE === 0) return `${bytes / MEBIBYTE} MiB`;
  if (bytes >= KIBIBYTE && bytes % KIBIBYTE === 0) return `${bytes / KIBIBYTE} KiB`;
  return `${bytes.toLocaleString('pt-BR')} bytes`;
}
