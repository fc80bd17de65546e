import { describe, expect, test } from 'bun:test';
import type { AttributeDetail } from '../../../src/web/api/answers.ts';
import type { ProductContent } from '../../../src/web/produtos/product.ts';
import {
  changedText,
  flatOf,
  labelOf,
  namesOf,
  NO_NAMES,
  readingsOf,
} from '../../../src/web/produtos/produto/reading.ts';
import { apiQueryOf, normalized } from '../../../src/web/kit/list/filters.tsx';
import { isoDay } from '../../../src/web/words.ts';

/**
 * The field of an NCM sends requests to the server of its tab; in this test there is none, and no request is
 * sent.
 */
const TAB = { location: { origin: 'http://localhost' }, sessionStorage: {} };
Object.assign(globalThis, TAB);
const { FILTERS } = await import('../../../src/web/produtos/filters.tsx');
for (const name of Object.keys(TAB)) Reflect.deleteProperty(globalThis, name);

const detail = (
  codigo: string,
  nomeApresentacao: string,
  more: Partial<AttributeDetail> = {},
): AttributeDetail => ({
  codigo,
  nome: '',
  nomeApresentacao,
  formaPreenchimento: 'TEXTO',
  dataInicioVigencia: '2020-01-01',
  ...more,
});

const names = namesOf([
  detail('ATT_1', 'Forma', {
    formaPreenchimento: 'LISTA_ESTATICA',
    dominio: [{ codigo: '01', descricao: 'Grão' }],
  }),
  detail('ATT_2', 'Orgânico', {
    formaPreenchimento: 'BOOLEANO',
    condicionados: [
      {
        obrigatorio: true,
        multivalorado: false,
        dataInicioVigencia: '2020-01-01',
        condicao: { operador: '==', valor: 'true' },
        atributo: detail('ATT_3', 'Validade', { formaPreenchimento: 'DATA' }),
      },
    ],
  }),
  detail('ATT_4', 'Embalagem', {
    formaPreenchimento: 'COMPOSTO',
    listaSubatributos: [detail('ATT_5', 'Capacidade', { formaPreenchimento: 'NUMERO_REAL' })],
  }),
]);

const content: ProductContent = {
  descricao: null,
  denominacao: 'Café',
  modalidade: 'AMBOS',
  ncm: '09012100',
  codigosInterno: ['A', 'B'],
  atributos: [
    { atributo: 'ATT_99', valor: '7' },
    { atributo: 'ATT_3', valor: '2026-12-31' },
    { atributo: 'ATT_2', valor: 'true' },
    { atributo: 'ATT_1', valor: '01' },
  ],
  atributosMultivalorados: [],
  atributosCompostos: [{ atributo: 'ATT_4', valores: [{ atributo: 'ATT_5', valor: '0.75' }] }],
  atributosCompostosMultivalorados: [],
};

test('a value of a change reads like the value itself, for an attribute, a part of one, or a member', () => {
  expect(changedText('atributo:ATT_1', '01', names)).toBe('01 · Grão');
  expect(changedText('atributo:ATT_1', '01 | 02', names)).toMatch(/^01 · Grão \| 02/);
  expect(changedText('atributo:ATT_4/ATT_5', '11.75', names)).toBe('11,75');
  expect(changedText('denominacao', '11.75', names)).toBe('11.75');
});

describe('a product', () => {
  test('is read by names and texts, in the order of the table; unknown attributes come last', () => {
    expect(readingsOf(content, names).map(({ name, values }) => [name, ...values])).toEqual([
      ['Forma', '01 · Grão'],
      ['Orgânico', 'Sim'],
      ['Validade', '31/12/2026'],
      ['Embalagem'],
      ['ATT_99', '7'],
    ]);
    expect(readingsOf(content, names)[3]?.groups[0]?.[0]).toMatchObject({
      name: 'Capacidade',
      values: ['0,75'],
    });
    expect(readingsOf(content, NO_NAMES)[0]).toMatchObject({ name: 'ATT_99', values: ['7'] });
  });

  test('is compared by positions, not by the order in which it was sent', () => {
    const turned = { ...content, atributos: content.atributos.toReversed() };
    expect(flatOf(turned, names)).toEqual(flatOf(content, names));
    expect(flatOf(content, names)).toMatchObject({ codigosInterno: 'A, B', 'ATT_4 0 ATT_5': '0,75' });
    expect(labelOf('ATT_4 0 ATT_5', names)).toBe('Embalagem 1 › Capacidade');
    expect(labelOf('codigosInterno', names)).toBe('Códigos internos');
  });
});

describe('the filters', () => {
  test('are normalised from the usual written form', () => {
    const typed = {
      ncm: ' 2204.21.00',
      paisOrigem: 'cn',
      cpfCnpjFabricante: '12.345.678/0001-95',
    };
    expect(normalized(FILTERS, typed)).toMatchObject({
      ncm: '22042100',
      paisOrigem: 'CN',
      cpfCnpjFabricante: '12345678000195',
    });
  });

  test('search by internal code without its zeros, and by the number of the status', () => {
    const filters = { codigoInterno: '42', situacao: 'rascunho' };
    expect(apiQueryOf(FILTERS, filters)).toMatchObject({
      internalCode: '42',
      situacao: '2',
      denominacao: '',
    });
  });

  test('accept days in the usual written form', () => {
    expect(isoDay('1/2/2026')).toBe('2026-02-01');
    expect(isoDay('2026-02-01')).toBe('2026-02-01');
    expect(isoDay('amanhã')).toBe('amanhã');
  });
});
