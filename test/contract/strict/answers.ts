/**
 * Every answer of the prepared folder, and a sample of every event, for strict readers in other languages.
 */
import { EVENT_TYPES } from '../../../src/notification/event/types.ts';
import { callersOf, open, prepare, requestFor } from '../../permissions/prepared.ts';
import { type Document, type Entry, type JsonSchema, entriesOf } from '../document.ts';

/** Requested first: their product is deactivated later. */
const EARLY = ['linkManufacturer', 'proposeRecord', 'unlinkManufacturer'];
/**
 * Requested last, in this order: deletions of records that other requests need, and then the end of all
 * sessions.
 */
const LATE: readonly RegExp[] = [
  /^(unlink|unsubscribe|cancel)/,
  /^(clear|remove(?!User|Key)|forget)/,
  /^moveClock/,
  /^(reset|restoreSnapshot|end|removeUser|removeKey)/,
];
const METHODS = ['GET', 'PUT', 'POST', 'DELETE'];

/**
 * Examples whose record has another state in this folder, or that need a certificate, a password, a sheet or a
 * remote that does not exist.
 */
export const NOT_DONE = [
  ...[
    'approveProposal',
    'authenticate',
    'authenticateByGet',
    'cancelRun',
    'correctImport',
    'decidePair',
    'editDraft',
    'endSession',
    'fetchAttributeTable',
    'getSheet',
  ],
  ...[
    'pauseRun',
    'proposeImport',
    'resumeRun',
    'signInWithPassword',
    'signInWithProvider',
    'testEmail',
    'tryRemote',
    'undoImport',
  ],
];

export interface Answer {
  readonly operation: string;
  readonly status: number;
  readonly body: unknown;
}

export interface Collected {
  readonly document: Document;
  readonly answers: readonly Answer[];
}

async function collect(): Promise<Collected> {
  const { document, folder } = await prepare();
  const answers: Answer[] = [];
  const server = await open(folder);
  const ask = await callersOf(server);
  const key = { 'client-id': 'demo', 'client-secret': 'demo', 'role-type': 'IMPEXP' };
  const entered = await server.anybody.call('POST', '/portal/api/autenticar/chave-acesso', undefined, key);
  answers.push({ operation: 'authenticateWithKey', status: entered.status, body: entered.json });
  for (const { operationId: operation } of inOrder(document))
    for (const caller of ['none', 'stranger', 'owner', 'admin'] as const) {
      const reply = await ask(caller, requestFor(document, operation));
      if (reply.headers.get('content-type')?.startsWith('application/json') !== true) continue;
      answers.push({ operation, status: reply.status, body: reply.json });
    }
  await server.close();
  return { document, answers };
}

let collected: Promise<Collected> | undefined;

/** Collects the answers once, for all readers. */
export const collectedAnswers = (): Promise<Collected> => (collected ??= collect());

/** Sorts the operations: reads, changes, creations, ends. An endless stream is excluded. */
function inOrder(all: Document): readonly Entry[] {
  const rank = ({ method, operationId }: Entry): number => {
    if (EARLY.includes(operationId)) return EARLY.indexOf(operationId) - EARLY.length;
    const late = LATE.findIndex((some) => some.test(operationId));
    return late < 0 ? METHODS.indexOf(method) : METHODS.length + late;
  };
  return entriesOf(all)
    .filter(({ operationId }) => operationId !== 'followRequests')
    .toSorted((one, other) => rank(one) - rank(other));
}

/** Returns a sample of every event with a public form, with its form in the document. */
export const eventsOf = (document: Document): readonly Event[] =>
  EVENT_TYPES.filter(({ invented }) => invented === 'values').map(({ evento, sample }) => {
    const callback = document.paths['/portal/api/ext/webhook']?.['post']?.callbacks?.[evento];
    const schema =
      callback?.['{$request.body#/endpoint}']?.post.requestBody.content['application/json']?.schema;
    if (schema === undefined) throw new Error(`The document does not define ${evento}.`);
    return { evento, schema, sample };
  });

export interface Event {
  readonly evento: string;
  readonly schema: JsonSchema;
  readonly sample: object;
}
