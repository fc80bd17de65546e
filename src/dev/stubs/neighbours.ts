/** Other modules of the public service, by files: an operation for each address that a folder answers. */
import { type Method, type Operation, operation } from '../../http/operation.ts';
import type { Neighbours } from '../../http/router.ts';
import type { Caller } from '../../session/model.ts';
import { answerOf } from './answer.ts';
import type { Stub, StubFolder } from './folder.ts';

export class StubNeighbours implements Neighbours<Caller> {
  readonly #folder: StubFolder;

  constructor(folder: StubFolder) {
    this.#folder = folder;
  }

  methodsAt(pathname: string): readonly Method[] {
    return this.#folder.stubsAt(pathname).map(({ method }) => method);
  }

  operationAt(method: string, pathname: string): Operation<Caller> | undefined {
    const stub = this.#folder.stubsAt(pathname).find((one) => one.method === method);
    return stub && operationOf(stub);
  }
}

/** One path is one operation to the hourly limit, whatever the method. */
const operationOf = (stub: Stub): Operation<Caller> =>
  operation<Caller>(stub.method, stub.path, {
    id: stub.path,
    tag: 'Vizinhos',
    source: 'contract, section 22',
    summary: 'Outro módulo, por um arquivo de --stubs',
    access: stub.isPublic ? 'anybody' : 'user',
    bodyForm: 'ignored',
    handle: () => answerOf(stub),
  });
