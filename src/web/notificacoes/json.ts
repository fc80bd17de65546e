/** JSON texts as they stand: judged with line and column, indented without touching a digit. */
import { judgeJson } from '../../validation/json-fault.ts';
import { placeOf, toldPlace } from '../../validation/json-place.ts';

/** What is wrong with a text that is to be JSON; `undefined`: nothing. */
export function jsonFault(text: string): string | undefined {
  if (text.trim() === '') return 'Está vazio; escreva um valor JSON.';
  const bytes = new TextEncoder().encode(text);
  const verdict = judgeJson(bytes);
  if (verdict === 'complete')
    return text.trim() === 'null' ? 'null não é um corpo; escreva outro valor JSON.' : undefined;
  const where = toldPlace(placeOf(bytes, verdict === 'incomplete' ? bytes.length : verdict.at));
  return verdict === 'incomplete'
    ? `Não é JSON (${where}): termina antes do fim do documento.`
    : `Não é JSON (${where}): ${verdict.message}.`;
}

const STEP = '  ';
/** A text, a sign of structure, or anything else that is one word. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Indented by two spaces; what is no JSON stays as it is. */
export function prettyJson(text: string): string {
  if (jsonFault(text) !== undefined) return text;
  const tokens = text.match(TOKEN) ?? [];
  let depth = 0;
  let out = '';
  tokens.forEach((token, at) => {
    const closes = token === '}' || token === ']';
    if (closes) depth -= 1;
    const isEmptyPair = closes && isOpening(tokens[at - 1]);
    const startsLine = at > 0 && !isEmptyPair && (closes || beginsItem(tokens[at - 1]));
    out += `${startsLine ? `\n${STEP.repeat(depth)}` : ''}${token}${token === ':' ? ' ' : ''}`;
    if (isOpening(token)) depth += 1;
  });
  return out;
}

const isOpening = (token: string | undefined): boolean => token === '{' || token === '[';
const beginsItem = (before: string | undefined): boolean => isOpening(before) || before === ',';
