/**
 * Simulates other modules of the public service from files: one operation per address that a folder answers.
 */
import { type Operation, operation } from '../../http/operation.ts';
import type { Neighbours } from '../../http/router.ts';
import type { Caller } from '../../session/model.ts';
import { answerOf } from './answer.ts';
import type { Stub, StubFolder } from './folder.ts';

export const stubNeighbours =
  (folder: StubFolder): Neighbours<Caller> =>
  (pathname) =>
    folder.stubsAt(pathname).map(operationOf);

/**
 * The sandbox gives a stub page no origin, so that it cannot read the session of catp's pages or send
 * requests with it.
 */
const SANDBOX = { 'Content-Security-Policy': 'sandbox' };

/**
 * Builds the operation of a stub. Its id is its path, so the hourly limit counts all methods of a path
 * together.
 */
const operationOf = (stub: Stub): Operation<Caller> => ({
  ...operation<Caller>(stub.method, stub.path, {
    id: stub.path,
    tag: 'Vizinhos',
    source: 'contract, section 22',
    summary: 'Outro módulo, por um arquivo de --stubs',
    access: stub.isPublic ? 'anybody' : 'user',
    bodyForm: 'ignored',
    handle: () => answerOf(stub),
  }),
  everyAnswer: SANDBOX,
});
