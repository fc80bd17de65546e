import { expect, test } from 'bun:test';
import { type LinkItem, runBatch, SLICE } from '../../../src/web/vinculos/batch.ts';
import { atFields, linksOf, missing, valuesFor } from '../../../src/web/vinculos/form-values.ts';
import { makerText, namedBy, NO_MAKER, numberText, requestOf } from '../../../src/web/vinculos/model.ts';

const maker = (further: object) => ({ ...NO_MAKER, ...further });

test('a known one in Brazil is named by its number, elsewhere by the operator, an unknown one by nothing', () => {
  expect(namedBy(NO_MAKER)).toBeUndefined();
  expect(namedBy(maker({ codigoPais: 'BR' }))).toBe('cpfCnpjFabricante');
  expect(namedBy(maker({ codigoPais: 'CN' }))).toBe('codigoOperadorEstrangeiro');
  expect(namedBy(maker({ conhecido: 'false', codigoPais: 'BR' }))).toBeUndefined();
  expect(namedBy(maker({ conhecido: 'false', codigoPais: 'CN' }))).toBeUndefined();
});

test('only the field that is seen is sent, a number without its dots', () => {
  const both = { codigoOperadorEstrangeiro: 'OPE_1', cpfCnpjFabricante: '12.345.678/0001-95' };
  expect(requestOf('7', maker({ ...both, codigoPais: 'BR' }))).toEqual({
    ...{ codigoProduto: 7, conhecido: true, codigoPais: 'BR' },
    ...{ codigoOperadorEstrangeiro: null, cpfCnpjFabricante: '12345678000195' },
  });
  expect(requestOf('7', maker({ ...both, codigoPais: 'CN' }))).toMatchObject({
    ...{ codigoOperadorEstrangeiro: 'OPE_1', cpfCnpjFabricante: null },
  });
  expect(requestOf('7', maker({ ...both, conhecido: 'false', codigoPais: 'CN' }))).toMatchObject({
    ...{ conhecido: false, codigoOperadorEstrangeiro: null, cpfCnpjFabricante: null },
  });
});

test('who makes it is told in few words', () => {
  const of = (further: object) =>
    makerText({ conhecido: true, codigoOperadorEstrangeiro: null, cpfCnpjFabricante: null, ...further });
  expect(of({ conhecido: false })).toBe('Desconhecido');
  expect(of({ cpfCnpjFabricante: '12345678000195' })).toBe('12.345.678/0001-95');
  expect(of({ codigoOperadorEstrangeiro: 'OPE_1', nome: 'Muster' })).toBe('OPE_1 · Muster');
  expect(numberText('00000000191')).toBe('000.000.001-91');
  expect(numberText('AB34567800019')).toBe('AB34567800019');
});

test('each product goes with each manufacturer, and none twice', () => {
  const cn = maker({ conhecido: 'false', codigoPais: 'CN' });
  const values = { products: ['1', '2', '1'], makers: [cn, maker({ conhecido: 'false', codigoPais: 'DE' })] };
  const links = linksOf({ ...values, dataReferencia: '' });
  expect(links.map(({ codigoProduto, codigoPais }) => `${codigoProduto} ${codigoPais}`)).toEqual([
    ...['1 CN', '1 DE', '2 CN', '2 DE'],
  ]);
});

test('what many links lack is said where it lacks', () => {
  const makers = [
    ...[NO_MAKER, maker({ codigoPais: 'BR' }), maker({ codigoPais: 'CN' })],
    maker({ conhecido: 'false', codigoPais: 'CN' }),
  ];
  const problems = missing({ ...valuesFor(''), makers });
  expect(problems.map(({ place }) => place)).toEqual([
    ...['products/0', 'makers/0/codigoPais', 'makers/1/cpfCnpjFabricante'],
    'makers/2/codigoOperadorEstrangeiro',
  ]);
});

test('what the server says of one link stands at the fields of the form', () => {
  const said = (place: string) => ({ place, message: '', code: null });
  const error = { status: 422, message: 'Não.', code: null, tag: null };
  const problems = atFields({ ...error, problems: [said('codigoProduto'), said('codigoPais')] }).problems;
  expect(problems.map(({ place }) => place)).toEqual(['products/0', 'makers/0/codigoPais']);
});

const many = Array.from({ length: 2 * SLICE + 1 }, (_, at) =>
  requestOf(String(at + 1), maker({ conhecido: 'false', codigoPais: 'CN' })),
);
const BATCH = { cpfCnpjRaiz: '12345678', vincular: true } as const;
const answered = (items: readonly LinkItem[], refused: number) => ({
  ...{ ok: true as const, headers: new Headers() },
  value: items.map(({ seq, codigoProduto }) =>
    codigoProduto === refused
      ? { seq, sucesso: false, erros: ['Produto inexistente.'] }
      : { seq, sucesso: true, erros: [] },
  ),
});

test('many are sent in slices, each numbered from 1, and every link has its outcome', async () => {
  const sent: (readonly LinkItem[])[] = [];
  const told: number[] = [];
  const outcomes = await runBatch(
    many,
    { ...BATCH, dataReferencia: '2026-01-02' },
    async (items) => {
      sent.push(items);
      return answered(items, SLICE + 2);
    },
    (done) => told.push(done),
  );
  expect(sent.map((items) => items.length)).toEqual([SLICE, SLICE, 1]);
  expect(sent[1]?.[0]).toMatchObject({
    ...BATCH,
    seq: 1,
    codigoProduto: SLICE + 1,
    dataReferencia: '2026-01-02',
  });
  expect(told).toEqual([SLICE, 2 * SLICE, 2 * SLICE + 1]);
  expect(outcomes.map(({ link }) => link)).toEqual(many);
  const refused = outcomes.filter(({ errors }) => errors.length > 0);
  expect(refused.map(({ link, errors }) => [link.codigoProduto, ...errors])).toEqual([
    [SLICE + 2, 'Produto inexistente.'],
  ]);
});

test('a slice that is refused as a whole leaves the others alone, and says why at each of its links', async () => {
  const error = { status: 503, message: 'Sobrecarga.', code: 'CATP-ER0503', tag: '[CATP-X]', problems: [] };
  let turn = 0;
  const outcomes = await runBatch(many, BATCH, async (items) =>
    ++turn === 2 ? { ok: false, error } : answered(items, -1),
  );
  const refused = outcomes.filter(({ errors }) => errors.length > 0);
  expect(refused).toHaveLength(SLICE);
  expect(refused[0]?.errors).toEqual(['Sobrecarga. CATP-ER0503 [CATP-X]']);
});
