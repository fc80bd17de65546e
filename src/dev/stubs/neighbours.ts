/** Other modules of the public service, by files: an operation for each address that a folder answers. */
import { type Operation, operation } from '../../http/operation.ts';
import type { Neighbours } from '../../http/router.ts';
import type { Caller } from '../../session/model.ts';
import { answerOf } from './answer.ts';
import type { Stub, StubFolder } from './folder.ts';

export const stubNeighbours =
  (folder: StubFolder): Neighbours<Caller> =>
  (pathname) =>
    folder.stubsAt(pathname).map(operationOf);

/** A file that a browser shows as a page has no origin: it reads neither the session of our pages nor asks in their name. */
const SANDBOX = { 'Content-Security-Policy': 'sandbox' };

/** One path is one operation to the hourly limit, whatever the method. */
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
