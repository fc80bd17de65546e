/** Why a file that somebody handed in cannot be read as a whole (contract section 7). */
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
 * The end of reading a file: nothing after it can be trusted, so an import that meets it keeps nothing. It is thrown,
 * because an async iterable has no other way to end badly; the import job turns it into its `error` text.
 */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  readonly reason: UnreadableReason;
  /** Offset from 0 in the (uncompressed) file, byte order mark included, where there is one to tell. */
  readonly byte: number | undefined;

  constructor(reason: UnreadableReason, message: string, byte?: number, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
    this.byte = byte;
  }
}

/** The form that contract section 7 prints: “bad JSON at byte N”. */
export const unreadableJson = (reason: UnreadableReason, byte: number, message: string): UnreadableFile =>
  new UnreadableFile(reason, `JSON inválido no byte ${byte}: ${message}`, byte);

/** The same refusal, told with the name of the member it happened in. */
export const inMember = (name: string, refusal: UnreadableFile): UnreadableFile =>
  new UnreadableFile(refusal.reason, `${name}: ${refusal.message}`, refusal.byte, refusal);

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

/** Exact, so that a size one byte over a limit does not look like the limit: `200 MiB`, `209.715.201 bytes`. */
export function shownBytes(bytes: number): string {
  if (bytes >= MEBIBYTE && bytes % MEBIBYTE === 0) return `${bytes / MEBIBYTE} MiB`;
  if (bytes >= KIBIBYTE && bytes % KIBIBYTE === 0) return `${bytes / KIBIBYTE} KiB`;
  return `${bytes.toLocaleString('pt-BR')} bytes`;
}
