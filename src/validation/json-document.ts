/**
 * Parses the bytes of a JSON document, or describes the error in Portuguese with line and column (contract
 * section 3).
 */
import type { Problem } from '../errors.ts';
import { MALFORMED_CODE } from './decoding.ts';
import { JSON_MAX_DEPTH, overview, readJsonText } from './json.ts';
import { judgeJson } from './json-fault.ts';
import { placeOf, describePlace } from './json-place.ts';

export interface DocumentOptions {
  /** Names the document at the beginning of a message: "O corpo". */
  readonly subject: string;
  /** The document may carry secrets: messages quote nothing of it. */
  readonly discreet?: boolean;
}

export type JsonDocument =
  /** `text`: the decoded text without a byte order mark. */
  | { readonly ok: true; readonly value: unknown; readonly text: string }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * Maximum number of members of all objects of a document: the parser takes some µs for each distinct name, and
 * it runs on the main thread. A batch of 100 products with 1000 attributes each has 200 000.
 */
export const JSON_MAX_NAMES = 250_000;

/**
 * Maximum number of members and list items of a document: the parser takes up to 1 µs for each on the main
 * thread. That batch has 300 000, and a correction of 200 000 rows has a few more than 200 000.
 */
export const JSON_MAX_VALUES = 400_000;

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function readDocument(bytes: Uint8Array, options: DocumentOptions): JsonDocument {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return unreadable(whyNoUtf8(bytes, options));
  }
  const scan = overview(text, JSON_MAX_DEPTH, JSON_MAX_VALUES);
  if (scan.tooDeepAt !== -1) return unreadable(whyTooDeep(bytes, text.slice(0, scan.tooDeepAt), options));
  if (scan.values > JSON_MAX_VALUES)
    return unreadable(tooMany('valores, entre membros e itens de listas,', JSON_MAX_VALUES, options));
  if (scan.names > JSON_MAX_NAMES)
    return unreadable(tooMany('membros em seus objetos', JSON_MAX_NAMES, options));
  try {
    const { value, repeated } = readJsonText(text, scan);
    return repeated.length === 0 ? { ok: true, value, text } : { ok: false, problems: repeated };
  } catch {
    return unreadable(
      text.trim() === ''
        ? `${options.subject} está vazio; envie um documento JSON.`
        : whyNoJson(bytes, options),
    );
  }
}

const unreadable = (message: string): JsonDocument => ({
  ok: false,
  problems: [{ code: MALFORMED_CODE, message, field: null, path: '' }],
});

/** Describes the first error. */
function whyNoJson(received: Uint8Array, { subject, discreet = false }: DocumentOptions): string {
  const bytes = unmarked(received);
  const verdict = judgeJson(bytes);
  const offset = typeof verdict === 'string' ? bytes.length : verdict.at;
  const where = describePlace(placeOf(bytes, offset));
  if (typeof verdict === 'string')
    return `${subject} não é JSON (${where}): termina antes do fim do documento; envie-o inteiro.`;
  if (verdict.kind === 'utf8') return `${subject} não é UTF-8 válido (${where}): ${verdict.message}.`;
  return `${subject} não é JSON (${where}): ${discreet ? verdict.discreet : verdict.message}.`;
}

function whyNoUtf8(received: Uint8Array, options: DocumentOptions): string {
  // A truncated character has no position of its own.
  if (typeof judgeJson(unmarked(received)) !== 'string') return whyNoJson(received, options);
  return `${options.subject} não é UTF-8 válido: termina no meio de um caractere.`;
}

function whyTooDeep(received: Uint8Array, beginning: string, options: DocumentOptions): string {
  const before = new TextEncoder().encode(beginning);
  if (typeof judgeJson(before) !== 'string') return whyNoJson(received, options);
  const where = describePlace(placeOf(before, before.length));
  return `${options.subject} tem mais de ${JSON_MAX_DEPTH} níveis de objetos e listas (${where}); aceita até ${JSON_MAX_DEPTH}.`;
}

function tooMany(what: string, max: number, { subject }: DocumentOptions): string {
  const limit = max.toLocaleString('pt-BR');
  return `${subject} tem mais de ${limit} ${what} ao todo; aceita até ${limit}. Envie-o em partes.`;
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;

/** Removes the byte order mark, so that the first character of the text is its first column. */
const unmarked = (bytes: Uint8Array): Uint8Array =>
  BYTE_ORDER_MARK.every((byte, offset) => bytes[offset] === byte)
    ? bytes.subarray(BYTE_ORDER_MARK.length)
    : bytes;
