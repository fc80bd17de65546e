/** What will be asked, when, and of which products (GET /appliance/api/deadlines and /products); today is 2026-01-15. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../../../src/clock.ts';
import { type Client, START, type TestApp, openApp } from '../../../support/app.ts';
import { NOMENCLATURE, nomenclatureFile } from '../../../nomenclature/support.ts';
import { COMPANY, OTHER_COMPANY, activate, include, load, product, tableFile } from '../support.ts';

const PATH = '/appliance/api/deadlines';
const [SCREW, COFFEE, TOY] = ['73181500', '09012100', '95030010'];

let server: TestApp;
let demo: Client;
let admin: Client;

beforeEach(async () => {
  server = await openApp({ settings: { ambiente: 'producao' } });
  demo = await server.as('demo');
  admin = await server.as('admin');
});

afterEach(() => server.close());

async function put(file: object, on?: string): Promise<number> {
  const id = await load(admin, file);
  await activate(admin, id, on);
  return id;
}

const get = async (client: Client, query = '') => (await client.call('GET', `${PATH}?${query}`)).json;
const deadlines = async (query = '') => (await get(demo, query)).items;
const lacking = async (query = '', client = demo): Promise<number[]> => {
  const { json, text, status } = await client.call('GET', `${PATH}/products?cpfCnpjRaiz=${COMPANY}&${query}`);
  if (status !== 200) throw new Error(text);
  return json.items.map(({ codigo }: { codigo: string }) => Number(codigo));
};

/** Days after today; sessions have ended by then. */
async function daysLater(days: number): Promise<void> {
  server.clock.moveTo(START + days * DAY_MS);
  demo = await server.as('demo');
  admin = await server.as('admin');
}

/** ATT_1 is optional until the last of January. */
const ANNOUNCING = { '7318.15.00': [{ codigo: 'ATT_1', obrigatorio: false, to: '2026-01-31' }] };
const ANNOUNCED = { on: '2026-02-01', kind: 'announced', overdue: false, ncm: SCREW, codigo: 'ATT_1' };

describe('who asks', () => {
  test('is signed in; of a company, represents it; an administrator gets the numbers of all, and no product', async () => {
    expect((await server.anybody.call('GET', PATH)).status).toBe(401);
    const stranger = await server.as('estranho');
    expect((await stranger.call('GET', `${PATH}?cpfCnpjRaiz=${COMPANY}`)).status).toBe(403);
    expect((await stranger.call('GET', `${PATH}/products?cpfCnpjRaiz=${COMPANY}`)).status).toBe(403);
    expect((await admin.call('GET', `${PATH}/products?cpfCnpjRaiz=${COMPANY}`)).status).toBe(403);
    await put(tableFile('1', ANNOUNCING));
    await include(demo, product(SCREW));
    await include(demo, product(SCREW), OTHER_COMPANY);
    expect(await get(admin)).toMatchObject({ items: [{ products: 2, missing: 2 }], total: 1 });
    expect(await get(admin, `cpfCnpjRaiz=${OTHER_COMPANY}`)).toMatchObject({ items: [{ products: 1 }] });
    expect((await get(stranger)).items).toEqual([]);
  });

  test('represents several companies and gets the sums of these, or one and gets its own', async () => {
    await put(tableFile('1', ANNOUNCING));
    await include(demo, product(SCREW));
    await include(demo, product(SCREW), OTHER_COMPANY);
    expect(await get(demo)).toMatchObject({ items: [{ products: 2 }] });
    expect(await get(demo, `cpfCnpjRaiz=${COMPANY}`)).toMatchObject({ items: [{ products: 1 }] });
    expect(await get(await server.as('demo2'))).toMatchObject({ items: [{ products: 1 }] });
  });

  test.each([
    ['until=ontem', 'until'],
    ['ncm=7318', 'ncm'],
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['after=x', 'after'],
  ])('with %s is refused', async (query, field) => {
    const { status, json } = await demo.call('GET', `${PATH}?${query}`);
    expect(status).toBe(400);
    expect(json.detail).toMatchObject([{ path: field }]);
  });

  test.each([
    ['', 'cpfCnpjRaiz'],
    [`cpfCnpjRaiz=${COMPANY}&on=2026-02-30`, 'on'],
    [`cpfCnpjRaiz=${COMPANY}&modalidade=AMBOS`, 'modalidade'],
  ])('for products with "%s" is refused', async (query, field) => {
    const { status, json } = await demo.call('GET', `${PATH}/products?${query}`);
    expect(status).toBe(400);
    expect(json.detail).toMatchObject([{ path: field }]);
  });

  test('without any table, and of a table that announces nothing, gets none', async () => {
    await include(demo, product(SCREW));
    expect(await get(demo)).toEqual({ items: [], next: null, total: 0 });
    await put(tableFile('1', { '7318.15.00': [{ codigo: 'ATT_1', obrigatorio: false }] }));
    expect(await get(demo)).toEqual({ items: [], next: null, total: 0 });
  });
});

describe('announced', () => {
  test('is the day after the end of an optional pair, with the products that have no value yet', async () => {
    await put(tableFile('1', ANNOUNCING));
    const without = await include(demo, product(SCREW));
    await include(demo, product(SCREW, 'ATT_1'));
    await include(demo, { ...product(SCREW), modalidade: 'EXPORTACAO' });
    const both = await include(demo, { ...product(SCREW), modalidade: 'AMBOS' });
    expect(await deadlines()).toEqual([
      {
        ...ANNOUNCED,
        ...{ modalidade: 'IMPORTACAO', nome: 'Inventado ATT_1', table: '1', products: 3, missing: 2 },
      },
    ]);
    expect(await lacking()).toEqual([without, both]);
  });

  test('is right the moment a product changes, and counts neither drafts nor what is deactivated', async () => {
    await put(tableFile('1', ANNOUNCING));
    const codigo = await include(demo, product(SCREW));
    expect(await deadlines()).toMatchObject([{ products: 1, missing: 1 }]);
    await demo.call('PUT', `/catp/api/ext/produto/${COMPANY}/${codigo}`, product(SCREW, 'ATT_1'));
    expect(await deadlines()).toMatchObject([{ products: 1, missing: 0 }]);
    await demo.call('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${codigo}`);
    await demo.call('POST', '/appliance/api/products/drafts', {
      cpfCnpjRaiz: COMPANY,
      denominacao: 'x',
      ncm: SCREW,
    });
    expect(await deadlines()).toEqual([]);
    expect(await lacking()).toEqual([]);
  });

  test('is overdue from its day on, until a newer table is in force that does not confirm it', async () => {
    await put(tableFile('1', ANNOUNCING));
    await include(demo, product(SCREW));
    await daysLater(16);
    expect(await deadlines()).toMatchObject([{ ...ANNOUNCED, overdue: false }]);
    await daysLater(17);
    expect(await deadlines()).toMatchObject([{ ...ANNOUNCED, overdue: true }]);
    await put(tableFile('2', ANNOUNCING));
    expect(await deadlines()).toEqual([]);
  });

  test('is told of a table that is put in force after the day, where none before it has announced it', async () => {
    await include(demo, product(SCREW));
    await put(tableFile('1', { '7318.15.00': [{ codigo: 'ATT_1', obrigatorio: false, to: '2026-01-10' }] }));
    expect(await deadlines()).toMatchObject([{ on: '2026-01-11', overdue: true }]);
  });

  test('is nothing where the table itself says how it goes on', async () => {
    const optional = { codigo: 'ATT_1', obrigatorio: false };
    await include(demo, product(SCREW));
    await put(
      tableFile('1', {
        '7318.15.00': [
          { ...optional, to: '2026-01-31' },
          { ...optional, from: '2026-02-01' },
        ],
      }),
    );
    expect(await deadlines()).toEqual([]);
  });
});

describe('announced and not confirmed', () => {
  const unconfirmed = async (query = '') => deadlines(`unconfirmed=true&${query}`);
  const optional = { '7318.15.00': [{ codigo: 'ATT_1', obrigatorio: false }] };

  test('is told as long as the table is in force that did not confirm it, and no longer', async () => {
    await put(tableFile('1', ANNOUNCING));
    await include(demo, product(SCREW));
    await include(demo, product(SCREW, 'ATT_1'));
    expect(await unconfirmed()).toEqual([]);
    await daysLater(18);
    await put(tableFile('2', optional));
    expect(await deadlines()).toEqual([]);
    expect(await unconfirmed()).toEqual([
      {
        ...{ ...ANNOUNCED, overdue: true, modalidade: 'IMPORTACAO', nome: 'Inventado ATT_1' },
        ...{ table: '1', products: 2, missing: 1 },
      },
    ]);
    expect(await unconfirmed('until=2026-01-31')).toEqual([]);
    const csv = (await demo.call('GET', `${PATH}.csv?unconfirmed=true`)).text.trim().split('\r\n');
    expect(csv).toHaveLength(2);
    await put(tableFile('3', { '7318.15.00': [{ codigo: 'ATT_2', obrigatorio: false }] }));
    expect(await unconfirmed()).toEqual([]);
  });

  test('is what is taken back before its day too, but neither what is put off nor what stays announced', async () => {
    await include(demo, product(SCREW));
    await put(tableFile('1', ANNOUNCING));
    await put(tableFile('2', { ...ANNOUNCING, '0901.21.00': [] }));
    expect(await unconfirmed()).toEqual([]);
    const later = [{ codigo: 'ATT_1', obrigatorio: false, to: '2026-03-31' }];
    await put(tableFile('3', { '7318.15.00': later }));
    expect([await deadlines(), await unconfirmed()]).toMatchObject([[{ on: '2026-04-01' }], []]);
    await put(tableFile('4', optional));
    expect(await unconfirmed()).toMatchObject([{ on: '2026-04-01', overdue: false, table: '3' }]);
  });

  test.each([
    ['asked for at once', [{ codigo: 'ATT_1', from: '2026-02-01' }], []],
    ['asked for later', [{ codigo: 'ATT_1', from: '2026-03-01' }], [{ on: '2026-03-01', kind: 'certain' }]],
  ])('is not what is %s', async (_, pairs, stands) => {
    await put(tableFile('1', ANNOUNCING));
    const given = await include(demo, product(SCREW, 'ATT_1'));
    await daysLater(17);
    await put(tableFile('2', { '7318.15.00': pairs }));
    expect(await unconfirmed()).toEqual([]);
    expect(await deadlines()).toMatchObject(stands);
    const path = `/catp/api/ext/produto/${COMPANY}/${given}/1`;
    expect((await demo.call('GET', path)).json.situacao).toBe('ATIVADO');
  });

  test('is not what had been known before, and of an NCM that the table does not name nothing is told', async () => {
    await include(demo, product(SCREW));
    await put(tableFile('1', ANNOUNCING));
    await daysLater(18);
    await put(tableFile('2', { ...ANNOUNCING, '0901.21.00': [] }));
    expect(await unconfirmed()).toMatchObject([{ on: '2026-02-01' }]);
    await put(tableFile('3', optional));
    expect(await unconfirmed()).toEqual([]);
    await put(tableFile('4', { '0901.21.00': [] }));
    expect(await unconfirmed()).toEqual([]);
  });
});

describe('of one product', () => {
  test('is what is asked of it, with whether it lacks it; of one that is not active nothing', async () => {
    await put(tableFile('1', ANNOUNCING));
    const lacks = await include(demo, product(SCREW));
    const has = await include(demo, product(SCREW, 'ATT_1'));
    const exported = await include(demo, { ...product(SCREW), modalidade: 'EXPORTACAO' });
    const of = (codigo: number) => deadlines(`cpfCnpjRaiz=${COMPANY}&codigoProduto=${codigo}`);
    expect(await of(lacks)).toMatchObject([{ ...ANNOUNCED, products: 1, missing: 1 }]);
    expect(await of(has)).toMatchObject([{ ...ANNOUNCED, products: 1, missing: 0 }]);
    for (const none of [exported, 999]) expect(await of(none)).toEqual([]);
    await demo.call('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${lacks}`);
    expect(await of(lacks)).toEqual([]);
    const { status, json } = await demo.call('GET', `${PATH}?codigoProduto=1`);
    expect([status, json.detail]).toMatchObject([400, [{ path: 'codigoProduto' }]]);
  });
});

describe('certain', () => {
  test('is a mandatory pair that starts later, once, though an optional one ends the day before', async () => {
    await include(demo, product(SCREW));
    const pairs = [...ANNOUNCING['7318.15.00'], { codigo: 'ATT_1', from: '2026-02-01' }];
    await put(tableFile('1', { '7318.15.00': pairs }));
    expect(await deadlines()).toMatchObject([{ ...ANNOUNCED, kind: 'certain', products: 1, missing: 1 }]);
  });

  test('is not what is asked today, nor what goes on to be asked', async () => {
    await include(demo, product(SCREW, 'ATT_1'));
    const pairs = [
      { codigo: 'ATT_1', to: '2026-02-10' },
      { codigo: 'ATT_1', from: '2026-02-11' },
    ];
    await put(tableFile('1', { '7318.15.00': pairs }));
    expect(await deadlines()).toEqual([]);
  });

  test('is what a table asks that is put in force for a day to come, from that day on', async () => {
    await include(demo, product(SCREW));
    await put(tableFile('1', ANNOUNCING));
    await put(
      tableFile('2', { '7318.15.00': [{ codigo: 'ATT_1' }, { codigo: 'ATT_2', from: '2026-03-01' }] }),
      '2026-02-01',
    );
    expect(await deadlines()).toMatchObject([
      { ...ANNOUNCED, kind: 'certain', table: '2' },
      { on: '2026-03-01', kind: 'certain', codigo: 'ATT_2', table: '2' },
    ]);
  });

  test('is not what a table says of days on which another one is in force', async () => {
    await include(demo, product(SCREW));
    await put(tableFile('1', { '7318.15.00': [{ codigo: 'ATT_1', from: '2026-03-01' }] }));
    await put(tableFile('2', { '7318.15.00': [{ codigo: 'ATT_2', obrigatorio: false }] }), '2026-02-01');
    expect(await deadlines()).toEqual([]);
  });

  test('is a condition that starts later, for those products of which it holds', async () => {
    const file = tableFile('1', { '7318.15.00': [{ codigo: 'ATT_1', obrigatorio: false }] });
    const [detail] = (file as { detalhesAtributos: object[] }).detalhesAtributos;
    const conditional = {
      ...{ obrigatorio: true, multivalorado: false, dataInicioVigencia: '2026-02-01', dataFimVigencia: '' },
      ...{ descricaoCondicao: 'x', condicao: { operador: '==', valor: 'x' } },
      atributo: { ...detail, codigo: 'ATT_2', nome: 'Aro', nomeApresentacao: 'Aro' },
    };
    Object.assign(detail ?? {}, { atributoCondicionante: true, condicionados: [conditional] });
    await put(file);
    await include(demo, product(SCREW));
    const holds = await include(demo, product(SCREW, 'ATT_1'));
    await include(demo, product(SCREW, 'ATT_1', 'ATT_2'));
    expect(await deadlines()).toMatchObject([
      { on: '2026-02-01', kind: 'certain', codigo: 'ATT_2', nome: 'Aro', products: 2, missing: 1 },
    ]);
    expect(await lacking('codigo=ATT_2')).toEqual([holds]);
  });
});

describe('an NCM that ends', () => {
  const ends = async (...lines: Parameters<typeof nomenclatureFile>[0][number][]): Promise<void> => {
    const { status, text } = await admin.call('POST', NOMENCLATURE, nomenclatureFile(lines));
    if (status !== 200) throw new Error(text);
  };
  const ENDS = { on: '2026-02-01', kind: 'certain', overdue: false, ncm: SCREW, codigo: null };

  test('is asked of every active product of it from the day after its last, whatever they have', async () => {
    await ends(['7318.15.00', 'Parafusos', '01/04/2022', '31/01/2026'], ['0901.21.00', 'Café']);
    await put(tableFile('1', { '7318.15.00': [{ codigo: 'ATT_1', obrigatorio: false }], '0901.21.00': [] }));
    const first = await include(demo, product(SCREW));
    const second = await include(demo, { ...product(SCREW), modalidade: 'EXPORTACAO' });
    await include(demo, product(COFFEE));
    const row = { ...ENDS, modalidade: null, nome: null, table: null, products: 2, missing: 2 };
    expect(await deadlines()).toEqual([row]);
    expect(await lacking('on=2026-02-01')).toEqual([first, second]);
    expect(await lacking(`ncm=${SCREW}`)).toEqual([first, second]);
    expect(await lacking('codigo=ATT_1')).toEqual([]);
    expect(await lacking('modalidade=EXPORTACAO')).toEqual([]);
    const csv = (await demo.call('GET', `${PATH}.csv`)).text.trim().split('\r\n');
    expect(csv[1]).toBe(`01/02/2026;Certo;Não;${SCREW};;;A própria NCM termina;;2;2`);
    const listed = `/appliance/api/products?cpfCnpjRaiz=${COMPANY}&deadline=2026-02-01`;
    expect((await demo.call('GET', listed)).json.total).toBe(2);
  });

  test('needs no table, and is right the moment a product has another NCM', async () => {
    await ends(['7318.15.00', 'Parafusos', '01/04/2022', '31/01/2026']);
    const codigo = await include(demo, product(SCREW));
    expect(await deadlines()).toMatchObject([ENDS]);
    await demo.call('PUT', `/catp/api/ext/produto/${COMPANY}/${codigo}`, product(COFFEE));
    expect(await deadlines()).toEqual([]);
  });

  test('is no deadline any more once it has ended; its last day is one before it', async () => {
    await ends(['7318.15.00', 'Parafusos', '01/04/2022', '31/01/2026']);
    await include(demo, product(SCREW));
    await daysLater(16);
    expect(await deadlines()).toMatchObject([ENDS]);
    await daysLater(17);
    expect(await deadlines()).toEqual([]);
  });

  test('is none where another line goes on with it the next day; with a gap it is', async () => {
    await include(demo, product(SCREW));
    const until = ['7318.15.00', 'Parafusos', '01/04/2022', '31/01/2026'] as const;
    await ends(until, ['7318.15.00', 'Parafusos e pinos', '01/02/2026']);
    expect(await deadlines()).toEqual([]);
    await ends(until, ['7318.15.00', 'Parafusos e pinos', '02/02/2026']);
    expect(await deadlines()).toMatchObject([ENDS]);
    await ends(until, ['7318.15.00', 'Parafusos e pinos', '01/02/2026', '28/02/2026']);
    expect(await deadlines()).toMatchObject([{ ...ENDS, on: '2026-03-01' }]);
  });

  test('stands before what is asked of its attributes on the same day, and refuses no product', async () => {
    await ends(['7318.15.00', 'Parafusos', '01/04/2022', '31/01/2026']);
    await put(tableFile('1', ANNOUNCING));
    await include(demo, product(SCREW));
    expect((await deadlines()).map(({ codigo }: { codigo: string | null }) => codigo)).toEqual([
      null,
      'ATT_1',
    ]);
    const first = await get(demo, 'limit=1');
    expect((await get(demo, `limit=1&after=${first.next}`)).items).toMatchObject([{ codigo: 'ATT_1' }]);
    await daysLater(40);
    expect(await include(demo, product(SCREW))).toBeGreaterThan(0);
  });
});

describe('the list', () => {
  const THREE = {
    '7318.15.00': [
      { codigo: 'ATT_2', obrigatorio: false, to: '2026-02-28' },
      { codigo: 'ATT_1', obrigatorio: false, to: '2026-02-28' },
    ],
    '0901.21.00': [{ codigo: 'ATT_3', obrigatorio: false, to: '2026-02-28' }],
    '9503.00.10': [{ codigo: 'ATT_4', obrigatorio: false, to: '2026-01-31' }],
  };

  test('goes by day, NCM and attribute, in pages, up to a day', async () => {
    await put(tableFile('1', THREE));
    for (const ncm of [SCREW, COFFEE, TOY]) await include(demo, product(ncm));
    const codes = ({ items }: { items: { codigo: string }[] }) => items.map(({ codigo }) => codigo);
    const first = await get(demo, 'limit=2');
    expect([codes(first), first.total]).toEqual([['ATT_4', 'ATT_3'], 4]);
    const second = await get(demo, `limit=2&after=${first.next}`);
    expect([codes(second), second.next]).toEqual([['ATT_1', 'ATT_2'], null]);
    expect(codes(await get(demo, 'until=2026-02-28'))).toEqual(['ATT_4']);
    expect(codes(await get(demo, 'until=2026-03-01'))).toHaveLength(4);
  });

  test('loses none of two kinds of one day and attribute between two pages', async () => {
    const file = tableFile('1', {
      '7318.15.00': [
        { codigo: 'ATT_1', obrigatorio: false },
        { codigo: 'ATT_2', obrigatorio: false, to: '2026-01-31' },
      ],
    });
    const [parent, child] = (file as { detalhesAtributos: object[] }).detalhesAtributos;
    const conditional = {
      ...{ obrigatorio: true, multivalorado: false, dataInicioVigencia: '2026-02-01', dataFimVigencia: '' },
      ...{ descricaoCondicao: 'x', condicao: { operador: '==', valor: 'x' }, atributo: child },
    };
    Object.assign(parent ?? {}, { atributoCondicionante: true, condicionados: [conditional] });
    await put(file);
    await include(demo, product(SCREW, 'ATT_1'));
    const kinds = ({ items }: { items: { kind: string }[] }) => items.map(({ kind }) => kind);
    const first = await get(demo, 'limit=1');
    const second = await get(demo, `limit=1&after=${first.next}`);
    expect([kinds(first), kinds(second), second.next]).toEqual([['announced'], ['certain'], null]);
  });

  test('has what no product has only where its NCM is named', async () => {
    await put(tableFile('1', THREE));
    await include(demo, product(SCREW));
    expect(await deadlines()).toHaveLength(2);
    expect(await deadlines(`ncm=${TOY}`)).toMatchObject([{ codigo: 'ATT_4', products: 0, missing: 0 }]);
  });

  test('goes out as CSV and XLSX, and so do the products, which the list of products finds too', async () => {
    await put(tableFile('1', THREE));
    const screw = await include(demo, product(SCREW, 'ATT_1'));
    await include(demo, product(COFFEE));
    const csv = (await demo.call('GET', `${PATH}.csv?ncm=${SCREW}`)).text.trim().split('\r\n');
    expect(csv[0]).toContain('A partir de;Prazo;Vencido;NCM;Modalidade;Atributo;Nome do atributo;Tabela;');
    expect(csv[1]).toBe(
      '01/03/2026;Anunciado, se a tabela pública confirmar;Não;73181500;Importação;ATT_1;Inventado ATT_1;1;1;0',
    );
    expect(csv).toHaveLength(3);
    const sheet = await demo.call('GET', `${PATH}.xlsx`);
    expect([sheet.status, sheet.headers.get('content-disposition')]).toEqual([
      200,
      'attachment; filename="prazos.xlsx"',
    ]);
    const of = `cpfCnpjRaiz=${COMPANY}&on=2026-03-01&codigo=ATT_2`;
    const products = (await demo.call('GET', `${PATH}/products.csv?${of}&columns=codigo,ncm`)).text;
    expect(products.trim().split('\r\n').slice(1)).toEqual([`${screw};${SCREW}`]);
    expect((await demo.call('GET', `${PATH}/products.xlsx?${of}`)).status).toBe(200);
    const listed = async (query: string) =>
      (await demo.call('GET', `/appliance/api/products?cpfCnpjRaiz=${COMPANY}&${query}`)).json.total;
    expect(await listed('deadline=2026-03-01')).toBe(2);
    expect(await listed('deadline=2026-03-01&lacks=ATT_2')).toBe(1);
    expect(await listed('lacks=ATT_1')).toBe(0);
    expect(await listed(`deadline=2026-03-01&ncm=09`)).toBe(1);
  });

  test('leads to a change of many, after which nothing is lacking', async () => {
    await put(tableFile('1', ANNOUNCING));
    for (let made = 0; made < 3; made += 1) await include(demo, product(SCREW));
    const { json, status, text } = await demo.call('POST', '/appliance/api/products/changes', {
      cpfCnpjRaiz: COMPANY,
      filter: { deadline: '2026-02-01', lacks: 'ATT_1' },
      set: { atributos: { ATT_1: 'x' } },
    });
    if (status !== 202) throw new Error(text);
    for (;;) {
      const { state } = (await demo.call('GET', `/appliance/api/imports/${json.id}`)).json;
      if (state === 'done') break;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    expect(await deadlines()).toMatchObject([{ products: 3, missing: 0 }]);
  });
});
