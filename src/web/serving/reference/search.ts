/** Searches operations by their texts and their fields, and problem codes by their texts. */
import { finder, folded, wordsOf } from '../../words.ts';
import {
  type Answer,
  type ListedOperation,
  type ProblemList,
  type Schema,
  alternativesOf,
} from './document.ts';

export interface Match {
  readonly entry: ListedOperation;
  /** Names of the matching fields. Empty when the operation itself matches. */
  readonly fields: readonly string[];
}

/** A field of an operation. */
interface Field {
  readonly name: string;
  readonly text: string;
}

const FIELDS_MAX = 4;

/**
 * Returns the operations in which every search word occurs in the operation or in one of its fields. Case and
 * accents are ignored.
 */
export function matchingOperations(entries: readonly ListedOperation[], search: string): readonly Match[] {
  const has = finder(search);
  const words = wordsOf(search);
  return entries.flatMap((entry) => {
    const { method, path, tag, summary, description, id } = entry;
    if (has([method, path, tag, summary, description, id].join(' '))) return { entry, fields: [] };
    const fields = fieldsOf(entry).filter(({ text }) => words.every((word) => text.includes(word)));
    const names = [...new Set(fields.map(({ name }) => name))].slice(0, FIELDS_MAX);
    return names.length > 0 ? { entry, fields: names } : [];
  });
}

export function matchingProblems(lists: readonly ProblemList[], search: string): readonly ProblemList[] {
  const has = finder(search);
  return lists
    .map(({ title, codes }) => ({
      title,
      codes: codes.filter(({ code, meaning, remedy }) => has(`${code} ${meaning} ${remedy}`)),
    }))
    .filter(({ codes }) => codes.length > 0);
}

/** The fields of each operation, which do not change while the process runs. */
const FIELDS = new WeakMap<ListedOperation, readonly Field[]>();

function fieldsOf(entry: ListedOperation): readonly Field[] {
  const before = FIELDS.get(entry);
  if (before !== undefined) return before;
  const fields: Field[] = [];
  FIELDS.set(entry, fields);
  const visitedSchemas = new Set<unknown>();
  const add = (name: string, ...texts: (string | undefined)[]): void => {
    fields.push({ name, text: folded([name, ...texts].filter((text) => text !== undefined).join(' ')) });
  };
  const walk = (schema: Schema, name: string): void => {
    if (visitedSchemas.has(schema)) return;
    visitedSchemas.add(schema);
    const { description, enum: values, 'x-domain': domain, format } = schema;
    if (name !== '') add(name, description, domain, format, values?.join(' '));
    for (const [member, memberSchema] of Object.entries(schema.properties ?? {})) walk(memberSchema, member);
    if (schema.items !== undefined) walk(schema.items, name);
    for (const alternative of alternativesOf(schema)) walk(alternative, name);
  };
  const walkContent = (content: Answer['content'] = {}): void => {
    for (const { schema } of Object.values(content)) if (schema !== undefined) walk(schema, '');
  };
  for (const { name, description, schema } of entry.parameters) {
    add(name, description);
    if (schema !== undefined) walk(schema, name);
  }
  walkContent(entry.body?.content);
  for (const [status, answer] of entry.answers) {
    add(status, answer.description);
    for (const name of Object.keys(answer.headers ?? {})) add(name);
    walkContent(answer.content);
  }
  for (const [name, { summary, parameters, requestBody }] of entry.callbacks) {
    add(name, summary);
    for (const header of parameters) add(header.name, header.description);
    walkContent(requestBody.content);
  }
  return fields;
}
