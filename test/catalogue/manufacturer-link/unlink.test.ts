/** PUT /ext/fabricante/{cpfCnpjRaiz}: unlinking (contract section 4, Manufacturer-producer link). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../../src/clock.ts';
import { type Client, START, type TestApp, openApp } from '../../support/app.ts';
import { keepEvents } from '../../support/subscribed.ts';
import {
  COMPANY,
  LINKS,
  givenOperator,
  givenProduct,
  linkTo,
  linkEvents,
  problemsOf,
  unknownIn,
} from './support.ts';

let app: TestApp;
let demo: Client;

beforeAll(async () => {
  app = await openApp();
  demo = await app.as('demo');
  givenOperator(app, 'OPE_1', 'DE');
});

afterAll(() => app.close());

const link = (body: unknown) => demo.call('POST', `${LINKS}/${COMPANY}`, body);
const unlink = (body: unknown, client = demo) => client.call('PUT', `${LINKS}/${COMPANY}`, body);

describe('an unlink is refused', () => {
  test('without a session or without the company', async () => {
    expect((await unlink(unknownIn(1, 'DE'), app.anybody)).status).toBe(401);
    expect((await unlink(unknownIn(1, 'DE'), await app.as('estranho'))).status).toBe(403);
  });

  test('for a malformed record', async () => {
    expect((await unlink({ conhecido: false, codigoPais: 'DE' })).status).toBe(400);
  });

  test('for an unknown link', async () => {
    const codigo = await givenProduct(demo);
    await link(unknownIn(codigo, 'DE'));
    for (const other of [unknownIn(codigo, 'US'), linkTo(codigo, 'DE', 'OPE_1')]) {
      const reply = await unlink(other);
      expect(reply.status).toBe(422);
      expect(reply.json.message).toBe('Fabricante/produtor não encontrado no produto.');
      expect(problemsOf(reply)).toEqual(['CATP-ER1020 null']);
    }
  });

  test('for a removed link', async () => {
    const codigo = await givenProduct(demo);
    await link(unknownIn(codigo, 'DE'));
    expect((await unlink(unknownIn(codigo, 'DE'))).status).toBe(200);
    expect((await unlink(unknownIn(codigo, 'DE'))).status).toBe(422);
  });

  test('for an unknown product', async () => {
    expect(problemsOf(await unlink(unknownIn(999, 'DE')))).toEqual([
      'CATP-ER1015 /codigoProduto',
      'CATP-ER1020 null',
    ]);
  });

  test('for a deactivated product', async () => {
    const codigo = await givenProduct(demo);
    await link(unknownIn(codigo, 'DE'));
    await demo.call('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${codigo}`);
    expect(problemsOf(await unlink(unknownIn(codigo, 'DE')))).toEqual(['CATP-ER1015 /codigoProduto']);
  });
});

describe('an unlink removes', () => {
  test('only the link, which is the answer', async () => {
    const codigo = await givenProduct(demo);
    await link(unknownIn(codigo, 'DE'));
    await link(unknownIn(codigo, 'US'));
    const reply = await unlink({ ...unknownIn(codigo, 'DE'), cpfCnpjFabricante: '00000000000000' });
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      cpfCnpjRaiz: COMPANY,
      codigoProduto: codigo,
      conhecido: false,
      codigoPais: 'DE',
      codigoOperadorEstrangeiro: null,
      cpfCnpjFabricante: null,
    });
    expect((await unlink(unknownIn(codigo, 'US'))).status).toBe(200);
  });

  test('a link whose operator was deactivated since', async () => {
    const codigo = await givenProduct(demo);
    givenOperator(app, 'OPE_2', 'US');
    await link(linkTo(codigo, 'US', 'OPE_2'));
    app.app.core.db
      .prepare("UPDATE foreign_operator SET situacao = 'DESATIVADO' WHERE codigo = 'OPE_2'")
      .run();
    expect((await unlink(linkTo(codigo, 'US', 'OPE_2'))).status).toBe(200);
  });

  test('a link, with an event for the company that describes it', async () => {
    await keepEvents(app, 'catp-vinc-alterado');
    const codigo = await givenProduct(demo);
    await link(unknownIn(codigo, 'DE'));
    await unlink(unknownIn(codigo, 'DE'));
    expect(linkEvents(app).at(-1)).toMatchObject({ codigo, codigoPais: 'DE', operacao: 'DESVINCULACAO' });
  });

  test('a link that can be created again, any number of times', async () => {
    const codigo = await givenProduct(demo);
    for (let round = 0; round < 3; round += 1) {
      expect((await link(unknownIn(codigo, 'DE'))).status).toBe(200);
      expect((await unlink(unknownIn(codigo, 'DE'))).status).toBe(200);
    }
  });
});

describe('the days of a link', () => {
  const linkedOn = (client: Client, codigo: number, day: string) =>
    client
      .call(
        'GET',
        `/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}&codigo=${codigo}&paisOrigem=FR&dataReferencia=${day}`,
      )
      .then(({ status }) => status === 200);

  test('include the day of its start, and exclude the day of its removal', async () => {
    const retroactive = { denominacao: 'Parafuso', modalidade: 'IMPORTACAO', ncm: '73181500' };
    const reply = await demo.call('POST', `/catp/api/ext/produto/${COMPANY}/2026-01-01`, retroactive);
    const codigo = reply.json.codigo as number;
    await link(unknownIn(codigo, 'FR'));
    app.clock.moveTo(START + 2 * DAY_MS);
    const later = await app.as('demo');
    expect((await unlink(unknownIn(codigo, 'FR'), later)).status).toBe(200);
    const days = ['2026-01-14', '2026-01-15', '2026-01-16', '2026-01-17'];
    const links = await Promise.all(days.map((day) => linkedOn(later, codigo, day)));
    expect(links).toEqual([false, true, true, false]);
    app.clock.moveTo(START);
  });

  test('include the day of a link that was removed on the day of its creation', async () => {
    const codigo = await givenProduct(demo);
    await link(unknownIn(codigo, 'FR'));
    expect(await linkedOn(demo, codigo, '2026-01-15')).toBe(true);
    await unlink(unknownIn(codigo, 'FR'));
    expect(await linkedOn(demo, codigo, '2026-01-15')).toBe(false);
  });
});
