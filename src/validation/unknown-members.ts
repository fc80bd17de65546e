/** Members that a form does not know (contract section 3): refused, left out, or repeating what is known. */
import { shown } from './shown.ts';
import { type Run, problem } from './decoding.ts';
import { integerOf, numberText } from './json-number.ts';
import { lastOf } from '../pointer.ts';
import type { Schema } from './schema.ts';
import { nearest } from './text.ts';

/** Looking for the nearest known name costs more than all the rest: it is done for so many different ones of a body. */
const LOOKED_UP_MAX = 200;

/** Refuses an unknown member, or notes that it is left out: a slip would lose what was meant (contract section 3). */
export function takeUnknown(name: string, received: unknown, path: string, schema: Schema, run: Run): void {
  if (path === `/${name}` && isRepeated(name, received, run)) return;
  const { 'x-elsewhere': elsewhere = {} } = schema;
  const advice = Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined;
  const hint = advice === undefined ? hintFor(name, schema, run) : undefined;
  if (run.note !== undefined && schema['x-digits'] === true && hint === undefined)
    return run.note({ path, message: advice === undefined ? leftOut(path) : `${leftOut(path)} ${advice}` });
  const further = advice ?? (hint ? `Você quis dizer '${hint}'?` : acceptedNames(schema, run));
  const message = `Membro desconhecido ${shown(name)}. ${further}`.trimEnd();
  run.problems.push(problem(name, path, message, hint || undefined));
}

/** Whether it belongs to the form that was answered; one that says something else than is known is refused. */
function isRepeated(name: string, received: unknown, { repeats, problems }: Run): boolean {
  const known = repeats?.() ?? {};
  const accepted = Object.hasOwn(known, name) ? known[name] : undefined;
  if (accepted === undefined) return false;
  // As a known member is read: a text takes a number's digits, a code loses its blanks (contract section 4).
  const text = (typeof received === 'string' ? received : (numberText(received) ?? '')).trim();
  const isSame = (one: string | number): boolean =>
    typeof one === 'number' ? integerOf(text) === one : text.toUpperCase() === one.toUpperCase();
  if (accepted.length > 0 && !accepted.some(isSame)) {
    const message = `${name}: recebido ${shown(received)}; aqui só pode repetir ${accepted.join(' ou ')}. Retire-o.`;
    problems.push(problem(name, `/${name}`, message));
  }
  return true;
}

/** What is said of an unknown member that is left out. */
export const leftOut = (path: string): string =>
  `Membro desconhecido ${shown(lastOf(path))}; foi deixado de lado.`;

/** Names of a file come again with each of its items. */
const hints = new WeakMap<Schema, Map<string, string | undefined>>();
const HINTS_KEPT = 1000;

/** The known name that is meant; '' where there were too many unknown ones to look. */
function hintFor(name: string, schema: Schema, run: Run): string | undefined {
  const known = hints.get(schema) ?? new Map<string, string | undefined>();
  hints.set(schema, known);
  if (known.has(name)) return known.get(name);
  if (run.lookedUp++ >= LOOKED_UP_MAX) return '';
  const hint = nearest(name, Object.keys(schema.properties ?? {}));
  if (known.size >= HINTS_KEPT) known.clear();
  known.set(name, hint);
  return hint;
}

function acceptedNames(schema: Schema, { listed }: Run): string {
  if (listed.has(schema)) return '';
  listed.add(schema);
  return `Aceitos: ${Object.keys(schema.properties ?? {}).join(', ')}.`;
}
