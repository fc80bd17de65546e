/** A JSON file's bytes as a value, or the byte at which they stop being one. */
import type { Problem } from '../errors.ts';
import { repeatsIn } from '../validation/json.ts';
import { judgeJson } from '../validation/json-fault.ts';
import { placeOf, toldPlace } from '../validation/json-place.ts';

export type ParsedJson =
  /** `repeated`: the members that stand twice in their object. */
  | { readonly ok: true; readonly value: unknown; readonly repeated: readonly Problem[] }
  /** In Portuguese, with the byte's offset in the file. */
  | { readonly ok: false; readonly reason: string };

/** UTF-8, with or without a byte order mark. */
export function parseJson(file: Uint8Array | string): ParsedJson {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
  const mark = hasMark(bytes) ? MARK_BYTES : 0;
  const json = bytes.subarray(mark);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(json);
    const value: unknown = JSON.parse(text);
    return { ok: true, value, repeated: repeatsIn(text, value) };
  } catch (error) {
    const verdict = judgeJson(json);
    const where = (at: number): string => toldPlace(placeOf(json, at));
    if (verdict === 'incomplete')
      return {
        ok: false,
        reason: `JSON inválido no byte ${bytes.length}: o arquivo termina antes do fim do valor (${where(json.length)}).`,
      };
    if (verdict === 'complete')
      return { ok: false, reason: `o arquivo não pôde ser lido como JSON: ${String(error)}.` };
    return {
      ok: false,
      reason: `JSON inválido no byte ${mark + verdict.at}: ${verdict.message} (${where(verdict.at)}).`,
    };
  }
}

const MARK_BYTES = 3;
const hasMark = (bytes: Uint8Array): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
