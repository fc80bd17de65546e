/**
 * Decodes text in a single-byte code page. Selects the page under which the letters make Portuguese words.
 */

/** Characters 128 to 255 of CP850, which DOS programs write. */
const CP850_UPPER =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00AD±‗¾¶§÷¸°¨·¹³²■\u00A0';

const HALF = 128;
const MAX_JUDGED_BYTES = 1024 * 1024;

/** Letters with accents as in a Portuguese word of small or capital letters, and `nº`, `m²` and similar. */
const PORTUGUESE =
  /(?<=\p{L})[áàâãéêíóôõúüç]|[áéíóúâêô](?=\p{Ll})|(?<=\p{Lu})[ÁÀÂÃÉÊÍÓÔÕÚÜÇ](?!\p{Ll})|(?<!\p{L})[ÁÉÍÓÚÂÊÔ](?=\p{L})|(?<=[\dnNmM])[º°ª²³]/gu;

/** The code pages, most common first. A later page is chosen only if it fits better than all before it. */
const CODE_PAGES: readonly ((bytes: Uint8Array) => string)[] = [
  (bytes) => new TextDecoder('windows-1252').decode(bytes),
  decodeCp850,
  (bytes) => new TextDecoder('macintosh').decode(bytes),
];

export function decodeOneByte(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, MAX_JUDGED_BYTES);
  const scored = CODE_PAGES.map((decode) => ({ decode, score: scoreOf(decode(sample)) }));
  return scored.reduce((best, next) => (next.score > best.score ? next : best)).decode(bytes);
}

function decodeCp850(bytes: Uint8Array): string {
  const units = Uint16Array.from(bytes, (byte) => (byte < HALF ? byte : CP850_UPPER.charCodeAt(byte - HALF)));
  return new TextDecoder('utf-16le').decode(units);
}

const scoreOf = (text: string): number => text.match(PORTUGUESE)?.length ?? 0;
