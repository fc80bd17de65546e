/**
 * Where a text stops being JSON. The runtime's parser says that it does, not where; this slow second look runs only on
 * files that were refused. Iterative: nesting may be as deep as the file is long.
 */

export interface JsonFault {
  /** Offset of the first byte that cannot stand there; the length where the text ends too early. */
  readonly byte: number;
  readonly reason: string;
}

const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;

/** The first fault of UTF-8 bytes as JSON, or `undefined` when there is none. */
export function jsonFault(bytes: Uint8Array): JsonFault | undefined {
  const nesting: number[] = [];
  let at = skipSpace(bytes, 0);
  for (;;) {
    // A value begins here, perhaps behind the name of a member.
    if (nesting.at(-1) === OPEN_OBJECT) {
      if (bytes[at] !== QUOTE) return fault(bytes, at, 'esperado o nome de um membro entre aspas');
      const afterName = endOfText(bytes, at);
      if (typeof afterName !== 'number') return afterName;
      at = skipSpace(bytes, afterName);
      if (bytes[at] !== COLON) return fault(bytes, at, 'esperado ":" depois do nome');
      at = skipSpace(bytes, at + 1);
    }
    const opening = bytes[at];
    if (opening === OPEN_OBJECT || opening === OPEN_ARRAY) {
      const inside = skipSpace(bytes, at + 1);
      if (bytes[inside] !== closingOf(opening)) {
        nesting.push(opening);
        at = inside;
        continue;
      }
      at = inside + 1;
    } else {
      const end = opening === QUOTE ? endOfText(bytes, at) : endOfWord(bytes, at);
      if (typeof end !== 'number') return end;
      at = end;
    }
    // A value ends here, perhaps its containers too.
    at = skipSpace(bytes, at);
    for (
      let open = nesting.at(-1);
      open !== undefined && bytes[at] === closingOf(open);
      open = nesting.at(-1)
    ) {
      nesting.pop();
      at = skipSpace(bytes, at + 1);
    }
    if (nesting.length === 0)
      return at === bytes.length ? undefined : fault(bytes, at, 'esperado o fim do arquivo');
    if (bytes[at] !== COMMA) return fault(bytes, at, 'esperado "," ou o fecho da lista ou do objeto');
    at = skipSpace(bytes, at + 1);
  }
}

const closingOf = (opening: number): number => (opening === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY);

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += 1;
  return at;
}

const ESCAPED = new Set([...'"\\/bfnrt'].map((character) => character.charCodeAt(0)));
const LOWEST_PRINTABLE = 0x20;

/** The offset behind a text that begins at `from`. */
function endOfText(bytes: Uint8Array, from: number): number | JsonFault {
  for (let at = from + 1; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) return at + 1;
    if (byte < LOWEST_PRINTABLE) return fault(bytes, at, 'caractere de controle dentro de um texto');
    if (byte !== BACKSLASH) continue;
    at += 1;
    if (bytes[at] === 0x75) {
      const digits = String.fromCharCode(...bytes.subarray(at + 1, at + 5));
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) return fault(bytes, at + 1, 'esperados 4 dígitos hexadecimais');
      at += 4;
    } else if (!ESCAPED.has(bytes[at] ?? 0)) return fault(bytes, at, 'sequência de escape desconhecida');
  }
  return fault(bytes, bytes.length, 'texto sem aspas de fecho');
}

const LONGEST_WORD = 400;
const WORD = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** The offset behind a number, `true`, `false` or `null`. */
function endOfWord(bytes: Uint8Array, from: number): number | JsonFault {
  let end = from;
  while (end < bytes.length && end - from < LONGEST_WORD && isWordByte(bytes[end] ?? 0)) end += 1;
  const word = String.fromCharCode(...bytes.subarray(from, end));
  return WORD.test(word) ? end : fault(bytes, from, 'esperado um valor JSON');
}

/** Letters, digits, `+`, `-`, `.`. */
const isWordByte = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  byte === 0x2b ||
  byte === 0x2d ||
  byte === 0x2e;

const fault = (bytes: Uint8Array, byte: number, reason: string): JsonFault =>
  byte >= bytes.length
    ? { byte: bytes.length, reason: `o arquivo termina cedo demais: ${reason}` }
    : { byte, reason };
