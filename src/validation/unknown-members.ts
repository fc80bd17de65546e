/**
 * Handles members that a form does not know (contract section 3): refused, left out, or accepted as a
 * repetition.
 */
import { formatValue } from './format-value.ts';
import { type Run, labelledProblem, problem } from './decoding.ts';
import { integerOf, numberText } from './json-number.ts';
import { lastOf } from '../pointer.ts';
import type { Schema } from './schema.ts';
import { nearest } from './text.ts';

/**
 * Maximum number of different unknown names of a body for which the nearest known name is searched: the
 * search costs more than all other checks.
 */
const SEARCHES_MAX = 200;

/**
 * Refuses an unknown member, or reports that it is left out. A typing error is refused, because the intended
 * value would be lost (contract section 3).
 */
export function handleUnknown(name: string, received: unknown, path: string, schema: Schema, run: Run): void {
  if (path === `/${name}` && isRepeated(name, received, run)) return;
  const { 'x-elsewhere': elsewhere = {} } = schema;
  const advice = Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined;
  const hint = advice === undefined ? hintFor(name, schema, run) : undefined;
  if (run.note !== undefined && schema['x-digits'] === true && hint === undefined)
    return run.note({ path, message: advice === undefined ? leftOut(path) : `${leftOut(path)} ${advice}` });
  const remedy = advice ?? (hint ? `Você quis dizer '${hint}'?` : acceptedNames(schema, run));
  const message = `Membro desconhecido ${formatValue(name)}. ${remedy}`.trimEnd();
  run.problems.push(problem(name, path, message, hint || undefined));
}

/** Returns true when the member repeats a member of the answered form. A different value is refused. */
function isRepeated(name: string, received: unknown, run: Run): boolean {
  const { repeats, problems } = run;
  const repeatable = repeats?.() ?? {};
  const accepted = Object.hasOwn(repeatable, name) ? repeatable[name] : undefined;
  if (accepted === undefined) return false;
  // Compared as a known member is read: a text accepts a number's digits, a code loses its blanks (contract
  // section 4).
  const text = (typeof received === 'string' ? received : (numberText(received) ?? '')).trim();
  const isSame = (one: string | number): boolean =>
    typeof one === 'number' ? integerOf(text) === one : text.toUpperCase() === one.toUpperCase();
  if (accepted.length > 0 && !accepted.some(isSame)) {
    const sentence = `recebido ${formatValue(received)}; aqui só pode repetir ${accepted.join(' ou ')}. Retire-o.`;
    problems.push(labelledProblem(run, name, `/${name}`, sentence));
  }
  return true;
}

/** Returns the notice for an unknown member that is left out. */
export const leftOut = (path: string): string =>
  `Membro desconhecido ${formatValue(lastOf(path))}; foi deixado de lado.`;

/** Cache: the items of a file repeat their names. */
const hints = new WeakMap<Schema, Map<string, string | undefined>>();
const HINTS_MAX = 1000;

/** Returns the hint with the nearest known name. '': none, or too many unknown names were searched. */
function hintFor(name: string, schema: Schema, run: Run): string | undefined {
  const cachedHints = hints.get(schema) ?? new Map<string, string | undefined>();
  hints.set(schema, cachedHints);
  if (cachedHints.has(name)) return cachedHints.get(name);
  if (run.searchedNames++ >= SEARCHES_MAX) return '';
  const hint = nearest(name, Object.keys(schema.properties ?? {}));
  if (cachedHints.size >= HINTS_MAX) cachedHints.clear();
  cachedHints.set(name, hint);
  return hint;
}

function acceptedNames(schema: Schema, { listed }: Run): string {
  if (listed.has(schema)) return '';
  listed.add(schema);
  return `Aceitos: ${Object.keys(schema.properties ?? {}).join(', ')}.`;
}
