/** Two catalogues and a remote between them: what the exports of one say is compared with the other. */
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
  const made = new FormData();
  for (const [name, value] of Object.entries({ cpfCnpjRaiz: COMPANY, ...fields })) made.append(name, value);
  for (const [name, records] of Object.entries(files)) {
    const content = records instanceof Uint8Array ? records : JSON.stringify(records);
    made.append(name, new File([content as string], `${name}.json`));
  }
  return made;
};

export interface Compared {
  readonly id: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test says itself what it expects
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
