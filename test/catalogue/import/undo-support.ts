/** Runs imports over HTTP, undoes them, and reads their records. */
import { expect } from 'bun:test';
import type { Client, Reply } from '../../support/app.ts';

export const COMPANY = '12345678';
export const IMPORTS = '/appliance/api/imports';
const PRODUCTS = '/catp/api/ext/produto';

export const PLAIN = { denominacao: 'Caixa', modalidade: 'IMPORTACAO', ncm: '39269090' };

export const item = (members: object): object => ({ seq: 1, cpfCnpjRaiz: COMPANY, ...PLAIN, ...members });

/** Returns the operations of a user that represents the company. */
export function importerOf(demo: Client) {
  async function ended(id: number) {
    for (;;) {
      const { json } = await demo.call('GET', `${IMPORTS}/${id}`);
      if (json.state !== 'queued' && json.state !== 'running')
        return { id, job: json, rows: (await demo.call('GET', `${IMPORTS}/${id}/results`)).json };
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  /** Uploads a file of JSON, and returns the id of its import. */
  async function send(items: readonly object[], fields: Record<string, string> = {}): Promise<number> {
    const form = new FormData();
    form.set('file', new File([JSON.stringify(items)], 'itens.json'));
    for (const [name, value] of Object.entries({ tipo: 'produto', ...fields })) form.set(name, value);
    return started(await demo.call('POST', IMPORTS, form));
  }

  function started({ status, json }: Reply): number {
    expect([status, json]).toEqual([202, { id: expect.any(Number) }]);
    return json.id;
  }

  const undoing = (id: number, body?: object) => demo.call('POST', `${IMPORTS}/${id}/undo`, body);

  return {
    ended,
    send,
    undoing,
    importFile: async (items: readonly object[], fields?: Record<string, string>) =>
      ended(await send(items, fields)),
    change: async (order: object) =>
      ended(
        started(
          await demo.call('POST', '/appliance/api/products/changes', { cpfCnpjRaiz: COMPANY, ...order }),
        ),
      ),
    /** Undoes an import, and waits for the end of the undo. */
    undo: async (id: number, body?: object) => ended(started(await undoing(id, body))),
    include: async (content: object = PLAIN): Promise<number> =>
      (await demo.call('POST', `${PRODUCTS}/${COMPANY}`, content)).json.codigo,
    get: async (codigo: number) =>
      (await demo.call('GET', `${PRODUCTS}?cpfCnpjRaiz=${COMPANY}&codigo=${codigo}`)).json[0],
    replace: (codigo: number, content: object) =>
      demo.call('PUT', `${PRODUCTS}/${COMPANY}/${codigo}`, content),
    versions: async (codigo: number) =>
      (await demo.call('GET', `/appliance/api/products/${COMPANY}/${codigo}/versions`)).json,
  };
}
