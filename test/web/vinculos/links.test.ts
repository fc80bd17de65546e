import { expect, test } from 'bun:test';
import { atFields, linksOf, missingProblems, valuesFor } from '../../../src/web/vinculos/form-values.ts';
import { makerText, identifyingField, NO_MAKER, requestOf } from '../../../src/web/vinculos/maker.ts';

const maker = (further: object) => ({ ...NO_MAKER, ...further });

test('a known manufacturer in Brazil is named by its number, elsewhere by the operator, an unknown one by nothing', () => {
  expect(identifyingField(NO_MAKER)).toBeUndefined();
  expect(identifyingField(maker({ codigoPais: 'BR' }))).toBe('cpfCnpjFabricante');
  expect(identifyingField(maker({ codigoPais: 'CN' }))).toBe('codigoOperadorEstrangeiro');
  expect(identifyingField(maker({ conhecido: 'false', codigoPais: 'BR' }))).toBeUndefined();
  expect(identifyingField(maker({ conhecido: 'false', codigoPais: 'CN' }))).toBeUndefined();
});

test('only the visible field is sent, a number without its dots', () => {
  const both = { codigoOperadorEstrangeiro: 'OPE_1', cpfCnpjFabricante: '12.345.678/0001-95' };
  expect(requestOf('7', maker({ ...both, codigoPais: 'BR' }))).toEqual({
    codigoProduto: 7,
    conhecido: true,
    codigoPais: 'BR',
    codigoOperadorEstrangeiro: null,
    cpfCnpjFabricante: '12345678000195',
  });
  expect(requestOf('7', maker({ ...both, codigoPais: 'CN' }))).toMatchObject({
    codigoOperadorEstrangeiro: 'OPE_1',
    cpfCnpjFabricante: null,
  });
  expect(requestOf('7', maker({ ...both, conhecido: 'false', codigoPais: 'CN' }))).toMatchObject({
    conhecido: false,
    codigoOperadorEstrangeiro: null,
    cpfCnpjFabricante: null,
  });
});

test('a manufacturer is described in few words', () => {
  const of = (further: object) =>
    makerText({ conhecido: true, codigoOperadorEstrangeiro: null, cpfCnpjFabricante: null, ...further });
  expect(of({ conhecido: false })).toBe('Desconhecido');
  expect(of({ cpfCnpjFabricante: '12345678000195' })).toBe('12.345.678/0001-95');
  expect(of({ codigoOperadorEstrangeiro: 'OPE_1', nome: 'Muster' })).toBe('OPE_1 · Muster');
});

test('each product is combined with each manufacturer, and none twice', () => {
  const cn = maker({ conhecido: 'false', codigoPais: 'CN' });
  const values = { products: ['1', '2', '1'], makers: [cn, maker({ conhecido: 'false', codigoPais: 'DE' })] };
  const links = linksOf({ ...values, dataReferencia: '' });
  expect(links.map(({ codigoProduto, codigoPais }) => `${codigoProduto} ${codigoPais}`)).toEqual([
    ...['1 CN', '1 DE', '2 CN', '2 DE'],
  ]);
});

test('missing values of many links are reported at their place', () => {
  const makers = [
    ...[NO_MAKER, maker({ codigoPais: 'BR' }), maker({ codigoPais: 'CN' })],
    maker({ conhecido: 'false', codigoPais: 'CN' }),
  ];
  const problems = missingProblems({ ...valuesFor(''), makers });
  expect(problems.map(({ place }) => place)).toEqual([
    ...['products/0', 'makers/0/codigoPais', 'makers/1/cpfCnpjFabricante'],
    'makers/2/codigoOperadorEstrangeiro',
  ]);
});

test('a message of the server about one link is shown at the fields of the form', () => {
  const problemAt = (place: string) => ({ place, message: '', code: null });
  const error = { status: 422, message: 'Não.', code: null, tag: null };
  const problems = atFields({
    ...error,
    problems: [problemAt('codigoProduto'), problemAt('codigoPais')],
  }).problems;
  expect(problems.map(({ place }) => place)).toEqual(['products/0', 'makers/0/codigoPais']);
});
