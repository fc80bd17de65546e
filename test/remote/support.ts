/** Two catalogues with a remote between them: the exports of one are compared with the other. */
import type { Step, StepOperation } from '../../src/remote/run/model.ts';
import { StepStore } from '../../src/remote/run/step-store.ts';
import { keyOfCode } from '../../src/remote/forms.ts';
import type { Client, TestApp } from '../support/app.ts';

export const COMPANY = '12345678';

export interface Exports {
  readonly produtos: object[];
  readonly operadores: object[];
  readonly vinculos: object[];
}

export const NOTHING: Exports = { produtos: [], operadores: [], vinculos: [] };

export const form = (
  files: Partial<Record<keyof Exports, unknown>>,
  fields: Record<string, string> = {},
): FormData => {
  const body = new FormData();
  for (const [name, value] of Object.entries({ cpfCnpjRaiz: COMPANY, ...fields })) body.append(name, value);
  for (const [name, records] of Object.entries(files)) {
    const content = records instanceof Uint8Array ? records : JSON.stringify(records);
    body.append(name, new File([content as string], `${name}.json`));
  }
  return body;
};

export interface Compared {
  readonly id: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- each test states what it expects
  readonly comparison: any;
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  readonly records: any[];
}

/** Compares and waits for the end. */
export async function compare(
  server: TestApp,
  client: Client,
  files: Partial<Record<keyof Exports, unknown>>,
  fields: Record<string, string> = {},
  remote = 'portal',
): Promise<Compared> {
  const started = await client.call(
    'POST',
    `/appliance/api/remotes/${remote}/comparisons`,
    form({ ...NOTHING, ...files }, fields),
  );
  if (started.status !== 202) throw new Error(started.text);
  await server.app.core.remote.runner.idle();
  const { id } = started.json;
  const comparison = (await client.call('GET', `/appliance/api/comparisons/${id}`)).json;
  const listed = await client.call('GET', `/appliance/api/comparisons/${id}/records?limit=500`);
  return { id, comparison, records: listed.status === 200 ? listed.json.items : [] };
}

export interface Ran extends Pick<Step, 'outcome'>, Partial<Pick<Step, 'remoteVersao' | 'code' | 'message'>> {
  readonly codigo: number;
  readonly there?: number;
  readonly operation?: StepOperation;
}

/** Creates a run with such steps, about the current products. Returns its id. */
export async function ran(
  { app }: TestApp,
  comparisonId: number,
  steps: readonly Ran[],
  { simulated = false } = {},
): Promise<number> {
  const { db, writer, remote } = app.core;
  const store = remote.runStore;
  const { remoteId, cpfCnpjRaiz } = remote.store.findComparison(comparisonId) ?? {
    remoteId: 0,
    cpfCnpjRaiz: '',
  };
  return writer.write((tx) => {
    const request = {
      remoteId,
      cpfCnpjRaiz,
      comparisonId,
      direction: 'send',
      documento: '1',
      key: null,
      asked: {},
    } as const;
    const id = store.insert({ ...request, simulated }, tx.now);
    const run = store.find(id);
    for (const [index, { codigo, there, operation = 'include', ...ended }] of steps.entries()) {
      const n = index + 1;
      const localKey = keyOfCode('produto', String(codigo));
      const localVersao =
        db
          .prepare<[number], string>('SELECT CAST(family AS TEXT) FROM product WHERE id % 10000000000 = ?')
          .pluck()
          .get(codigo) ?? null;
      const planned = {
        kind: 'produto',
        operation,
        localKey,
        remoteKey: null,
        name: '',
        localVersao,
      } as const;
      store.insertStep(
        id,
        n,
        {
          ...planned,
          localFingerprint: 1,
          remoteFingerprint: null,
          message: null,
          outcome: 'pending',
          lookupsBefore: 0,
        },
        tx.now,
      );
      const [step] = store.steps(id, n - 1, 1);
      if (run === undefined || step === undefined) throw new Error('No step.');
      const key = there === undefined ? null : keyOfCode('produto', String(there));
      new StepStore(db).put(run, { ...step, ...ended, remoteKey: key, due: null, attempts: 1 }, tx.now);
    }
    store.end(id, 'done', null, tx.now);
    return id;
  });
}
