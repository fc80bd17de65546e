/** The nomenclature comes by itself, by the rules of the attribute table (contract sections 19 and 20). */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type TestApp, openApp } from '../support/app.ts';
import { type TestOrigin, openOrigin, zipped } from '../support/origin.ts';
import { type Line, NOMENCLATURE, nomenclatureFile } from './support.ts';

let server: TestApp;
let origin: TestOrigin;
beforeEach(async () => {
  origin = await openOrigin('http');
  server = await openApp({ settings: { 'ncm.origem': origin.url, 'atributos.horario': 'nunca' } });
});
afterEach(async () => {
  await server.close();
  await origin[Symbol.asyncDispose]();
});

const lines = (count: number): Line[] =>
  Array.from({ length: count }, (_, index) => [`0901.${String(index).padStart(2, '0')}.00`, 'Café']);
const fetched = () => server.app.core.nomenclatureOrigin.runOnce();
const ncms = async (): Promise<number> =>
  (await (await server.as('demo')).call('GET', NOMENCLATURE)).json.loaded.ncms;
const notices = async (): Promise<string> =>
  (await server.anybody.call('GET', '/readyz')).json.notices.join();

test('a new one takes the place of the one before; the same in another layout changes nothing', async () => {
  const file = nomenclatureFile(lines(20));
  origin.serves(JSON.stringify(file));
  expect(await fetched()).toMatchObject({ outcome: 'new' });
  origin.serves(`\u{FEFF}${JSON.stringify(file, undefined, 2)}`);
  expect(await fetched()).toMatchObject({ outcome: 'same' });
  origin.serves(await zipped('Tabela_NCM.json', JSON.stringify(file)));
  expect(await fetched()).toMatchObject({ outcome: 'same' });
  origin.serves(JSON.stringify(nomenclatureFile(lines(21))));
  expect(await fetched()).toMatchObject({ outcome: 'new' });
  expect(await ncms()).toBe(21);
});

test('one that lost more than 10 % of the NCMs is kept back, and told', async () => {
  origin.serves(JSON.stringify(nomenclatureFile(lines(20))));
  await fetched();
  origin.serves(JSON.stringify(nomenclatureFile(lines(17))));
  const { outcome, message } = await fetched();
  expect([outcome, await ncms()]).toEqual(['keptBack', 20]);
  expect(message).toContain('retida: só tem 17 das 20 NCMs');
  expect(await notices()).toContain(message);
  origin.serves(JSON.stringify(nomenclatureFile(lines(18))));
  expect(await fetched()).toMatchObject({ outcome: 'new' });
  expect([await ncms(), await notices()]).toEqual([18, expect.not.stringContaining('retida')]);
});

test('what is none is told with its fault, and the one in use stays', async () => {
  origin.serves(JSON.stringify(nomenclatureFile(lines(20))));
  await fetched();
  origin.serves('{"Nomenclaturas": []}');
  await expect(fetched()).rejects.toThrow('A nomenclatura foi buscada e recusada');
  expect([await ncms(), await notices()]).toEqual([20, expect.stringContaining('recusada')]);
});
