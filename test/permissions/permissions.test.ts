/**
 * Every operation of the document, called by every kind of caller, has the answer of its row in the
 * matrix.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, rmSync } from 'node:fs';
import { NOT_REPRESENTATIVE } from '../../src/session/guard.ts';
import { type Document, entriesOf } from '../contract/document.ts';
import { faultsOf, mnemonicOf } from '../contract/error-body.ts';
import type { Reply, TestApp } from '../support/app.ts';
import { CALLERS, type CallerKind, type Expected, HEAD, ROWS } from './matrix.ts';
import { callersOf, open, prepare, requestFor } from './prepared.ts';

let prepared: { folder: string; document: Document };
beforeAll(async () => {
  prepared = await prepare();
});
afterAll(() => rmSync(prepared.folder, { recursive: true, force: true }));

test('the matrix has one row for each operation of the document, and no other', () => {
  const documented = entriesOf(prepared.document).map(({ operationId }) => operationId);
  expect(ROWS.map(({ operation }) => operation).toSorted()).toEqual(documented.toSorted());
  expect(HEAD).toEqual([...CALLERS]);
});

describe('each operation', () => {
  test.each(ROWS.map((row) => [row.operation, row.expected] as const))('%s', async (operation, expected) => {
    const folder = `${prepared.folder}-${operation}`;
    cpSync(prepared.folder, folder, { recursive: true });
    const server = await open(folder);
    try {
      const ask = await callersOf(server);
      const request = requestFor(prepared.document, operation);
      const answered: Record<string, string> = {};
      for (const kind of refusedFirst(expected)) {
        const before = changeCount(server);
        const reply = await ask(kind, request);
        answered[kind] = outcomeOf(reply);
        if (!isRefusal(answered[kind])) continue;
        // A refused request changes nothing, and its answer has the words of the contract.
        expect([kind, changeCount(server)]).toEqual([kind, before]);
        if (reply.status !== 422 && answered[kind] !== 'item')
          expect([
            kind,
            faultsOf(reply, { status: reply.status, mnemonico: mnemonicOf(request.path) }),
          ]).toEqual([kind, []]);
      }
      expect(answered).toEqual({ ...expected });
    } finally {
      await server.close();
    }
  });
});

const isRefusal = (cell = ''): boolean => cell === 'item' || Number(cell) >= 400;

/** Puts the refused callers first: no allowed call has then already done or undone the change. */
const refusedFirst = (expected: Expected): readonly CallerKind[] => [
  ...CALLERS.filter((kind) => isRefusal(expected[kind])),
  ...CALLERS.filter((kind) => !isRefusal(expected[kind])),
];

/** Returns the status; `item` if each item was refused for its company. */
function outcomeOf(reply: Reply): string {
  if (reply.status !== 200 || !reply.headers.get('content-type')?.startsWith('application/json'))
    return String(reply.status);
  const items = reply.json as { sucesso?: boolean; erros?: readonly { mensagem?: string }[] }[];
  const areRefused =
    Array.isArray(items) &&
    items.length > 0 &&
    items.every((item) => item.sucesso === false && JSON.stringify(item.erros).includes(NOT_REPRESENTATIVE));
  return areRefused ? 'item' : '200';
}

/** Returns the number of rows ever written by this connection. */
const changeCount = ({ app }: TestApp): unknown =>
  app.core.db.prepare('SELECT total_changes() AS changes').get();
