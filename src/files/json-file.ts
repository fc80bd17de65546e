/** Parses the bytes of a JSON file, or finds the first wrong byte. */
import type { Problem } from '../errors.ts';
import { JSON_MAX_DEPTH, cutAtDepth, overview, readJsonText } from '../validation/json.ts';
import { judgeJson } from '../validation/json-fault.ts';
import { placeOf, describePlace } from '../validation/json-place.ts';

export type ParsedJson =
  | {
      readonly ok: true;
      /** Numbers keep their digits (validation/json-number.ts). */
      readonly value: unknown;
      /** The members that occur twice in one object. */
      readonly repeated: readonly Problem[];
      /**
       * The value is deeper than the caller allows: digits and repeated members are not checked, and deeper
       * parts are `null`.
       */
      readonly isTooDeep: boolean;
    }
  /** Portuguese, with the byte's offset in the file. */
  | { readonly ok: false; readonly reason: string };

/**
 * Parses UTF-8, with or without a byte order mark. `maxDepth`: levels of objects and lists, some thousands at
 * most. Deeper parts are never built.
 */
export function parseJson(file: Uint8Array | string, maxDepth = JSON_MAX_DEPTH): ParsedJson {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
  const mark = hasMark(bytes) ? MARK_BYTES : 0;
  const json = bytes.subarray(mark);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(json);
    const scan = overview(text, maxDepth);
    if (scan.tooDeepAt === -1) return { ok: true, ...readJsonText(text, scan), isTooDeep: false };
    if (judgeJson(json) !== 'complete') throw new SyntaxError('too deep, and no JSON');
    return { ok: true, value: JSON.parse(cutAtDepth(text, maxDepth)), repeated: [], isTooDeep: true };
  } catch (error) {
    const verdict = judgeJson(json);
    const where = (offset: number): string => describePlace(placeOf(json, offset));
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
