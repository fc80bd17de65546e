/** The rights of a representation at the operations of remotes (contract section 27). */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Right } from '../../src/right.ts';
import { type Client, type TestApp, openApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { COMPANY, NOTHING, compare, form } from './support.ts';

let server: TestApp;
let admin: Client;
let demo: Client;
let comparison: number;
beforeAll(async () => {
  server = await openApp();
  [admin, demo] = [await server.as('admin'), await server.as('demo')];
  await admin.call('POST', '/appliance/api/remotes', { name: 'portal', companies: [COMPANY] });
  const product = { denominacao: 'Caixa', descricao: 'Caixa', modalidade: 'IMPORTACAO', ncm: '39269090' };
  await demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, product);
  ({ id: comparison } = await compare(server, demo, {}));
});
afterAll(() => server.close());

const give = (papel: Right) =>
  admin.call('POST', '/appliance/api/representations', {
    documento: '00000000191',
    cpfCnpjRaiz: COMPANY,
    perfil: 'IMPEXP',
    papel,
  });

test.each(['leitura', 'preenchimento'] as const)(
  '%s allows a person to read comparisons and simulate runs, and refuses starts, decisions and changes',
  async (papel) => {
    await give('aprovacao');
    const runs = `/appliance/api/comparisons/${comparison}/runs`;
    const started = await demo.call('POST', runs, { direction: 'send', simulate: true });
    expect(started.status).toBe(202);
    const run = `/appliance/api/runs/${started.json.id}`;
    await eventually(async () => (await demo.call('GET', run)).json.state).toBe('done');

    await give(papel);
    expect((await demo.call('GET', `/appliance/api/comparisons/${comparison}/records`)).status).toBe(200);
    expect((await demo.call('POST', runs, { direction: 'send', simulate: true })).status).toBe(202);
    const pair = { kind: 'produto', codigo: '1', remoteCodigo: null };
    for (const [method, path, body] of [
      ['POST', '/appliance/api/remotes/portal/comparisons', form({ ...NOTHING })],
      ['DELETE', `/appliance/api/comparisons/${comparison}`, undefined],
      ['POST', `/appliance/api/comparisons/${comparison}/pairs`, pair],
      ['POST', runs, { direction: 'fetch' }],
      ['POST', `${run}/pause`, undefined],
      ['POST', `${run}/resume`, undefined],
      ['DELETE', run, undefined],
    ] as const) {
      const { status, text } = await demo.call(method, path, body);
      expect([method, path, status]).toEqual([method, path, 403]);
      expect(text).toContain(`é ${papel}; isto pede aprovacao.`);
    }
  },
);
