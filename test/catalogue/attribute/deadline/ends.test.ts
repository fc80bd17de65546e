/** Deadlines of what no table asks, of what no table asks any more, and of one product; today is 2026-01-15. */
import { describe, expect, test } from 'bun:test';
import { NOMENCLATURE, nomenclatureFile } from '../../../nomenclature/support.ts';
import { COMPANY, include, product, tableFile } from '../support.ts';
import { ANNOUNCED, ANNOUNCING, COFFEE, PATH, SCREW, deadlinesForEachTest } from './support.ts';

const it = deadlinesForEachTest();
const { put, get, deadlines, lacking, daysLater } = it;

describe('announced and not confirmed', () => {
  const unconfirmed = async (query = '') => deadlines(`unconfirmed=true&${query}`);
  const optional = { '7318.15.00': [{ codigo: 'ATT_1', obrigatorio: false }] };

  test('is told as long as the table is in force that did not confirm it, and no longer', async () => {
    await put(tableFile('1', ANNOUNCING));
    await include(it.demo, product(SCREW));
    await include(it.demo, product(SCREW, 'ATT_1'));
    expect(await unconfirmed()).toEqual([]);
    await daysLater(18);
    await put(tableFile('2', optional));
    expect(await deadlines()).toEqual([]);
    expect(await unconfirmed()).toEqual([
      {
        ...ANNOUNCED,
        overdue: true,
        modalidade: 'IMPORTACAO',
        nome: 'Inventado ATT_1',
        table: '1',
        products: 2,
        missing: 1,
      },
    ]);
    expect(await unconfirmed('until=2026-01-31')).toEqual([]);
    const csv = (await it.demo.call('GET', `${PATH}.csv?unconfirmed=true`)).text.trim().split('\r\n');
    expect(csv).toHaveLength(2);
    await put(tableFile('3', { '7318.15.00': [{ codigo: 'ATT_2', obrigatorio: false }] }));
    expect(await unconfirmed()).toEqual([]);
  });

  test('is what is taken back before its day too, but neither what is put off nor what stays announced', async () => {
    await include(it.demo, product(SCREW));
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
    const given = await include(it.demo, product(SCREW, 'ATT_1'));
    await daysLater(17);
    await put(tableFile('2', { '7318.15.00': pairs }));
    expect(await unconfirmed()).toEqual([]);
    expect(await deadlines()).toMatchObject(stands);
    const path = `/catp/api/ext/produto/${COMPANY}/${given}/1`;
    expect((await it.demo.call('GET', path)).json.situacao).toBe('ATIVADO');
  });

  test('is not what had been known before, and of an NCM that the table does not name nothing is told', async () => {
    await include(it.demo, product(SCREW));
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
    const lacks = await include(it.demo, product(SCREW));
    const has = await include(it.demo, product(SCREW, 'ATT_1'));
    const exported = await include(it.demo, { ...product(SCREW), modalidade: 'EXPORTACAO' });
    const of = (codigo: number) => deadlines(`cpfCnpjRaiz=${COMPANY}&codigoProduto=${codigo}`);
    expect(await of(lacks)).toMatchObject([{ ...ANNOUNCED, products: 1, missing: 1 }]);
    expect(await of(has)).toMatchObject([{ ...ANNOUNCED, products: 1, missing: 0 }]);
    for (const none of [exported, 999]) expect(await of(none)).toEqual([]);
    await it.demo.call('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${lacks}`);
    expect(await of(lacks)).toEqual([]);
    const { status, json } = await it.demo.call('GET', `${PATH}?codigoProduto=1`);
    expect([status, json.detail]).toMatchObject([400, [{ path: 'codigoProduto' }]]);
  });
});

describe('an NCM that ends', () => {
  const ends = async (...lines: Parameters<typeof nomenclatureFile>[0][number][]): Promise<void> => {
    const { status, text } = await it.admin.call('POST', NOMENCLATURE, nomenclatureFile(lines));
    if (status !== 200) throw new Error(text);
  };
  const ENDS = { on: '2026-02-01', kind: 'certain', overdue: false, ncm: SCREW, codigo: null };

  test('is asked of every active product of it from the day after its last, whatever they have', async () => {
    await ends(['7318.15.00', 'Parafusos', '01/04/2022', '31/01/2026'], ['0901.21.00', 'Café']);
    await put(tableFile('1', { '7318.15.00': [{ codigo: 'ATT_1', obrigatorio: false }], '0901.21.00': [] }));
    const first = await include(it.demo, product(SCREW));
    const second = await include(it.demo, { ...product(SCREW), modalidade: 'EXPORTACAO' });
    await include(it.demo, product(COFFEE));
    const row = { ...ENDS, modalidade: null, nome: null, table: null, products: 2, missing: 2 };
    expect(await deadlines()).toEqual([row]);
    expect(await lacking('on=2026-02-01')).toEqual([first, second]);
    expect(await lacking(`ncm=${SCREW}`)).toEqual([first, second]);
    expect(await lacking('codigo=ATT_1')).toEqual([]);
    expect(await lacking('modalidade=EXPORTACAO')).toEqual([]);
    const csv = (await it.demo.call('GET', `${PATH}.csv`)).text.trim().split('\r\n');
    expect(csv[1]).toBe(`01/02/2026;Certo;Não;${SCREW};Parafusos;;;A própria NCM termina;;2;2`);
    const listed = `/appliance/api/products?cpfCnpjRaiz=${COMPANY}&deadline=2026-02-01`;
    expect((await it.demo.call('GET', listed)).json.total).toBe(2);
  });

  test('needs no table, and is right the moment a product has another NCM', async () => {
    await ends(['7318.15.00', 'Parafusos', '01/04/2022', '31/01/2026']);
    const codigo = await include(it.demo, product(SCREW));
    expect(await deadlines()).toMatchObject([ENDS]);
    await it.demo.call('PUT', `/catp/api/ext/produto/${COMPANY}/${codigo}`, product(COFFEE));
    expect(await deadlines()).toEqual([]);
  });

  test('is no deadline any more once it has ended; its last day is one before it', async () => {
    await ends(['7318.15.00', 'Parafusos', '01/04/2022', '31/01/2026']);
    await include(it.demo, product(SCREW));
    await daysLater(16);
    expect(await deadlines()).toMatchObject([ENDS]);
    await daysLater(17);
    expect(await deadlines()).toEqual([]);
  });

  test('is none where another line goes on with it the next day; with a gap it is', async () => {
    await include(it.demo, product(SCREW));
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
    await include(it.demo, product(SCREW));
    expect((await deadlines()).map(({ codigo }: { codigo: string | null }) => codigo)).toEqual([
      null,
      'ATT_1',
    ]);
    const first = await get(it.demo, 'limit=1');
    expect((await get(it.demo, `limit=1&after=${first.next}`)).items).toMatchObject([{ codigo: 'ATT_1' }]);
    await daysLater(40);
    expect(await include(it.demo, product(SCREW))).toBeGreaterThan(0);
  });
});
