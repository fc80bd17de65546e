/** The audit of one company, for users with the right to approve in it (contract section 25). */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { activate, load, tableFile } from '../catalogue/attribute/support.ts';
import type { Client } from '../support/app.ts';
import { AUDIT, type Audited, COMPANY, DEMO, PRODUCT, REQUEST, done, openAudited } from './support.ts';

let at: Audited;
beforeEach(async () => {
  at = await openAudited();
});
afterEach(() => at.server.close());

const OF_COMPANY = `${AUDIT}?cpfCnpjRaiz=${COMPANY}`;
const subjects = async (client: Client, query = OF_COMPANY): Promise<string[]> =>
  (await client.call('GET', query)).json.items.map(({ subject }: { subject: string }) => subject);

test('is visible to administrators and approvers, and contains no accounts and tables', async () => {
  const { admin, demo, server } = at;
  await done(demo.call('POST', PRODUCT, REQUEST));
  await done(demo.call('POST', PRODUCT.replace(COMPANY, '87654321'), REQUEST));
  await activate(admin, await load(admin, tableFile('1', {})));
  await done(admin.call('POST', '/appliance/api/companies', { cpfCnpjRaiz: '45543915', nome: 'Outra' }));
  const change = { cpfCnpjRaiz: COMPANY, codigos: [1], set: { descricao: 'outra' }, simular: true };
  await done(demo.call('POST', '/appliance/api/products/changes', change));
  const own = await subjects(demo);
  expect(own).toContain(`produto ${COMPANY}/1`);
  expect(new Set(own.map((subject) => subject.split(' ')[0]))).toEqual(new Set(['produto', 'importacao']));
  expect(own.every((subject) => !subject.includes('87654321'))).toBe(true);
  expect(await subjects(admin)).toEqual(own);
  const csv = await demo.call('GET', `${AUDIT}.csv?cpfCnpjRaiz=${COMPANY}&columns=subject`);
  expect(csv.text.trim().split('\r\n').slice(1)).toEqual(own);
  for (const query of [AUDIT, `${AUDIT}?cpfCnpjRaiz=11222333`])
    expect((await demo.call('GET', query)).status).toBe(403);
  expect((await demo.call('GET', `${AUDIT}?cpfCnpjRaiz=x`)).status).toBe(400);
  for (const [papel, status] of [
    ['preenchimento', 403],
    ['aprovacao', 200],
  ] as const) {
    const representation = { documento: DEMO, cpfCnpjRaiz: COMPANY, perfil: 'IMPEXP', papel };
    await done(admin.call('POST', '/appliance/api/representations', representation));
    expect((await (await server.as('demo')).call('GET', OF_COMPANY)).status).toBe(status);
  }
});
