/** Checks and formats JSON texts: faults with line and column, indentation without changes to digits. */
import { judgeJson } from '../../validation/json-fault.ts';
import { placeOf, describePlace } from '../../validation/json-place.ts';
import { printedJson } from '../ui/printed-json.ts';

/** Returns the fault of a JSON text, or `undefined` when it is valid. */
export function jsonFault(text: string): string | undefined {
  if (text.trim() === '') return 'Está vazio; escreva um valor JSON.';
  const bytes = new TextEncoder().encode(text);
  const verdict = judgeJson(bytes);
  if (verdict === 'complete')
    return text.trim() === 'null' ? 'null não é um corpo; escreva outro valor JSON.' : undefined;
  const where = describePlace(placeOf(bytes, verdict === 'incomplete' ? bytes.length : verdict.at));
  return verdict === 'incomplete'
    ? `Não é JSON (${where}): termina antes do fim do documento.`
    : `Não é JSON (${where}): ${verdict.message}.`;
}

/** Indents by two spaces. Invalid JSON is returned unchanged. */
export const prettyJson = (text: string): string =>
  jsonFault(text) === undefined ? printedJson(text).lines.join('\n') : text;
