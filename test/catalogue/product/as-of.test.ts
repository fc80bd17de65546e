/** GET /ext/produto with dataReferencia: each product at the end of that day (contract section 5). */
import { describe, expect, test } from 'bun:test';
import { START } from '../../support/app.ts';
import {
  COMPANY,
  MINIMAL,
  OF_COMPANY,
  PATH,
  ITEM,
  TODAY,
  TOMORROW,
  YESTERDAY,
  include,
  includeDraft,
  laterDay,
  listed,
  productsForEachTest,
  sendItem,
  succeed,
} from './support.ts';
import type { Client } from '../../support/app.ts';

const DEACTIVATE = `${PATH}/desativar/${COMPANY}/1`;
const open = productsForEachTest();

/** Version and situation of each product as of a day. */
async function asOf(client: Client, day: string, filters = ''): Promise<string[]> {
  const items = await listed(client, `&dataReferencia=${day}${filters}`);
  return items.map(({ versao, situacao }: { versao: string; situacao: string }) => `${versao} ${situacao}`);
}

test('before its first version a product is absent', async () => {
  const { demo } = open();
  await include(demo);
  expect(await asOf(demo, YESTERDAY)).toEqual([]);
  expect(await asOf(demo, TODAY)).toEqual(['1 ATIVADO']);
});

test('a day after today means today', async () => {
  const { demo } = open();
  await include(demo);
  expect(await asOf(demo, TOMORROW)).toEqual(['1 ATIVADO']);
  expect(await asOf(demo, '9999-12-31')).toEqual(['1 ATIVADO']);
});

test('of several versions of one day the last one is in force at its end', async () => {
  const products = open();
  await include(products.demo);
  let demo = await laterDay(products, 1);
  await demo.call('PUT', `${OF_COMPANY}/1`, MINIMAL);
  await demo.call('PUT', `${OF_COMPANY}/1`, MINIMAL);
  demo = await laterDay(products, 2);
  expect(await asOf(demo, TODAY)).toEqual(['1 ATIVADO']);
  expect(await asOf(demo, TOMORROW)).toEqual(['3 ATIVADO']);
});

test('a rectification replaces the content for all the days of its family', async () => {
  const products = open();
  await include(products.demo);
  let demo = await laterDay(products, 1);
  await demo.call('PUT', `${OF_COMPANY}/1`, MINIMAL);
  demo = await laterDay(products, 2);
  await demo.call('PUT', `${OF_COMPANY}/1/1`, {
    ...MINIMAL,
    denominacao: 'Corrigido',
    codigosInterno: ['C'],
  });
  expect(await asOf(demo, TODAY)).toEqual(['1.1 ATIVADO']);
  expect(await asOf(demo, TOMORROW)).toEqual(['2 ATIVADO']);
  expect(await asOf(demo, TODAY, '&denominacao=corrigido')).toEqual(['1.1 ATIVADO']);
  expect(await asOf(demo, TODAY, '&codigoInterno=C')).toEqual(['1.1 ATIVADO']);
  expect(await asOf(demo, TOMORROW, '&codigoInterno=C')).toEqual([]);
});

test('a rectified family whose start was retroactive keeps its start', async () => {
  const { demo } = open();
  succeed(await demo.call('POST', `${OF_COMPANY}/2025-06-01`, MINIMAL));
  succeed(await demo.call('PUT', `${OF_COMPANY}/1/1`, MINIMAL));
  expect(await asOf(demo, '2025-06-01')).toEqual(['1.1 ATIVADO']);
  expect(await asOf(demo, '2025-05-31')).toEqual([]);
});

test('a deactivation counts from the end of its day, and a later version does not reactivate the days between', async () => {
  const products = open();
  await include(products.demo);
  let demo = await laterDay(products, 2);
  await demo.call('PUT', DEACTIVATE);
  demo = await laterDay(products, 4);
  await demo.call('PUT', `${OF_COMPANY}/1`, MINIMAL);
  const days = ['2026-01-15', '2026-01-16', '2026-01-17', '2026-01-18', '2026-01-19'];
  const states = [];
  for (const day of days) states.push(...(await asOf(demo, day)));
  expect(states).toEqual(['1 ATIVADO', '1 ATIVADO', '1 DESATIVADO', '1 DESATIVADO', '2 ATIVADO']);
  expect(await asOf(demo, '2026-01-17', '&situacao=1')).toHaveLength(1);
  expect(await asOf(demo, '2026-01-17', '&situacao=0')).toEqual([]);
  expect(await asOf(demo, '2026-01-16', '&situacao=0')).toHaveLength(1);
});

test('a rectification of a deactivated family takes effect from the deactivation on', async () => {
  const products = open();
  await include(products.demo);
  let demo = await laterDay(products, 2);
  await demo.call('PUT', DEACTIVATE);
  demo = await laterDay(products, 4);
  await demo.call('PUT', `${OF_COMPANY}/1/1`, MINIMAL);
  expect(await asOf(demo, TOMORROW)).toEqual(['1.1 ATIVADO']);
  expect(await asOf(demo, '2026-01-17')).toEqual(['1.1 DESATIVADO']);
});

test('a draft is absent until the day of its activation, because its earlier contents are not stored', async () => {
  const products = open();
  await includeDraft(products.demo);
  let demo = await laterDay(products, 1);
  await sendItem(demo, { ...ITEM, codigo: 1, situacao: 'RASCUNHO', denominacao: 'Editado' });
  demo = await laterDay(products, 2);
  succeed(await demo.call('PUT', `${OF_COMPANY}/1`, MINIMAL));
  demo = await laterDay(products, 3);
  expect(await asOf(demo, TODAY)).toEqual([]);
  expect(await asOf(demo, TOMORROW)).toEqual([]);
  expect(await asOf(demo, '2026-01-17')).toEqual(['1 ATIVADO']);
  expect(await asOf(demo, TOMORROW, '&situacao=2')).toEqual([]);
});

test('an activated draft that was deactivated is present from its activation on', async () => {
  const products = open();
  await includeDraft(products.demo);
  let demo = await laterDay(products, 1);
  await demo.call('PUT', `${OF_COMPANY}/1`, MINIMAL);
  demo = await laterDay(products, 2);
  await demo.call('PUT', DEACTIVATE);
  const states = [];
  for (const day of [TODAY, TOMORROW, '2026-01-17']) states.push(...(await asOf(demo, day)));
  expect(states).toEqual(['1 ATIVADO', '1 DESATIVADO']);
});

describe('the end of a day', () => {
  test('is midnight in Brasília', async () => {
    const { server, demo } = open();
    await include(demo);
    server.clock.moveTo(Date.parse('2026-01-16T02:59:59.999Z'));
    await (await server.as('demo')).call('PUT', `${OF_COMPANY}/1`, MINIMAL);
    server.clock.moveTo(Date.parse('2026-01-16T03:00:00Z'));
    const later = await server.as('demo');
    await later.call('PUT', DEACTIVATE);
    expect(await asOf(later, TODAY)).toEqual(['2 ATIVADO']);
    expect(await asOf(later, TOMORROW)).toEqual(['2 DESATIVADO']);
  });

  test('follows the summer time that Brazil had until 2019', async () => {
    const { server } = open();
    // Brasília was at UTC-2, so 2019-01-10 23:30 was 01:30 UTC on the 11th.
    server.clock.moveTo(Date.parse('2019-01-11T01:30:00Z'));
    await include(await server.as('demo'));
    server.clock.moveTo(START);
    const demo = await server.as('demo');
    expect(await asOf(demo, '2019-01-10')).toEqual(['1 ATIVADO']);
    expect(await asOf(demo, '2019-01-09')).toEqual([]);
  });
});
