/** A JSON file's bytes as a value, or the byte at which they stop being one. */
import { jsonFault } from './json-fault.ts';

export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  /** In Portuguese, with the byte's offset in the file. */
  | { readonly ok: false; readonly reason: string };

/** UTF-8, with or without a byte order mark. */
export function parseJson(file: Uint8Array | string): ParsedJson {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
  const invalid = firstInvalidByte(bytes);
  if (invalid !== undefined) return { ok: false, reason: `o arquivo não é UTF-8 válido no byte ${invalid}.` };
  try {
    return { ok: true, value: JSON.parse(new TextDecoder().decode(bytes)) };
  } catch (error) {
    const mark = hasMark(bytes) ? MARK_BYTES : 0;
    const fault = jsonFault(bytes.subarray(mark));
    const reason =
      fault === undefined
        ? `o arquivo não pôde ser lido como JSON: ${String(error)}.`
        : `JSON inválido no byte ${mark + fault.byte}: ${fault.reason}.`;
    return { ok: false, reason };
  }
}

const MARK_BYTES = 3;
const hasMark = (bytes: Uint8Array): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

const PIECE_BYTES = 65_536;
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Looks piece by piece, each ending with a whole character, then byte by byte. */
function firstInvalidByte(bytes: Uint8Array): number | undefined {
  for (let from = 0; from < bytes.length;) {
    let to = Math.min(from + PIECE_BYTES, bytes.length);
    while (isContinuation(bytes[to])) to += 1;
    const piece = bytes.subarray(from, to);
    if (!isUtf8(piece)) return from + firstInvalidIn(piece);
    from = to;
  }
  return undefined;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function firstInvalidIn(piece: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let at = 0; at < piece.length; at += 1) {
    try {
      decoder.decode(piece.subarray(at, at + 1), { stream: true });
    } catch {
      return at;
    }
  }
  return piece.length;
}
