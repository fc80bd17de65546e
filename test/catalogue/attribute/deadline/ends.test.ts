/**
 * Deadlines that no table confirms, withdrawn deadlines, and the deadlines of one product; today is
 * 2026-01-15.
 */
import { describe, expect, test } from 'bun:test';
import { NOMENCLATURE, nomenclatureFile } from '../../../nomenclature/support.ts';
import { COMPANY, include, product, tableFile } from '../support.ts';
import { ANNOUNCED, ANNOUNCING, COFFEE, PATH, SCREW, deadlinesForEachTest } from './support.ts';

const fixture = deadlinesForEachTest();
const { put, get, deadlines, codesWithoutValue, daysLater } = fixture;

describe('an announced deadline that was not confirmed', () => {
  const unconfirmedDeadlines = async (query = '') => deadlines(`unconfirmed=true&${query}`);
  const optional = { '7318.15.00': [{ codigo: 'ATT_1', obrigatorio: false }] };

  test('is reported only while the table that did not confirm it is in force', async () => {
    await put(tableFile('1', ANNOUNCING));
    await include(fixture.demo, product(SCREW));
    await include(fixture.demo, product(SCREW, 'ATT_1'));
    expect(await unconfirmedDeadlines()).toEqual([]);
    await daysLater(18);
    await put(tableFile('2', optional));
    expect(await deadlines()).toEqual([]);
    expect(await unconfirmedDeadlines()).toMatchObject([
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
    expect(await unconfirmedDeadlines('until=2026-01-31')).toEqual([]);
    const csv = (await fixture.demo.call('GET', `${PATH}.csv?unconfirmed=true`)).text.trim().split('\r\n');
    expect(csv).toHaveLength(2);
    await put(tableFile('3', { '7318.15.00': [{ codigo: 'ATT_2', obrigatorio: false }] }));
    expect(await unconfirmedDeadlines()).toEqual([]);
  });

  test('includes a deadline withdrawn before its day, but no postponed and no repeated announcement', async () => {
    await include(fixture.demo, product(SCREW));
    await put(tableFile('1', ANNOUNCING));
    await put(tableFile('2', { ...ANNOUNCING, '0901.21.00': [] }));
    expect(await unconfirmedDeadlines()).toEqual([]);
    const later = [{ codigo: 'ATT_1', obrigatorio: false, to: '2026-03-31' }];
    await put(tableFile('3', { '7318.15.00': later }));
    expect([await deadlines(), await unconfirmedDeadlines()]).toMatchObject([[{ on: '2026-04-01' }], []]);
    await put(tableFile('4', optional));
    expect(await unconfirmedDeadlines()).toMatchObject([{ on: '2026-04-01', overdue: false, table: '3' }]);
  });

  test.each([
    ['required from that day', [{ codigo: 'ATT_1', from: '2026-02-01' }], []],
    ['required later', [{ codigo: 'ATT_1', from: '2026-03-01' }], [{ on: '2026-03-01', kind: 'certain' }]],
  ])('is no attribute %s', async (_, pairs, expected) => {
    await put(tableFile('1', ANNOUNCING));
    const codigo = await include(fixture.demo, product(SCREW, 'ATT_1'));
    await daysLater(17);
    await put(tableFile('2', { '7318.15.00': pairs }));
    expect(await unconfirmedDeadlines()).toEqual([]);
    expect(await deadlines()).toMatchObject(expected);
    const path = `/catp/api/ext/produto/${COMPANY}/${codigo}/1`;
    expect((await fixture.demo.call('GET', path)).json.situacao).toBe('ATIVADO');
  });

  test('is not reported if an earlier table reported it, or for an NCM that the table does not have', async () => {
    await include(fixture.demo, product(SCREW));
    await put(tableFile('1', ANNOUNCING));
    await daysLater(18);
    await put(tableFile('2', { ...ANNOUNCING, '0901.21.00': [] }));
    expect(await unconfirmedDeadlines()).toMatchObject([{ on: '2026-02-01' }]);
    await put(tableFile('3', optional));
    expect(await unconfirmedDeadlines()).toEqual([]);
    await put(tableFile('4', { '0901.21.00': [] }));
    expect(await unconfirmedDeadlines()).toEqual([]);
  });
});

describe('the deadlines of one product', () => {
  test('are its requirements, with the missing ones; an inactive product has none', async () => {
    await put(tableFile('1', ANNOUNCING));
    const lacks = await include(fixture.demo, product(SCREW));
    const withValue = await include(fixture.demo, product(SCREW, 'ATT_1'));
    const exported = await include(fixture.demo, { ...product(SCREW), modalidade: 'EXPORTACAO' });
    const deadlinesOf = (codigo: number) => deadlines(`cpfCnpjRaiz=${COMPANY}&codigoProduto=${codigo}`);
    expect(await deadlinesOf(lacks)).toMatchObject([{ ...ANNOUNCED, products: 1, missing: 1 }]);
    expect(await deadlinesOf(withValue)).toMatchObject([{ ...ANNOUNCED, products: 1, missing: 0 }]);
    for (const none of [exported, 999]) expect(await deadlinesOf(none)).toEqual([]);
    await fixture.demo.call('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${lacks}`);
    expect(await deadlinesOf(lacks)).toEqual([]);
    const { status, json } = await fixture.demo.call('GET', `${PATH}?codigoProduto=1`);
    expect([status, json.detail]).toMatchObject([400, [{ path: 'codigoProduto' }]]);
  });
});

describe('an NCM that ends', () => {
  const ends = async (...lines: Parameters<typeof nomenclatureFile>[0][number][]): Promise<void> => {
    const { status, text } = await fixture.admin.call('POST', NOMENCLATURE, nomenclatureFile(lines));
    if (status !== 200) throw new Error(text);
  };
  const ENDS = { on: '2026-02-01', kind: 'certain', overdue: false, ncm: SCREW, codigo: null };

  test('requires another NCM of every active product from the day after its last day', async () => {
    await ends(['7318.15.00', 'Parafusos', '01/04/2022', '31/01/2026'], ['0901.21.00', 'Café']);
    await put(tableFile('1', { '7318.15.00': [{ codigo: 'ATT_1', obrigatorio: false }], '0901.21.00': [] }));
    const first = await include(fixture.demo, product(SCREW));
    const second = await include(fixture.demo, { ...product(SCREW), modalidade: 'EXPORTACAO' });
    await include(fixture.demo, product(COFFEE));
    const row = { ...ENDS, modalidade: null, nome: null, table: null, products: 2, missing: 2 };
    expect(await deadlines()).toMatchObject([row]);
    expect(await codesWithoutValue('on=2026-02-01')).toEqual([first, second]);
    expect(await codesWithoutValue(`ncm=${SCREW}`)).toEqual([first, second]);
    expect(await codesWithoutValue('codigo=ATT_1')).toEqual([]);
    expect(await codesWithoutValue('modalidade=EXPORTACAO')).toEqual([]);
    const csv = (await fixture.demo.call('GET', `${PATH}.csv`)).text.trim().split('\r\n');
    expect(csv[1]).toBe(
      `${COMPANY};Exemplo Importadora S.A.;01/02/2026;Certo;Não;${SCREW};Parafusos;;;A própria NCM termina;;2;2`,
    );
    const listPath = `/appliance/api/products?cpfCnpjRaiz=${COMPANY}&deadline=2026-02-01`;
    expect((await fixture.demo.call('GET', listPath)).json.total).toBe(2);
  });

  test('needs no attribute table, and is recalculated at once when a product gets another NCM', async () => {
    await ends(['7318.15.00', 'Parafusos', '01/04/2022', '31/01/2026']);
    const codigo = await include(fixture.demo, product(SCREW));
    expect(await deadlines()).toMatchObject([ENDS]);
    await fixture.demo.call('PUT', `/catp/api/ext/produto/${COMPANY}/${codigo}`, product(COFFEE));
    expect(await deadlines()).toEqual([]);
  });

  test('is no deadline any more once it has ended; on its last day it still is one', async () => {
    await ends(['7318.15.00', 'Parafusos', '01/04/2022', '31/01/2026']);
    await include(fixture.demo, product(SCREW));
    await daysLater(16);
    expect(await deadlines()).toMatchObject([ENDS]);
    await daysLater(17);
    expect(await deadlines()).toEqual([]);
  });

  test('is no deadline if another line continues it on the next day, but is one after a gap', async () => {
    await include(fixture.demo, product(SCREW));
    const lastDayLine = ['7318.15.00', 'Parafusos', '01/04/2022', '31/01/2026'] as const;
    await ends(lastDayLine, ['7318.15.00', 'Parafusos e pinos', '01/02/2026']);
    expect(await deadlines()).toEqual([]);
    await ends(lastDayLine, ['7318.15.00', 'Parafusos e pinos', '02/02/2026']);
    expect(await deadlines()).toMatchObject([ENDS]);
    await ends(lastDayLine, ['7318.15.00', 'Parafusos e pinos', '01/02/2026', '28/02/2026']);
    expect(await deadlines()).toMatchObject([{ ...ENDS, on: '2026-03-01' }]);
  });

  test('comes before the attributes of the same day, and refuses no product', async () => {
    await ends(['7318.15.00', 'Parafusos', '01/04/2022', '31/01/2026']);
    await put(tableFile('1', ANNOUNCING));
    await include(fixture.demo, product(SCREW));
    expect((await deadlines()).map(({ codigo }: { codigo: string | null }) => codigo)).toEqual([
      null,
      'ATT_1',
    ]);
    const first = await get(fixture.demo, 'limit=1');
    expect((await get(fixture.demo, `limit=1&after=${first.next}`)).items).toMatchObject([
      { codigo: 'ATT_1' },
    ]);
    await daysLater(40);
    expect(await include(fixture.demo, product(SCREW))).toBeGreaterThan(0);
  });
});
