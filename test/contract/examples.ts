/** The requests of the document's examples, as a person who pastes them sends them. */
import { type Document, type Entry, type Parameter, entriesOf, resolvedReference } from './document.ts';

export interface ExampleRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  /** Expected status of its success. */
  readonly status: number;
  /** Required earlier requests, also examples. */
  readonly before: readonly ExampleRequest[];
}

/** The example that creates the record which a request changes: a fresh instance has none. */
const FIRST: Readonly<Record<string, string>> = {
  changeSubscription: 'subscribe',
  editDraft: 'includeDraft',
  undoImport: 'changeProducts',
  unlinkManufacturer: 'linkManufacturer',
  changeRemote: 'addRemote',
  unbindIdentity: 'bindIdentity',
};

/**
 * Operations about a failed, finished or proposed import, a remote that an administrator set up for another user, the
 * password of an invitation, the code of a provider, an e-mail server, or the server of a table: no example creates these, and they
 * have their own tests.
 */
const OF_OTHERS = new Set([
  'correctImport',
  'undoImport',
  'proposeImport',
  'approveProposal',
  'rejectProposal',
  'startComparison',
  'decidePair',
  'startRun',
  'signInWithPassword',
  'signInWithProvider',
  'testEmail',
  'fetchAttributeTable',
  'changePassword',
  'acceptInvitation',
]);

/** Returns one request per form of a body: that of each operation, and each kind of item of a batch. */
export function exampleRequests(document: Document): readonly ExampleRequest[] {
  const entries = entriesOf(document);
  return entries
    .filter(({ requestBody, operationId }) => requestBody !== undefined && !OF_OTHERS.has(operationId))
    .flatMap((entry) => [
      requestOf(entries, entry, entry.operationId, exampleOf(entry)),
      ...itemForms(document, entry).map(([form, example]) =>
        requestOf(entries, entry, `${entry.operationId} ${form}`, [example]),
      ),
    ]);
}

export function requestOf(
  entries: readonly Entry[],
  entry: Entry,
  name: string,
  body: unknown,
): ExampleRequest {
  const status = Object.keys(entry.responses).find((one) => one.startsWith('2'));
  const first = entries.find(({ operationId }) => operationId === FIRST[name]);
  return {
    name,
    method: entry.method,
    path:
      entry.path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) =>
        encodeURIComponent(valueOf(entry, parameter)),
      ) + queryOf(entry),
    body,
    status: Number(status),
    before: first === undefined ? [] : [requestOf(entries, first, first.operationId, doneBy(first))],
  };
}

/** Returns the body of an earlier request, which is executed and not only tried. */
function doneBy(first: Entry): object {
  const { simular: _dryRun, ...done } = exampleOf(first) as { readonly simular?: boolean };
  return done;
}

/** Returns the required query. */
function queryOf(entry: Entry): string {
  const names = entry.parameters.filter((one) => one.in === 'query' && one.required).map(({ name }) => name);
  if (names.length === 0) return '';
  return `?${new URLSearchParams(names.map((name) => [name, valueOf(entry, name)])).toString()}`;
}

function valueOf({ operationId, parameters }: Entry, name: string): string {
  const { schema } = parameters.find((one) => one.name === name) as Parameter;
  const value = schema.examples?.[0] ?? schema.enum?.[0];
  if (value === undefined) throw new Error(`${operationId}: ${name} has no example`);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function exampleOf({ operationId, requestBody }: Entry): unknown {
  const { content = {} } = requestBody ?? {};
  const [type = ''] = Object.keys(content);
  const example = content[type]?.example;
  if (example === undefined) throw new Error(`${operationId} has no example`);
  return type === 'multipart/form-data' ? uploaded(example as Readonly<Record<string, string>>) : example;
}

function uploaded(example: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(example))
    if (name === 'file' || /\.(json|zip)$/.test(value))
      form.append(name, new File([value.endsWith('.csv') ? 'NCM;Nome\n39269090;Caixa' : '[]'], value));
    else form.append(name, value);
  return form;
}

/** Returns the kinds of item of a batch, each with the example of its form. */
function itemForms(document: Document, { requestBody }: Entry): readonly (readonly [string, unknown])[] {
  const items = requestBody?.content['application/json']?.schema.items;
  const kinds = items === undefined ? [] : (resolvedReference(document, items).oneOf ?? []);
  return kinds.map((kind) => [
    kind.$ref?.split('/').at(-1) ?? '',
    resolvedReference(document, kind).examples?.[0],
  ]);
}
