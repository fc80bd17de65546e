/**
 * Products to correct (GET /appliance/api/products/reasons, and the filter toMend of the list): their
 * search, their reasons, and their correction.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import {
  COMPANY,
  OTHER_COMPANY,
  type TestPair,
  activate,
  include,
  load,
  product,
  tableFile,
} from '../attribute/support.ts';

const REASONS = '/appliance/api/products/reasons';
const PAGE = '/appliance/api/products';
const IMPORTS = '/appliance/api/imports';
const MISSING = 'CATP-ER1101';
const [SCREW, COFFEE] = ['73181500', '09012100'];

let server: TestApp;
let demo: Client;
let admin: Client;

beforeEach(async () => {
  server = await openApp({ settings: { ambiente: 'producao' } });
  demo = await server.as('demo');
  admin = await server.as('admin');
});

afterEach(() => server.close());

const reasons = async (query = '') =>
  (await demo.call('GET', `${REASONS}?cpfCnpjRaiz=${COMPANY}${query}`)).json;

const codes = async (query: string): Promise<number[]> => {
  const { json, text, status } = await demo.call('GET', `${PAGE}?cpfCnpjRaiz=${COMPANY}&${query}`);
  if (status !== 200) throw new Error(text);
  return json.items.map(({ codigo }: { codigo: string }) => Number(codigo));
};

async function endOfChange({ json: { id } }: { json: { id: number } }) {
  for (;;) {
    const { json } = await demo.call('GET', `${IMPORTS}/${id}`);
    if (json.state !== 'queued' && json.state !== 'running') return json;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

const change = async (order: object) =>
  endOfChange(await demo.call('POST', `${PAGE}/changes`, { cpfCnpjRaiz: COMPANY, ...order }));

/** Deactivates three screws and a coffee: the table requires ATT_1 for both NCMs, and ATT_2 for coffee. */
async function deactivateProducts() {
  const screws = [];
  for (let count = 0; count < 3; count += 1) screws.push(await include(demo, product(SCREW)));
  const coffee = await include(demo, product(COFFEE));
  const otherCompanyCode = await include(demo, product(SCREW), OTHER_COMPANY);
  const table = await load(
    admin,
    tableFile('1', {
      '7318.15.00': [{ codigo: 'ATT_1' }],
      '0901.21.00': [{ codigo: 'ATT_1' }, { codigo: 'ATT_2' }],
    }),
  );
  await activate(admin, table);
  return { screws, coffee, other: otherCompanyCode };
}

const OF_FIRST = `toMend=deactivated&reason=${MISSING}&member=atributo:ATT_1`;

describe('the request for the reasons', () => {
  test('requires a session and the company', async () => {
    const path = `${REASONS}?cpfCnpjRaiz=${COMPANY}`;
    expect((await server.anybody.call('GET', path)).status).toBe(401);
    expect((await (await server.as('estranho')).call('GET', path)).status).toBe(403);
  });

  test.each([
    ['toMend=sistema', 'toMend'],
    ['toMend=0', 'toMend'],
    [`reason=${MISSING}`, 'reason'],
    ['member=ncm', 'member'],
  ])('with %s is refused', async (query, field) => {
    const { status, json } = await demo.call('GET', `${PAGE}?cpfCnpjRaiz=${COMPANY}&${query}`);
    expect(status).toBe(400);
    expect(json.detail).toMatchObject([{ code: 'PUCX-ER0010', path: field }]);
  });

  /** Returns the problems of the queue, of the list, and of a change of the listed products. */
  async function refusals(toMend: string) {
    const query = `cpfCnpjRaiz=${COMPANY}&toMend=${toMend}`;
    const replies = [
      await demo.call('GET', `${REASONS}?${query}`),
      await demo.call('GET', `${PAGE}?${query}`),
      await demo.call('POST', `${PAGE}/changes`, {
        cpfCnpjRaiz: COMPANY,
        filter: { toMend },
        reactivate: true,
      }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([422, 422, 422]);
    return replies.flatMap(({ json }) => json.detail);
  }

  test('is refused for an unknown or truncated table', async () => {
    const table = await load(admin, tableFile('1', { '7318.15.00': [] }));
    server.app.core.db.exec(`UPDATE attribute_table SET body = 'gone'`);
    for (const [id, words] of [
      ['9', 'não existe tabela'],
      [String(table), 'só está guardado o que ela mudou'],
    ] as const) {
      const problem = { code: 'CATP-ER1039', path: 'toMend', message: expect.stringContaining(words) };
      expect(await refusals(id)).toMatchObject([problem, problem, problem]);
    }
  });

  test('has an empty answer without products to correct, and without any table', async () => {
    expect(await reasons()).toEqual({ total: 0, ready: 0, readyLosing: 0, reasons: [] });
    expect(await codes('toMend=deactivated')).toEqual([]);
  });
});

describe('the products that the system deactivated', () => {
  test('are grouped by reason, then by NCM, the most frequent first, with their values', async () => {
    await deactivateProducts();
    expect(await reasons()).toMatchObject({
      total: 4,
      ready: 0,
      reasons: [
        {
          reason: MISSING,
          member: 'atributo:ATT_1',
          heading: 'Inventado ATT_1',
          count: 4,
          alone: 3,
          accepted: null,
          parts: [],
          received: [{ value: '', count: 4 }],
          ncmCount: 2,
          form: { formaPreenchimento: 'TEXTO', tamanhoMaximo: 10, casasDecimais: null, mascara: null },
          ncms: [
            { ncm: SCREW, count: 3 },
            { ncm: COFFEE, count: 1 },
          ],
        },
        { reason: MISSING, member: 'atributo:ATT_2', count: 1, alone: 0, ncms: [{ ncm: COFFEE, count: 1 }] },
      ],
    });
    expect(await reasons(`&ncm=${COFFEE}`)).toMatchObject({
      total: 1,
      reasons: [{ count: 1 }, { count: 1 }],
    });
  });

  test('each have the table that deactivated it, and its findings', async () => {
    const { screws, coffee } = await deactivateProducts();
    const latest = async (codigo: number) =>
      (await demo.call('GET', `${PAGE}/${COMPANY}/${codigo}/versions`)).json.at(-1);
    const deactivation = { deactivatedBy: 'sistema', deactivatedByTable: { versao: '1', isWhole: true } };
    expect(await latest(coffee)).toMatchObject(deactivation);
    const table = (await latest(coffee)).deactivatedByTable;
    expect(table.inForceOn).toBe('2026-01-15');
    // A later table in force does not change it.
    await activate(admin, await load(admin, tableFile('2', { '0901.21.00': [{ codigo: 'ATT_3' }] })));
    expect((await latest(coffee)).deactivatedByTable).toEqual(table);
    expect(await reasons(`&codigo=${coffee}&toMend=${table.id}`)).toMatchObject({
      total: 1,
      reasons: [
        { member: 'atributo:ATT_1', heading: 'Inventado ATT_1' },
        { member: 'atributo:ATT_2', heading: 'Inventado ATT_2' },
      ],
    });
    expect(await reasons(`&codigo=${screws[0]}`)).toMatchObject({
      total: 1,
      reasons: [{ member: 'ncm' }],
    });
    // Without a code a table judges active products only.
    expect(await reasons(`&toMend=${table.id}`)).toMatchObject({ total: 0 });
  });

  test('list attributes that the table no longer has, and NCMs that left it', async () => {
    await activate(admin, await load(admin, tableFile('1', { '7318.15.00': [{ codigo: 'ATT_1' }] })));
    const screw = await include(demo, product(SCREW, 'ATT_1'));
    const other = await include(demo, { ...product(SCREW, 'ATT_1'), denominacao: 'Outro' });
    await demo.call('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${other}`);
    await activate(
      admin,
      await load(admin, tableFile('2', { '7318.15.00': [{ codigo: 'ATT_2', obrigatorio: false }] })),
    );
    const latest = async (codigo: number) =>
      (await demo.call('GET', `${PAGE}/${COMPANY}/${codigo}/versions`)).json.at(-1);
    const { id } = (await latest(screw)).deactivatedByTable;
    expect((await latest(other)).deactivatedByTable).toBeUndefined();
    expect(await reasons(`&codigo=${screw}&toMend=${id}`)).toMatchObject({
      reasons: [{ member: 'atributo:ATT_1', message: expect.stringContaining('ATT_1') }],
    });
    await activate(admin, await load(admin, tableFile('3', { '0901.21.00': [] })));
    expect(await reasons(`&codigo=${screw}`)).toMatchObject({
      reasons: [{ member: 'ncm', message: expect.stringMatching(/7318\.?15/) }],
    });
  });

  test('are found by the list, by reason, member and NCM, also in pages', async () => {
    const { screws, coffee } = await deactivateProducts();
    expect(await codes('toMend=deactivated')).toEqual([...screws, coffee]);
    expect(await codes(OF_FIRST)).toEqual([...screws, coffee]);
    expect(await codes(`${OF_FIRST}&ncm=${SCREW}`)).toEqual(screws);
    expect(await codes(`toMend=deactivated&reason=${MISSING}&member=atributo:ATT_2`)).toEqual([coffee]);
    expect(await codes('toMend=deactivated&reason=CATP-ER1102')).toEqual([]);
    expect(await codes(`${OF_FIRST}&limit=1&from=1`)).toEqual(screws.slice(1, 2));
    const { json } = await demo.call('GET', `${PAGE}?cpfCnpjRaiz=${COMPANY}&${OF_FIRST}&limit=3`);
    expect(json).toMatchObject({ total: 4, totalIsExact: true });
    expect(await codes(`${OF_FIRST}&limit=3&after=${json.next}`)).toEqual([coffee]);
  });

  test('leave the queue by one value for a whole group, and the count of the panel follows', async () => {
    const { screws } = await deactivateProducts();
    const filter = { toMend: 'deactivated', reason: MISSING, member: 'atributo:ATT_1', ncm: SCREW };
    const order = { filter, set: { atributos: { ATT_1: 'M6' } }, reactivate: true };
    const dry = await change({ ...order, simular: true });
    expect(dry).toMatchObject({ total: 3, newVersion: 3, failed: 0 });
    expect(await reasons()).toMatchObject({ total: 4 });
    expect(await change({ from: dry.id })).toMatchObject({ newVersion: 3, failed: 0 });
    expect(await reasons()).toMatchObject({ total: 1, reasons: [{ count: 1 }, { count: 1 }] });
    const { json } = await demo.call('GET', `/appliance/api/summary?cpfCnpjRaiz=${COMPANY}`);
    expect(json.products).toMatchObject({ ATIVADO: 3, deactivatedBySystem: 1 });
    expect(await codes('situacao=ATIVADO')).toEqual(screws);
  });

  test('with two reasons get one value after the other, and are activated with the last', async () => {
    const { coffee } = await deactivateProducts();
    await change({ codigos: [coffee], set: { atributos: { ATT_1: 'x' } } });
    expect(await reasons(`&ncm=${COFFEE}`)).toMatchObject({
      total: 1,
      reasons: [{ member: 'atributo:ATT_2', count: 1, alone: 1 }],
    });
    await change({ codigos: [coffee], set: { atributos: { ATT_2: 'y' } }, reactivate: true });
    expect(await codes(`situacao=ATIVADO&ncm=${COFFEE}`)).toEqual([coffee]);
  });

  test('are ready when nothing is missing, and superfluous values are removed automatically', async () => {
    const third = { codigo: 'ATT_3', obrigatorio: false };
    const inForce = async (versao: string, screw: readonly TestPair[], coffee: readonly TestPair[]) =>
      activate(
        admin,
        await load(admin, tableFile(versao, { '7318.15.00': screw, '0901.21.00': [...coffee, third] })),
      );
    const second = { codigo: 'ATT_2' };
    await inForce('1', [{ codigo: 'ATT_1' }], []);
    const stale = await include(demo, product(SCREW, 'ATT_1'));
    const whole = await include(demo, product(COFFEE, 'ATT_3'));
    await inForce('2', [second], [second]);
    expect(await reasons()).toMatchObject({
      total: 2,
      ready: 0,
      readyLosing: 0,
      reasons: [{ member: 'atributo:ATT_2' }],
    });
    const optional = { ...second, obrigatorio: false };
    await inForce('3', [optional], [optional]);
    expect(await reasons()).toEqual({ total: 2, ready: 2, readyLosing: 1, reasons: [] });
    expect(await codes('toMend=ready')).toEqual([stale, whole]);
    // The dry run shows the values that the first product would lose.
    const { id } = await change({ filter: { toMend: 'ready' }, reactivate: true, simular: true });
    const { json: rows } = await demo.call('GET', `${IMPORTS}/${id}/results`);
    const lost = rows.map(({ changes }: { changes: { member: string; after: string | null }[] }) =>
      changes.flatMap(({ member, after }) => (after === null ? [member] : [])),
    );
    expect(lost).toEqual([['atributo:ATT_1'], []]);
    await change({ filter: { toMend: 'ready' }, reactivate: true });
    expect(await reasons()).toMatchObject({ total: 0, ready: 0, readyLosing: 0 });
    expect(await codes('situacao=ATIVADO')).toEqual([stale, whole]);
  });

  test('with a wrong value have that value', async () => {
    await include(demo, { ...product(SCREW), atributos: [{ atributo: 'ATT_1', valor: 'longer than ten' }] });
    await activate(admin, await load(admin, tableFile('1', { '7318.15.00': [{ codigo: 'ATT_1' }] })));
    expect(await reasons()).toMatchObject({
      reasons: [{ reason: 'CATP-ER1106', received: [{ value: 'longer than ten', count: 1 }], alone: 1 }],
    });
  });

  test('with an NCM that the table lacks are grouped by their NCM', async () => {
    await include(demo, product(SCREW));
    await activate(admin, await load(admin, tableFile('1', { '0901.21.00': [{ codigo: 'ATT_1' }] })));
    expect(await reasons()).toMatchObject({
      reasons: [
        { reason: 'CATP-ER1100', member: 'ncm', heading: 'NCM', form: null, received: [{ value: SCREW }] },
      ],
    });
  });
});

describe('the products that a table would refuse', () => {
  test('are the active ones, checked on the day of the table', async () => {
    const screw = await include(demo, product(SCREW));
    const from = '2099-01-01';
    const later = tableFile('2', { '7318.15.00': [{ codigo: 'ATT_1', from }] });
    const table = await load(admin, later);
    // The pair starts in 2099, so today it requires nothing.
    expect(await reasons(`&toMend=${table}`)).toMatchObject({ total: 0 });
    await activate(admin, table, from);
    expect(await reasons(`&toMend=${table}`)).toMatchObject({
      total: 1,
      ready: 0,
      reasons: [{ member: 'atributo:ATT_1', count: 1 }],
    });
    expect(await codes(`toMend=${table}`)).toEqual([screw]);
    expect(await reasons()).toMatchObject({ total: 0 });
  });
});

describe('the sheet of a group', () => {
  const path = (format: string): string =>
    `${PAGE}.${format}?cpfCnpjRaiz=${COMPANY}&${OF_FIRST}&columns=codigo,versao,denominacao,ncm,atributo:ATT_1`;

  async function upload(name: string, content: BlobPart, planilha: object = {}) {
    const body = new FormData();
    body.set('file', new File([content], name));
    body.set('cpfCnpjRaiz', COMPANY);
    body.set('tipo', 'produto');
    body.set('planilha', JSON.stringify(planilha));
    return endOfChange(await demo.call('POST', IMPORTS, body));
  }

  test('has the missing attribute as a column by its name, and imports again without a change', async () => {
    await deactivateProducts();
    const { text } = await demo.call('GET', path('csv'));
    expect(text.split('\r\n')[0]).toBe('Código;Versão;Denominação;NCM;Inventado ATT_1 (ATT_1)');
    expect(await upload('a.csv', text)).toMatchObject({ total: 4, unchanged: 4, failed: 0 });
    const { bytes } = await demo.call('GET', path('xlsx'));
    expect(await upload('a.xlsx', bytes as BlobPart)).toMatchObject({ total: 4, unchanged: 4, failed: 0 });
  });

  test('corrects after it is filled in, each product with its own value', async () => {
    const { screws, coffee } = await deactivateProducts();
    const { text } = await demo.call('GET', path('csv'));
    const filled = text
      .split('\r\n')
      .map((line, at) => (at > 0 && line !== '' ? `${line}M${at}` : line))
      .join('\r\n');
    // The coffee still lacks another attribute, and cannot be activated.
    expect(await upload('a.csv', filled, { reactivate: true })).toMatchObject({ newVersion: 3, failed: 1 });
    expect(await codes('situacao=ATIVADO')).toEqual(screws);
    expect(await codes(OF_FIRST)).toEqual([coffee]);
  });

  test('of the whole queue has a column for each missing attribute, and imports again without a change', async () => {
    await deactivateProducts();
    const columns = 'codigo,versao,denominacao,ncm,atributo:ATT_1,atributo:ATT_2';
    const query = `cpfCnpjRaiz=${COMPANY}&toMend=deactivated&columns=${columns}`;
    const { text } = await demo.call('GET', `${PAGE}.csv?${query}`);
    expect(text.split('\r\n')[0]).toEndWith(';Inventado ATT_1 (ATT_1);Inventado ATT_2 (ATT_2)');
    expect(await upload('a.csv', text)).toMatchObject({ total: 4, unchanged: 4, failed: 0 });
  });

  test('fills in a missing part of a compound, and keeps the others', async () => {
    const file = (versao: string, isRequired: boolean) => {
      const table = tableFile(versao, { '7318.15.00': [{ codigo: 'ATT_1', obrigatorio: false }] }) as {
        detalhesAtributos: object[];
      };
      const [detail] = table.detalhesAtributos;
      const part = (codigo: string, obrigatorio: boolean) => ({
        ...detail,
        codigo,
        nome: codigo,
        nomeApresentacao: `Parte ${codigo}`,
        obrigatorio,
      });
      const parts = [part('ATT_11', false), part('ATT_12', isRequired)];
      return {
        ...table,
        detalhesAtributos: [{ ...detail, formaPreenchimento: 'COMPOSTO', listaSubatributos: parts }],
      };
    };
    await activate(admin, await load(admin, file('1', false)));
    const valores = [{ atributo: 'ATT_11', valor: 'x' }];
    const codigo = await include(demo, {
      ...product(SCREW),
      atributosCompostos: [{ atributo: 'ATT_1', valores }],
    });
    await activate(admin, await load(admin, file('2', true)));
    const member = 'atributo:ATT_1/ATT_12';
    expect(await reasons()).toMatchObject({
      reasons: [{ reason: 'CATP-ER1111', member, heading: 'Parte ATT_12', parts: [], count: 1 }],
    });
    const query = `cpfCnpjRaiz=${COMPANY}&toMend=deactivated&member=${member}`;
    const { text } = await demo.call('GET', `${PAGE}.csv?${query}&columns=codigo,${member}`);
    expect(text.trim()).toBe(`Código;Inventado ATT_1: Parte ATT_12 (ATT_1/ATT_12)\r\n${codigo};`);
    expect(await upload('a.csv', `${text.trim()}y`, { reactivate: true })).toMatchObject({ newVersion: 1 });
    const { json } = await demo.call('GET', `/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}&codigo=${codigo}`);
    expect(json[0].atributosCompostos).toEqual([
      { atributo: 'ATT_1', valores: [...valores, { atributo: 'ATT_12', valor: 'y' }] },
    ]);
  });
});
