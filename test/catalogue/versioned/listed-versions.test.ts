/** GET /appliance/api/products|foreign-operators/{cpfCnpjRaiz}/{codigo}/versions (contract section 14). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { DAY_MS } from '../../../src/clock.ts';
import { type Client, START, type TestApp, openApp } from '../../support/app.ts';
import { activate, load, product, tableFile } from '../attribute/support.ts';

const COMPANY = '12345678';
const DEMO = '00000000191';
const NAME = 'Maria Demonstração';
const PRODUCTS = '/catp/api/ext/produto';
const PRODUCT = { denominacao: 'Parafuso', modalidade: 'IMPORTACAO', ncm: '73181500' };
const OPERATORS = '/catp/api/ext/operador-estrangeiro';
const OPERATOR = { nome: 'Acme', logradouro: 'Rua 1', nomeCidade: 'Lyon' };
const MAIN = join(import.meta.dir, '../../../src/main.ts');

let server: TestApp;
let demo: Client;
beforeEach(async () => {
  server = await openApp({ settings: { ambiente: 'producao' } });
  demo = await server.as('demo');
});
afterEach(() => server.close());

const ofProduct = (codigo: number | string = 1): string =>
  `/appliance/api/products/${COMPANY}/${codigo}/versions`;
const ofOperator = (codigo = 'OPE_1'): string =>
  `/appliance/api/foreign-operators/${COMPANY}/${codigo}/versions`;

async function callOk(method: string, path: string, body?: unknown) {
  const reply = await demo.call(method, path, body);
  expect([reply.status, reply.text]).toEqual([200, reply.text]);
  return reply.json;
}

const versions = (path: string) => callOk('GET', path);

/** Returns version, first and last day of each version, in the order of the answer. */
async function validity(path: string): Promise<unknown[]> {
  const rows = (await versions(path)) as { versao: string; startsOn: string; endsOn: string }[];
  return rows.map(({ versao, startsOn, endsOn }) => [versao, startsOn, endsOn]);
}

async function onDay(day: string): Promise<void> {
  server.clock.moveTo(Date.parse(`${day}T09:00:00-03:00`));
  demo = await server.as('demo');
}

describe('the versions are readable', () => {
  test('for any user with the company; other users do not learn whether a record exists', async () => {
    await callOk('POST', `${PRODUCTS}/${COMPANY}`, PRODUCT);
    await callOk('POST', `${OPERATORS}/${COMPANY}/FR`, OPERATOR);
    const [agent, stranger, admin] = [
      await server.as('publico'),
      await server.as('estranho'),
      await server.as('admin'),
    ];
    for (const path of [ofProduct(), ofOperator()]) {
      expect((await server.anybody.call('GET', path)).status).toBe(401);
      for (const none of [stranger, admin]) expect((await none.call('GET', path)).status).toBe(403);
      for (const one of [demo, agent]) expect((await one.call('GET', path)).status).toBe(200);
    }
    for (const path of [ofProduct(2), ofOperator('OPE_2')]) {
      expect((await stranger.call('GET', path)).status).toBe(403);
      for (const one of [demo, agent]) expect((await one.call('GET', path)).status).toBe(404);
    }
  });

  test('for a valid code only; an invalid and an unknown one are refused', async () => {
    expect((await demo.call('GET', ofProduct('x'))).status).toBe(400);
    expect((await demo.call('GET', ofProduct('10000000000'))).status).toBe(400);
    expect((await demo.call('GET', ofProduct('9999999999'))).json.message).toContain('9999999999');
    expect((await demo.call('GET', ofOperator('x'.repeat(36)))).status).toBe(400);
    expect((await demo.call('GET', ofOperator('x'))).json.message).toContain(
      'código "x" no catálogo de 12345678',
    );
  });
});

describe('of a product', () => {
  test('each have these members, oldest first', async () => {
    await callOk('POST', `${PRODUCTS}/${COMPANY}`, PRODUCT);
    await onDay('2026-01-20');
    await callOk('PUT', `${PRODUCTS}/${COMPANY}/1`, PRODUCT);
    await onDay('2026-01-25');
    await callOk('PUT', `${PRODUCTS}/desativar/${COMPANY}/1`);
    expect((await demo.call('GET', ofProduct('0001'))).text).toBe(
      JSON.stringify([
        {
          versao: '1',
          situacao: 'ATIVADO',
          madeAt: '2026-01-15T09:00:00.000-03:00',
          madeBy: DEMO,
          startsOn: '2026-01-15',
          endsOn: '2026-01-19',
          deactivatedAt: null,
          deactivatedBy: null,
          madeByName: NAME,
          deactivatedByName: null,
          proposedBy: null,
          proposedByName: null,
          changes: [],
        },
        {
          versao: '2',
          situacao: 'DESATIVADO',
          madeAt: '2026-01-20T09:00:00.000-03:00',
          madeBy: DEMO,
          startsOn: '2026-01-20',
          endsOn: null,
          deactivatedAt: '2026-01-25T09:00:00.000-03:00',
          deactivatedBy: DEMO,
          madeByName: NAME,
          deactivatedByName: NAME,
          proposedBy: null,
          proposedByName: null,
          changes: [{ member: 'situacao', heading: 'Situação', before: 'ATIVADO', after: 'DESATIVADO' }],
        },
      ]),
    );
  });

  test('of one day: only the last was in force at its end', async () => {
    await callOk('POST', `${PRODUCTS}/${COMPANY}`, PRODUCT);
    await callOk('PUT', `${PRODUCTS}/${COMPANY}/1`, PRODUCT);
    await callOk('PUT', `${PRODUCTS}/${COMPANY}/1`, PRODUCT);
    expect(await validity(ofProduct())).toEqual([
      ['1', null, null],
      ['2', null, null],
      ['3', '2026-01-15', null],
    ]);
  });

  test('have a rectification with the days of its original, which then has none', async () => {
    await callOk('POST', `${PRODUCTS}/${COMPANY}`, PRODUCT);
    await onDay('2026-01-20');
    await callOk('PUT', `${PRODUCTS}/${COMPANY}/1`, PRODUCT);
    await onDay('2026-01-25');
    await callOk('PUT', `${PRODUCTS}/${COMPANY}/1/1`, PRODUCT);
    await callOk('PUT', `${PRODUCTS}/${COMPANY}/1/2`, PRODUCT);
    await callOk('PUT', `${PRODUCTS}/${COMPANY}/1/1`, PRODUCT);
    expect(await validity(ofProduct())).toEqual([
      ['1', null, null],
      ['2', null, null],
      ['1.1', null, null],
      ['1.2', '2026-01-15', '2026-01-19'],
      ['2.1', '2026-01-20', null],
    ]);
  });

  test('with a day of reference start on it', async () => {
    await callOk('POST', `${PRODUCTS}/${COMPANY}/2020-02-29`, PRODUCT);
    await callOk('PUT', `${PRODUCTS}/${COMPANY}/1`, PRODUCT);
    expect(await validity(ofProduct())).toEqual([
      ['1', '2020-02-29', '2026-01-14'],
      ['2', '2026-01-15', null],
    ]);
  });

  test('have a draft from its first day on, which stays the same version when it is activated', async () => {
    const draft = { seq: 1, cpfCnpjRaiz: COMPANY, situacao: 'RASCUNHO', denominacao: 'Rascunho' };
    await callOk('POST', PRODUCTS, [draft]);
    await onDay('2026-01-20');
    await callOk('POST', PRODUCTS, [{ ...draft, codigo: 1 }]);
    expect(await versions(ofProduct())).toMatchObject([
      { versao: '1', situacao: 'RASCUNHO', startsOn: '2026-01-15', endsOn: null },
    ]);
    await callOk('PUT', `${PRODUCTS}/${COMPANY}/1`, PRODUCT);
    expect(await versions(ofProduct())).toMatchObject([
      {
        versao: '1',
        situacao: 'ATIVADO',
        madeAt: '2026-01-15T09:00:00.000-03:00',
        startsOn: '2026-01-15',
        endsOn: null,
      },
    ]);
  });

  test('have the days on which the list has them', async () => {
    await callOk('POST', `${PRODUCTS}/${COMPANY}/2025-12-30`, PRODUCT);
    for (const day of [1, 1, 3, 7]) {
      server.clock.moveTo(START + day * DAY_MS);
      demo = await server.as('demo');
      await callOk('PUT', `${PRODUCTS}/${COMPANY}/1`, PRODUCT);
    }
    await callOk('PUT', `${PRODUCTS}/${COMPANY}/1/3`, PRODUCT);
    const rows = (await versions(ofProduct())) as { versao: string; startsOn: string; endsOn: string }[];
    for (const day of ['2025-12-30', '2026-01-15', '2026-01-16', '2026-01-17', '2026-01-18', '2026-01-22']) {
      const [{ versao }] = await callOk('GET', `${PRODUCTS}?cpfCnpjRaiz=${COMPANY}&dataReferencia=${day}`);
      const inForce = rows.filter(
        ({ startsOn, endsOn }) => startsOn !== null && startsOn <= day && (endsOn === null || day <= endsOn),
      );
      expect([day, inForce.map((one) => one.versao)]).toEqual([day, [versao]]);
    }
  });
});

describe('of an operator', () => {
  test('a retroactive one ends at the start of the next one, and is listed by its creation', async () => {
    await callOk('POST', `${OPERATORS}/${COMPANY}/FR`, OPERATOR);
    await onDay('2026-01-20');
    await callOk('PUT', `${OPERATORS}/${COMPANY}/FR/OPE_1`, OPERATOR);
    await callOk('POST', `${OPERATORS}/${COMPANY}/FR/OPE_1/2026-01-17`, OPERATOR);
    await callOk('POST', `${OPERATORS}/${COMPANY}/FR/OPE_1/2026-01-01`, OPERATOR);
    await callOk('POST', `${OPERATORS}/${COMPANY}/FR/OPE_1/2026-01-17`, OPERATOR);
    expect(await validity(ofOperator())).toEqual([
      ['1', '2026-01-15', '2026-01-16'],
      ['2', '2026-01-20', null],
      ['3', null, null],
      ['4', '2026-01-01', '2026-01-14'],
      ['5', '2026-01-17', '2026-01-19'],
    ]);
  });

  test('one that is not current is deactivated alone', async () => {
    await callOk('POST', `${OPERATORS}/${COMPANY}/FR`, OPERATOR);
    await onDay('2026-01-20');
    await callOk('PUT', `${OPERATORS}/${COMPANY}/FR/OPE_1`, OPERATOR);
    await callOk('PUT', `${OPERATORS}/desativar/${COMPANY}/FR/OPE_1/1`);
    expect(await versions(ofOperator())).toMatchObject([
      {
        versao: '1',
        situacao: 'DESATIVADO',
        endsOn: '2026-01-19',
        deactivatedAt: '2026-01-20T09:00:00.000-03:00',
        deactivatedBy: DEMO,
      },
      { versao: '2', situacao: 'ATIVADO', deactivatedAt: null, deactivatedBy: null },
    ]);
  });
});

describe('the changes of a version are listed with it', () => {
  const changes = async (path: string): Promise<unknown[]> =>
    ((await versions(path)) as { changes: unknown[] }[]).map((one) => one.changes);

  test('for a product member by member, attributes by their names, against the version before in the list', async () => {
    const admin = await server.as('admin');
    const table = tableFile('1', { '7318.15.00': [{ codigo: 'ATT_1', obrigatorio: false }] });
    await activate(admin, await load(admin, table));
    const codigosInterno = ['A', 'B'];
    await callOk('POST', `${PRODUCTS}/${COMPANY}`, { ...PRODUCT, codigosInterno });
    const atributos = [{ atributo: 'ATT_1', valor: '01' }];
    await callOk('PUT', `${PRODUCTS}/${COMPANY}/1`, { ...PRODUCT, descricao: 'De aço', atributos });
    await callOk('PUT', `${PRODUCTS}/${COMPANY}/1`, { ...PRODUCT, descricao: 'De aço', atributos });
    const [first, second, third] = await changes(ofProduct());
    expect([first, third]).toEqual([[], []]);
    expect(second).toEqual([
      { member: 'descricao', heading: 'Descrição', before: null, after: 'De aço' },
      { member: 'codigosInterno', heading: 'Códigos internos', before: 'A | B', after: null },
      { member: 'atributo:ATT_1', heading: expect.stringMatching(/./), before: null, after: '01' },
    ]);
  });

  test('for an operator too, with its identifications', async () => {
    await callOk('POST', `${OPERATORS}/${COMPANY}/FR`, OPERATOR);
    await callOk('PUT', `${OPERATORS}/${COMPANY}/FR/OPE_1`, {
      ...OPERATOR,
      nomeCidade: 'Paris',
      identificacoesAdicionais: [{ numero: '123', codigo: '9' }],
    });
    expect(await changes(ofOperator())).toEqual([
      [],
      [
        { member: 'nomeCidade', heading: 'Cidade', before: 'Lyon', after: 'Paris' },
        {
          member: 'identificacoesAdicionais',
          heading: 'Identificações adicionais',
          before: null,
          after: '9 123',
        },
      ],
    ]);
  });

  test('with the name of the user who created it, as long as the user exists', async () => {
    const admin = await server.as('admin');
    const demo2 = await server.as('demo2');
    await demo2.call('POST', `${PRODUCTS}/${COMPANY}`, PRODUCT);
    const names = async (): Promise<unknown[]> =>
      ((await versions(ofProduct())) as { madeByName: unknown }[]).map((one) => one.madeByName);
    expect(await names()).toEqual([expect.stringMatching(/\w/)]);
    expect((await admin.call('DELETE', '/appliance/api/users/00000000272')).status).toBe(204);
    expect(await names()).toEqual([null]);
  });
});

describe('the creator of a version is', () => {
  const creatorsOf = async (path: string): Promise<unknown[]> =>
    ((await versions(path)) as { madeBy: string }[]).map((one) => one.madeBy);

  test('the caller, in an operation, a batch and a file', async () => {
    const demo2 = await server.as('demo2');
    await callOk('POST', `${PRODUCTS}/${COMPANY}`, PRODUCT);
    await demo2.call('PUT', `${PRODUCTS}/${COMPANY}/1`, PRODUCT);
    await demo2.call('POST', PRODUCTS, [{ seq: 1, cpfCnpjRaiz: COMPANY, codigo: 1, ...PRODUCT }]);
    const form = new FormData();
    form.set('tipo', 'produto');
    const item = { seq: 1, cpfCnpjRaiz: COMPANY, codigo: 1, ...PRODUCT };
    form.set('file', new File([JSON.stringify([item])], 'produtos.json'));
    const { id } = (await demo.call('POST', '/appliance/api/imports', form)).json;
    while ((await callOk('GET', `/appliance/api/imports/${id}`)).state !== 'done') await Bun.sleep(5);
    expect(await creatorsOf(ofProduct())).toEqual([DEMO, '00000000272', '00000000272', DEMO]);
  });

  test('linha de comando, in an import of the command line', async () => {
    const file = join(server.folder, 'produtos.json');
    await Bun.write(file, JSON.stringify([{ seq: 1, cpfCnpjRaiz: COMPANY, ...PRODUCT }]));
    const child = Bun.spawn([process.execPath, MAIN, 'import', 'produto', file, '--data', server.folder], {
      stdout: 'pipe',
      stderr: 'pipe',
      env: { TZ: 'UTC' },
    });
    expect(await child.exited).toBe(0);
    expect(await creatorsOf(ofProduct())).toEqual(['linha de comando']);
  });

  test('and its deactivator sistema when a table refuses it', async () => {
    const admin = await server.as('admin');
    await callOk('POST', `${PRODUCTS}/${COMPANY}`, product('73181500'));
    const id = await load(admin, tableFile('1', { '7318.15.00': [{ codigo: 'ATT_1' }] }));
    await activate(admin, id);
    expect(await versions(ofProduct())).toMatchObject([
      {
        situacao: 'DESATIVADO',
        madeBy: DEMO,
        deactivatedBy: 'sistema',
        deactivatedByName: null,
        startsOn: '2026-01-15',
        endsOn: null,
      },
    ]);
  });

  test('and its deactivator sistema when a pair starts on that day', async () => {
    const admin = await server.as('admin');
    const pairs = [{ codigo: 'ATT_1', from: '2026-01-16' }];
    await activate(admin, await load(admin, tableFile('1', { '7318.15.00': pairs })));
    await callOk('POST', `${PRODUCTS}/${COMPANY}`, product('73181500'));
    await admin.call('POST', '/appliance/api/clock', { advance: 'P1D' });
    demo = await server.as('demo');
    expect(await versions(ofProduct())).toMatchObject([
      { situacao: 'DESATIVADO', madeBy: DEMO, deactivatedBy: 'sistema' },
    ]);
  });
});
