/**
 * Future requirements, their days and their products (GET /appliance/api/deadlines and /products); today
 * is 2026-01-15.
 */
import { describe, expect, test } from 'bun:test';
import { COMPANY, OTHER_COMPANY, include, product, tableFile } from '../support.ts';
import { ANNOUNCED, ANNOUNCING, COFFEE, PATH, SCREW, TOY, deadlinesForEachTest } from './support.ts';

const fixture = deadlinesForEachTest();
const { put, get, deadlines, codesWithoutValue, daysLater } = fixture;

describe('the caller', () => {
  test('must be signed in and represent the requested company; an administrator gets only the numbers of all companies', async () => {
    expect((await fixture.server.anybody.call('GET', PATH)).status).toBe(401);
    const stranger = await fixture.server.as('estranho');
    expect((await stranger.call('GET', `${PATH}?cpfCnpjRaiz=${COMPANY}`)).status).toBe(403);
    expect((await stranger.call('GET', `${PATH}/products?cpfCnpjRaiz=${COMPANY}`)).status).toBe(403);
    expect((await fixture.admin.call('GET', `${PATH}/products?cpfCnpjRaiz=${COMPANY}`)).status).toBe(403);
    await put(tableFile('1', ANNOUNCING));
    await include(fixture.demo, product(SCREW));
    await include(fixture.demo, product(SCREW), OTHER_COMPANY);
    expect(await get(fixture.admin)).toMatchObject({ items: [{ products: 2, missing: 2 }], total: 1 });
    expect(await get(fixture.admin, `cpfCnpjRaiz=${OTHER_COMPANY}`)).toMatchObject({
      items: [{ products: 1 }],
    });
    expect((await get(stranger)).items).toEqual([]);
  });

  test('gets the sums of all represented companies, or the numbers of one', async () => {
    await put(tableFile('1', ANNOUNCING));
    await include(fixture.demo, product(SCREW));
    await include(fixture.demo, product(SCREW), OTHER_COMPANY);
    expect(await get(fixture.demo)).toMatchObject({ items: [{ products: 2 }] });
    expect(await get(fixture.demo, `cpfCnpjRaiz=${COMPANY}`)).toMatchObject({ items: [{ products: 1 }] });
    expect(await get(await fixture.server.as('demo2'))).toMatchObject({ items: [{ products: 1 }] });
  });

  test.each([
    ['until=ontem', 'until'],
    ['ncm=7318', 'ncm'],
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['after=x', 'after'],
  ])('with %s is refused', async (query, field) => {
    const { status, json } = await fixture.demo.call('GET', `${PATH}?${query}`);
    expect(status).toBe(400);
    expect(json.detail).toMatchObject([{ path: field }]);
  });

  test.each([
    ['cpfCnpjRaiz=1', 'cpfCnpjRaiz'],
    [`cpfCnpjRaiz=${COMPANY}&on=2026-02-30`, 'on'],
    [`cpfCnpjRaiz=${COMPANY}&modalidade=AMBOS`, 'modalidade'],
  ])('for products with "%s" is refused', async (query, field) => {
    const { status, json } = await fixture.demo.call('GET', `${PATH}/products?${query}`);
    expect(status).toBe(400);
    expect(json.detail).toMatchObject([{ path: field }]);
  });

  test('gets no deadlines without a table, or from a table that announces nothing', async () => {
    await include(fixture.demo, product(SCREW));
    expect(await get(fixture.demo)).toEqual({ items: [], next: null, total: 0 });
    await put(tableFile('1', { '7318.15.00': [{ codigo: 'ATT_1', obrigatorio: false }] }));
    expect(await get(fixture.demo)).toEqual({ items: [], next: null, total: 0 });
  });
});

describe('an announced deadline', () => {
  test('is the day after the end of an optional pair, with the number of products without a value', async () => {
    await put(tableFile('1', ANNOUNCING));
    const without = await include(fixture.demo, product(SCREW));
    await include(fixture.demo, product(SCREW, 'ATT_1'));
    await include(fixture.demo, { ...product(SCREW), modalidade: 'EXPORTACAO' });
    const both = await include(fixture.demo, { ...product(SCREW), modalidade: 'AMBOS' });
    expect(await deadlines()).toMatchObject([
      {
        ...ANNOUNCED,
        modalidade: 'IMPORTACAO',
        nome: 'Inventado ATT_1',
        table: '1',
        products: 3,
        missing: 2,
      },
    ]);
    expect(await codesWithoutValue()).toEqual([without, both]);
  });

  test('is recalculated at once when a product changes, and counts no drafts or deactivated products', async () => {
    await put(tableFile('1', ANNOUNCING));
    const codigo = await include(fixture.demo, product(SCREW));
    expect(await deadlines()).toMatchObject([{ products: 1, missing: 1 }]);
    await fixture.demo.call('PUT', `/catp/api/ext/produto/${COMPANY}/${codigo}`, product(SCREW, 'ATT_1'));
    expect(await deadlines()).toMatchObject([{ products: 1, missing: 0 }]);
    await fixture.demo.call('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${codigo}`);
    await fixture.demo.call('POST', '/appliance/api/products/drafts', {
      cpfCnpjRaiz: COMPANY,
      denominacao: 'x',
      ncm: SCREW,
    });
    expect(await deadlines()).toEqual([]);
    expect(await codesWithoutValue()).toEqual([]);
  });

  test('is overdue from its day on, until a newer table that does not confirm it comes into force', async () => {
    await put(tableFile('1', ANNOUNCING));
    await include(fixture.demo, product(SCREW));
    await daysLater(16);
    expect(await deadlines()).toMatchObject([{ ...ANNOUNCED, overdue: false }]);
    await daysLater(17);
    expect(await deadlines()).toMatchObject([{ ...ANNOUNCED, overdue: true }]);
    await put(tableFile('2', ANNOUNCING));
    expect(await deadlines()).toEqual([]);
  });

  test('is reported for a table that comes into force after the day, if no earlier table announced it', async () => {
    await include(fixture.demo, product(SCREW));
    await put(tableFile('1', { '7318.15.00': [{ codigo: 'ATT_1', obrigatorio: false, to: '2026-01-10' }] }));
    expect(await deadlines()).toMatchObject([{ on: '2026-01-11', overdue: true }]);
  });

  test('is not reported if the table itself states what follows', async () => {
    const optional = { codigo: 'ATT_1', obrigatorio: false };
    await include(fixture.demo, product(SCREW));
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

describe('a certain deadline', () => {
  test('is a mandatory pair that starts later, reported once even if an optional one ends the day before', async () => {
    await include(fixture.demo, product(SCREW));
    const pairs = [...ANNOUNCING['7318.15.00'], { codigo: 'ATT_1', from: '2026-02-01' }];
    await put(tableFile('1', { '7318.15.00': pairs }));
    expect(await deadlines()).toMatchObject([{ ...ANNOUNCED, kind: 'certain', products: 1, missing: 1 }]);
  });

  test('is not reported for requirements of today, or ones that continue', async () => {
    await include(fixture.demo, product(SCREW, 'ATT_1'));
    const pairs = [
      { codigo: 'ATT_1', to: '2026-02-10' },
      { codigo: 'ATT_1', from: '2026-02-11' },
    ];
    await put(tableFile('1', { '7318.15.00': pairs }));
    expect(await deadlines()).toEqual([]);
  });

  test('is reported for a scheduled table, from its day on', async () => {
    await include(fixture.demo, product(SCREW));
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

  test('is not reported for days on which another table is in force', async () => {
    await include(fixture.demo, product(SCREW));
    await put(tableFile('1', { '7318.15.00': [{ codigo: 'ATT_1', from: '2026-03-01' }] }));
    await put(tableFile('2', { '7318.15.00': [{ codigo: 'ATT_2', obrigatorio: false }] }), '2026-02-01');
    expect(await deadlines()).toEqual([]);
  });

  test('is a condition that starts later, for the products that satisfy it', async () => {
    const file = tableFile('1', { '7318.15.00': [{ codigo: 'ATT_1', obrigatorio: false }] });
    const [detail] = (file as { detalhesAtributos: object[] }).detalhesAtributos;
    const conditional = {
      obrigatorio: true,
      multivalorado: false,
      dataInicioVigencia: '2026-02-01',
      dataFimVigencia: '',
      descricaoCondicao: 'x',
      condicao: { operador: '==', valor: 'x' },
      atributo: { ...detail, codigo: 'ATT_2', nome: 'Aro', nomeApresentacao: 'Aro' },
    };
    Object.assign(detail ?? {}, { atributoCondicionante: true, condicionados: [conditional] });
    await put(file);
    await include(fixture.demo, product(SCREW));
    const holds = await include(fixture.demo, product(SCREW, 'ATT_1'));
    await include(fixture.demo, product(SCREW, 'ATT_1', 'ATT_2'));
    expect(await deadlines()).toMatchObject([
      { on: '2026-02-01', kind: 'certain', codigo: 'ATT_2', nome: 'Aro', products: 2, missing: 1 },
    ]);
    expect(await codesWithoutValue('codigo=ATT_2')).toEqual([holds]);
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

  test('is ordered by day, NCM and attribute, in pages, up to a day', async () => {
    await put(tableFile('1', THREE));
    for (const ncm of [SCREW, COFFEE, TOY]) await include(fixture.demo, product(ncm));
    const codes = ({ items }: { items: { codigo: string }[] }) => items.map(({ codigo }) => codigo);
    const first = await get(fixture.demo, 'limit=2');
    expect([codes(first), first.total]).toEqual([['ATT_4', 'ATT_3'], 4]);
    const second = await get(fixture.demo, `limit=2&after=${first.next}`);
    expect([codes(second), second.next]).toEqual([['ATT_1', 'ATT_2'], null]);
    expect(codes(await get(fixture.demo, 'until=2026-02-28'))).toEqual(['ATT_4']);
    expect(codes(await get(fixture.demo, 'until=2026-03-01'))).toHaveLength(4);
  });

  test('loses no deadline between pages if two kinds have the same day and attribute', async () => {
    const file = tableFile('1', {
      '7318.15.00': [
        { codigo: 'ATT_1', obrigatorio: false },
        { codigo: 'ATT_2', obrigatorio: false, to: '2026-01-31' },
      ],
    });
    const [parent, child] = (file as { detalhesAtributos: object[] }).detalhesAtributos;
    const conditional = {
      obrigatorio: true,
      multivalorado: false,
      dataInicioVigencia: '2026-02-01',
      dataFimVigencia: '',
      descricaoCondicao: 'x',
      condicao: { operador: '==', valor: 'x' },
      atributo: child,
    };
    Object.assign(parent ?? {}, { atributoCondicionante: true, condicionados: [conditional] });
    await put(file);
    await include(fixture.demo, product(SCREW, 'ATT_1'));
    const kinds = ({ items }: { items: { kind: string }[] }) => items.map(({ kind }) => kind);
    const first = await get(fixture.demo, 'limit=1');
    const second = await get(fixture.demo, `limit=1&after=${first.next}`);
    expect([kinds(first), kinds(second), second.next]).toEqual([['announced'], ['certain'], null]);
  });

  test('contains deadlines without products only if their NCM is requested', async () => {
    await put(tableFile('1', THREE));
    await include(fixture.demo, product(SCREW));
    expect(await deadlines()).toHaveLength(2);
    for (const toy of [TOY, '9503.00.10'])
      expect(await deadlines(`ncm=${toy}`)).toMatchObject([{ codigo: 'ATT_4', products: 0, missing: 0 }]);
  });

  test('is exported as CSV and XLSX with the same products as the list of products', async () => {
    await put(tableFile('1', THREE));
    const screw = await include(fixture.demo, product(SCREW, 'ATT_1'));
    await include(fixture.demo, product(COFFEE));
    const csv = (await fixture.demo.call('GET', `${PATH}.csv?ncm=${SCREW}`)).text.trim().split('\r\n');
    expect(csv[0]).toContain(
      'CPF/CNPJ raiz;Empresa;A partir de;Prazo;Vencido;NCM;Descrição da NCM;Modalidade;Atributo;Nome do atributo;Tabela;',
    );
    expect(csv[1]).toBe(
      '12345678;Exemplo Importadora S.A.;01/03/2026;Anunciado, se a tabela pública confirmar;Não;73181500;;Importação;ATT_1;Inventado ATT_1;1;1;0',
    );
    expect(csv).toHaveLength(3);
    const sheet = await fixture.demo.call('GET', `${PATH}.xlsx`);
    expect([sheet.status, sheet.headers.get('content-disposition')]).toEqual([
      200,
      'attachment; filename="prazos.xlsx"',
    ]);
    const query = `cpfCnpjRaiz=${COMPANY}&on=2026-03-01&codigo=ATT_2`;
    const products = (await fixture.demo.call('GET', `${PATH}/products.csv?${query}&columns=codigo,ncm`))
      .text;
    expect(products.trim().split('\r\n').slice(1)).toEqual([`${screw};${SCREW}`]);
    expect((await fixture.demo.call('GET', `${PATH}/products.xlsx?${query}`)).status).toBe(200);
    const countListed = async (query: string) =>
      (await fixture.demo.call('GET', `/appliance/api/products?cpfCnpjRaiz=${COMPANY}&${query}`)).json.total;
    expect(await countListed('deadline=2026-03-01')).toBe(2);
    expect(await countListed('deadline=2026-03-01&lacks=ATT_2')).toBe(1);
    expect(await countListed('lacks=ATT_1')).toBe(0);
    expect(await countListed(`deadline=2026-03-01&ncm=09`)).toBe(1);
  });

  test('filtered by modality finds the products that lack a value in it; the modality alone filters nothing', async () => {
    const pairs = [{ codigo: 'ATT_1', obrigatorio: false, to: '2026-01-31' }];
    const file = tableFile('1', { '7318.15.00': pairs }) as {
      listaNcm: { listaAtributos: object[] }[];
    };
    const [ncm] = file.listaNcm;
    ncm?.listaAtributos.push({ ...ncm.listaAtributos[0], modalidade: 'Exportação' });
    await put(file);
    await include(fixture.demo, product(SCREW));
    await include(fixture.demo, { ...product(SCREW), modalidade: 'EXPORTACAO' });
    await include(fixture.demo, { ...product(SCREW), modalidade: 'AMBOS' });
    const list = async (query: string) =>
      fixture.demo.call('GET', `/appliance/api/products?cpfCnpjRaiz=${COMPANY}&${query}`);
    expect(await deadlines()).toMatchObject([
      { modalidade: 'EXPORTACAO', missing: 2 },
      { modalidade: 'IMPORTACAO', missing: 2 },
    ]);
    expect((await list('lacks=ATT_1')).json.total).toBe(3);
    expect((await list('lacks=ATT_1&lacksFor=EXPORTACAO')).json.total).toBe(2);
    const alone = await list('lacksFor=EXPORTACAO');
    expect([alone.status, alone.json.detail]).toMatchObject([400, [{ path: 'lacksFor' }]]);
  });

  test('leads to a bulk change of products, after which none lacks a value', async () => {
    await put(tableFile('1', ANNOUNCING));
    for (let count = 0; count < 3; count += 1) await include(fixture.demo, product(SCREW));
    const { json, status, text } = await fixture.demo.call('POST', '/appliance/api/products/changes', {
      cpfCnpjRaiz: COMPANY,
      filter: { deadline: '2026-02-01', lacks: 'ATT_1' },
      set: { atributos: { ATT_1: 'x' } },
    });
    if (status !== 202) throw new Error(text);
    for (;;) {
      const { state } = (await fixture.demo.call('GET', `/appliance/api/imports/${json.id}`)).json;
      if (state === 'done') break;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    expect(await deadlines()).toMatchObject([{ products: 3, missing: 0 }]);
  });
});

describe('the number of products without a value, day by day', () => {
  const days = async (query = '') => (await fixture.demo.call('GET', `${PATH}/days?${query}`)).json;
  const optional = (codigo: string, to: string) => ({ codigo, obrigatorio: false, to });

  test('is readable for the callers of the list', async () => {
    expect((await fixture.server.anybody.call('GET', `${PATH}/days`)).status).toBe(401);
    const stranger = await fixture.server.as('estranho');
    expect((await stranger.call('GET', `${PATH}/days?cpfCnpjRaiz=${COMPANY}`)).status).toBe(403);
  });

  test('counts a product once a day, in each of several days, and overdue ones separately', async () => {
    await put(
      tableFile('1', {
        '7318.15.00': [
          optional('ATT_1', '2026-01-31'),
          optional('ATT_2', '2026-01-31'),
          optional('ATT_3', '2026-02-09'),
        ],
        '0901.21.00': [optional('ATT_1', '2026-01-10')],
      }),
    );
    await include(fixture.demo, product(SCREW));
    await include(fixture.demo, product(SCREW, 'ATT_1'));
    await include(fixture.demo, product(SCREW, 'ATT_1', 'ATT_2', 'ATT_3'));
    await include(fixture.demo, product(COFFEE));
    await include(fixture.demo, product(COFFEE), OTHER_COMPANY);
    const all = [
      { on: '2026-02-01', products: 2 },
      { on: '2026-02-10', products: 2 },
    ];
    expect(await days(`cpfCnpjRaiz=${COMPANY}`)).toEqual({ days: all, overdue: 1, total: 3 });
    expect(await days(`cpfCnpjRaiz=${COMPANY}&until=2026-02-09`)).toEqual({
      days: all.slice(0, 1),
      overdue: 1,
      total: 3,
    });
    expect(await days()).toMatchObject({ overdue: 2, total: 4 });
  });

  test('is complete with more deadlines than one page of the list has', async () => {
    const codes = Array.from({ length: 501 }, (_, place) => `${90_000_000 + place}`);
    const dotted = (code: string): string => `${code.slice(0, 4)}.${code.slice(4, 6)}.${code.slice(6)}`;
    const last = '90000500';
    await put(
      tableFile(
        '1',
        Object.fromEntries(
          codes.map((code) => [
            dotted(code),
            [optional('ATT_1', code === last ? '2026-02-09' : '2026-01-31')],
          ]),
        ),
      ),
    );
    for (let from = 0; from < codes.length; from += 100) {
      const items = codes
        .slice(from, from + 100)
        .map((code, at) => ({ seq: at + 1, cpfCnpjRaiz: COMPANY, ...product(code) }));
      expect((await fixture.demo.call('POST', '/catp/api/ext/produto', items)).status).toBe(200);
    }
    expect(await get(fixture.demo, 'limit=500')).toMatchObject({ total: 501 });
    expect(await days()).toEqual({
      days: [
        { on: '2026-02-01', products: 500 },
        { on: '2026-02-10', products: 1 },
      ],
      overdue: 0,
      total: 501,
    });
  });
});
