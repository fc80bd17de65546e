/** `catp ncm load` on the data folder of a running server. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { join } from 'node:path';
import { type Ended, toEnd } from '../../scripts/proof/to-end.ts';
import { SystemClock, TestClock } from '../../src/clock.ts';
import { type TestApp, openApp } from '../support/app.ts';
import { nomenclatureFile } from './support.ts';

let server: TestApp;
beforeEach(async () => {
  // A command uses the clock of the machine.
  server = await openApp({ demo: true, clock: new TestClock(new SystemClock().now()) });
});
afterEach(() => server.close());

async function load(name: string, file?: object): Promise<Ended> {
  const path = join(server.folder, name);
  if (file !== undefined) await Bun.write(path, JSON.stringify(file));
  const main = join(import.meta.dir, '../../src/main.ts');
  const command = [process.execPath, main, 'ncm', 'load', path, '--data', server.folder];
  return toEnd(command, { env: { TZ: 'UTC' } });
}

test('a development instance has descriptions for each NCM of its catalogue', async () => {
  const demo = await server.as('demo');
  const { json } = await demo.call('GET', '/appliance/api/ncm?text=bicicleta');
  expect(json.map(({ ncm }: { ncm: string }) => ncm)).toEqual(['87120010', '87120090']);
  const { items } = (await demo.call('GET', '/appliance/api/ncms')).json;
  for (const { ncm } of items)
    expect((await demo.call('GET', `/appliance/api/ncm/${ncm}`)).json.path).not.toEqual([]);
  // The search finds an NCM by the words of its line, and by the names of its attributes.
  const reply = await demo.call('GET', '/appliance/api/ncms?search=bicicl');
  expect(reply.json.items.map(({ ncm }: { ncm: string }) => ncm)).toEqual(['87120010']);
});

test('a broken file is refused with every fault, a missing one by name, and the descriptions are kept', async () => {
  const { code, err } = await load('a.json', { Nomenclaturas: [{ Codigo: 'x' }] });
  expect([code, err]).toEqual([1, expect.stringContaining('foi recusada, e nada mudou')]);
  for (const member of ['Codigo', 'Descricao', 'Data_Inicio', 'Data_Fim'])
    expect(err).toContain(`CATP-ER1181 /Nomenclaturas/0/${member}`);
  expect(await load('nada.json')).toMatchObject({
    code: 2,
    err: expect.stringContaining('nada.json não pode ser lido (não existe, ENOENT)'),
  });
  const demo = await server.as('demo');
  expect((await demo.call('GET', '/appliance/api/ncm/87120010')).status).toBe(200);
});

test('a file replaces the earlier one, and the server answers by it at once', async () => {
  const demo = await server.as('demo');
  expect((await demo.call('GET', '/appliance/api/ncm/87120010')).json.descricao).toBe('Bicicletas');
  const { code, out } = await load('a.json', nomenclatureFile([['8712.00.10', 'Ciclos de duas rodas']]));
  expect([code, out]).toEqual([0, 'Nomenclatura carregada: 1 linha, 1 NCM. Vigente em 15/01/2026.\n']);
  expect((await demo.call('GET', '/appliance/api/ncm/87120010')).json.descricao).toBe('Ciclos de duas rodas');
  const { json } = await (await server.as('admin')).call('GET', '/appliance/api/audit?subject=nomenclatura');
  expect(json.items[0]).toMatchObject({ actor: 'linha de comando', channel: 'cli' });
});
