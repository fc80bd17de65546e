/**
 * Finds the byte at which a JSON text is invalid. `JSON.parse` reports only the failure, so this code walks
 * the grammar of RFC 8259 once more. It runs only after a failure, never for a valid file.
 */

export interface JsonFault {
  /**
   * Offset of the first byte that no JSON text could have at this position. In ill-formed UTF-8: the first
   * byte of the character.
   */
  readonly at: number;
  readonly kind: 'syntax' | 'utf8';
  /** Portuguese: the received text and the accepted one. */
  readonly message: string;
  /** The same without the received text, which may be a secret. */
  readonly discreet: string;
}

/** `incomplete`: the text is valid so far, but ends too early. */
export type JsonVerdict = JsonFault | 'complete' | 'incomplete';

/** The offset after a token, or the reason to stop. */
type Step = number | JsonFault | 'incomplete';

type Expected = 'value' | 'valueOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'commaOrEnd';

const code = (character: string): number => character.charCodeAt(0);
const QUOTE = code('"');
const BACKSLASH = code('\\');
const OPEN_OBJECT = code('{');
const CLOSE_OBJECT = code('}');
const OPEN_ARRAY = code('[');
const CLOSE_ARRAY = code(']');
const COMMA = code(',');
const COLON = code(':');
const MINUS = code('-');
const ZERO = code('0');

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= ZERO + 9;
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The open brackets, one byte each: a text may consist only of brackets. */
class Nesting {
  #brackets = new Uint8Array(1024);
  depth = 0;

  get innermost(): number | undefined {
    return this.#brackets[this.depth - 1];
  }

  push(bracket: number): void {
    if (this.depth === this.#brackets.length) {
      const longer = new Uint8Array(2 * this.depth);
      longer.set(this.#brackets);
      this.#brackets = longer;
    }
    this.#brackets[this.depth] = bracket;
    this.depth += 1;
  }

  pop(): void {
    this.depth -= 1;
  }
}

/** Judges `bytes` as one JSON value with optional white space around it. The caller checks the depth. */
export function judgeJson(bytes: Uint8Array): JsonVerdict {
  const open = new Nesting();
  let expected: Expected = 'value';
  let offset = 0;
  let isAfterComma = false;
  for (;;) {
    while (offset < bytes.length && isSpace(bytes[offset] as number)) offset++;
    const byte = bytes[offset];
    const isComplete = open.depth === 0 && expected === 'commaOrEnd';
    if (byte === undefined) return isComplete ? 'complete' : 'incomplete';
    if (isComplete) return fault(bytes, offset, 'o fim do documento');

    if (isAfterComma && (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY))
      return fault(bytes, offset, expected === 'name' ? NAME : 'um valor', EXTRA_COMMA);
    isAfterComma = false;
    const close = open.innermost === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
    if (byte === close && open.depth > 0 && expected.endsWith('End')) {
      open.pop();
      expected = 'commaOrEnd';
      offset++;
      continue;
    }
    switch (expected) {
      case 'commaOrEnd':
        if (byte !== COMMA)
          return fault(bytes, offset, `"," ou "${String.fromCharCode(close)}"`, digitsHint(bytes, offset));
        expected = close === CLOSE_OBJECT ? 'name' : 'value';
        isAfterComma = true;
        offset++;
        continue;
      case 'colon':
        if (byte !== COLON) return fault(bytes, offset, '":" depois do nome do membro');
        expected = 'value';
        offset++;
        continue;
      case 'name':
      case 'nameOrEnd': {
        if (byte !== QUOTE) {
          const hint = expected === 'name' && isDigit(byte) ? DECIMAL_HINT : NAME_HINT;
          return fault(bytes, offset, expected === 'name' ? NAME : `${NAME} ou "}"`, hint);
        }
        const next = stringEnd(bytes, offset);
        if (typeof next !== 'number') return next;
        offset = next;
        expected = 'colon';
        continue;
      }
      case 'value':
      case 'valueOrEnd': {
        if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
          open.push(byte);
          expected = byte === OPEN_OBJECT ? 'nameOrEnd' : 'valueOrEnd';
          offset++;
          continue;
        }
        const next = scalarEnd(bytes, offset);
        if (typeof next !== 'number') return next;
        offset = next;
        expected = 'commaOrEnd';
      }
    }
  }
}

const NAME = 'o nome de um membro entre aspas';
const LITERALS = ['true', 'false', 'null'];

function scalarEnd(bytes: Uint8Array, byteOffset: number): Step {
  const byte = bytes[byteOffset] as number;
  if (byte === QUOTE) return stringEnd(bytes, byteOffset);
  if (byte === MINUS || isDigit(byte)) return numberEnd(bytes, byteOffset);
  const literal = LITERALS.find((word) => code(word) === byte);
  if (literal === undefined) return fault(bytes, byteOffset, 'um valor');
  for (let offset = 0; offset < literal.length; offset++) {
    if (byteOffset + offset >= bytes.length) return 'incomplete';
    if (bytes[byteOffset + offset] !== literal.charCodeAt(offset))
      return fault(bytes, byteOffset + offset, `"${literal}"`);
  }
  return byteOffset + literal.length;
}

function numberEnd(bytes: Uint8Array, start: number): Step {
  let offset = start;
  const digits = (): Step => {
    if (offset >= bytes.length) return 'incomplete';
    if (!isDigit(bytes[offset])) return fault(bytes, offset, 'um algarismo');
    while (isDigit(bytes[offset])) offset++;
    return offset;
  };
  if (bytes[offset] === MINUS) offset++;
  if (bytes[offset] === ZERO)
    offset++; // no digit may follow a leading zero
  else {
    const integerEnd = digits();
    if (typeof integerEnd !== 'number') return integerEnd;
  }
  if (bytes[offset] === code('.')) {
    offset++;
    const fraction = digits();
    if (typeof fraction !== 'number') return fraction;
  }
  if (bytes[offset] === code('e') || bytes[offset] === code('E')) {
    offset++;
    if (bytes[offset] === code('+') || bytes[offset] === MINUS) offset++;
    const exponent = digits();
    if (typeof exponent !== 'number') return exponent;
  }
  return offset;
}

const ESCAPES = new Set(Array.from('"\\/bfnrt', code));
const isHex = (byte: number): boolean => /[0-9a-fA-F]/.test(String.fromCharCode(byte));

function stringEnd(bytes: Uint8Array, start: number): Step {
  let offset = start + 1;
  while (offset < bytes.length) {
    const byte = bytes[offset] as number;
    if (byte === QUOTE) return offset + 1;
    if (byte < 0x20) return fault(bytes, offset, 'um caractere de controle escapado', CONTROL_HINT);
    if (byte === BACKSLASH) {
      const next = escapeEnd(bytes, offset);
      if (typeof next !== 'number') return next;
      offset = next;
    } else if (byte < 0x80) offset++;
    else {
      const next = characterEnd(bytes, offset);
      if (typeof next !== 'number') return next;
      offset = next;
    }
  }
  return 'incomplete';
}

function escapeEnd(bytes: Uint8Array, offset: number): Step {
  const escaped = bytes[offset + 1];
  if (escaped === undefined) return 'incomplete';
  if (ESCAPES.has(escaped)) return offset + 2;
  if (escaped !== code('u'))
    return fault(bytes, offset + 1, 'um escape de JSON (\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u)');
  for (let digit = offset + 2; digit < offset + 6; digit++) {
    const byte = bytes[digit];
    if (byte === undefined) return 'incomplete';
    if (!isHex(byte)) return fault(bytes, digit, 'quatro algarismos hexadecimais depois de \\u');
  }
  return offset + 6;
}

/**
 * Returns the end of a UTF-8 character of two bytes or more: RFC 3629 section 4, no surrogates, no overlong
 * forms.
 */
function characterEnd(bytes: Uint8Array, byteOffset: number): Step {
  const lead = bytes[byteOffset] as number;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  const message = `${foundByte(bytes, byteOffset)} não é UTF-8; grave o texto em UTF-8`;
  const utf8Fault: JsonFault = { at: byteOffset, kind: 'utf8', message, discreet: message };
  if (lead < 0xc2 || lead > 0xf4) return utf8Fault;
  for (let offset = 1; offset < length; offset++) {
    const byte = bytes[byteOffset + offset];
    if (byte === undefined) return 'incomplete';
    const lowest = offset > 1 ? 0x80 : lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const highest = offset > 1 ? 0xbf : lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    if (byte < lowest || byte > highest) return utf8Fault;
  }
  return byteOffset + length;
}

function fault(bytes: Uint8Array, offset: number, expected: string, fallbackAdvice = ''): JsonFault {
  const advice = adviceFor(bytes, offset) ?? fallbackAdvice;
  const discreet = `esperado ${expected}${advice === '' ? '' : `; ${advice}`}`;
  return {
    at: offset,
    kind: 'syntax',
    message: `encontrado ${pieceText(bytes, offset)}, ${discreet}`,
    discreet,
  };
}

const EXTRA_COMMA = 'retire a vírgula que está antes';
const DECIMAL_HINT = 'as casas decimais são separadas por ponto';
const CONTROL_HINT = 'feche as aspas do texto, ou escreva a quebra de linha como \\n';
const ZERO_HINT = 'números não começam com zero';
const digitsHint = (bytes: Uint8Array, offset: number): string =>
  bytes[offset - 1] === ZERO && isDigit(bytes[offset]) ? ZERO_HINT : '';
const NAME_HINT = 'os nomes dos membros ficam entre aspas duplas';

/** Advice for frequent texts that are not JSON. */
const ADVICE: readonly (readonly [form: RegExp, advice: string])[] = [
  [/^'/, 'em JSON os textos ficam entre aspas duplas (")'],
  [/^[\u201c\u201d\u2018\u2019\u00ab\u00bb]/u, 'use aspas duplas retas (")'],
  [/^(?:\/\/|\/\*|#)/, 'JSON não tem comentários; retire-o'],
  [/^(?:NaN|Infinity|undefined|None|NULL|Null|nil)$/, 'use null, ou deixe o membro fora, onde não há valor'],
  [/^(?:True|TRUE|False|FALSE)$/, 'use true ou false, em letras minúsculas'],
  [/^\+\d/, 'números não levam o sinal +'],
  [/^\.\d/, 'escreva o zero antes do ponto'],
];

const adviceFor = (bytes: Uint8Array, offset: number): string | undefined => {
  const piece = pieceAt(bytes, offset);
  return ADVICE.find(([form]) => form.test(piece))?.[1];
};

const PIECE_MAX_CHARACTERS = 100;
const UTF8_MAX_BYTES = 4;
const lenient = new TextDecoder();
const PIECE_END = /[\s,:{}[\]"]/;

/**
 * Returns the word or sign that begins at `at`, cut at 100 characters (contract section 3). "": no visible
 * character begins at it.
 */
function pieceAt(bytes: Uint8Array, offset: number): string {
  const end = offset + (PIECE_MAX_CHARACTERS + 1) * UTF8_MAX_BYTES;
  const text = lenient.decode(bytes.subarray(offset, end));
  const length = text.slice(1).search(PIECE_END);
  return length === -1 ? text : text.slice(0, length + 1);
}

/** Describes the text at `at`: a word, or the number of an invisible byte. */
function pieceText(bytes: Uint8Array, offset: number): string {
  const piece = Array.from(pieceAt(bytes, offset));
  const [first = ''] = piece;
  if (first === '"') return 'aspas (")';
  // A truncated or invalid character has no visible form.
  if (first <= ' ' || first === '\x7f' || first === '\ufffd') return foundByte(bytes, offset);
  const beginning = piece.slice(0, PIECE_MAX_CHARACTERS).join('');
  return `"${beginning}${piece.length > PIECE_MAX_CHARACTERS ? '…' : ''}"`;
}

/** Describes the byte at `at`: `"x"` for visible ASCII, otherwise its number. */
export function foundByte(bytes: Uint8Array, offset: number): string {
  const byte = bytes[offset] ?? 0;
  const isVisible = byte > 0x20 && byte < 0x7f;
  return isVisible
    ? `"${String.fromCharCode(byte)}"`
    : `o byte 0x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
