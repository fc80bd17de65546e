/** JSON texts as they stand: judged with line and column, indented without touching a digit. */
import { judgeJson } from '../../validation/json-fault.ts';
import { placeOf, toldPlace } from '../../validation/json-place.ts';
import { printedJson } from '../ui/printed-json.ts';

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

/** Indented by two spaces; what is no JSON stays as it is. */
export const prettyJson = (text: string): string =>
  jsonFault(text) === undefined ? printedJson(text).lines.join('\n') : text;
