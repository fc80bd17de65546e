/** Blanks around the codes of domains (contract section 4). */
import { expect, test } from 'bun:test';
import { prepare } from '../../../../src/catalogue/attribute/check/prepare.ts';
import { hasPaddedValues, withTrimmedDomains } from '../../../../src/catalogue/attribute/check/trim.ts';
import type { AttributeDetail } from '../../../../src/catalogue/attribute/words/model.ts';

const detail = (codigo: string, formaPreenchimento: string, more: object = {}) =>
  ({
    codigo,
    nome: codigo,
    nomeApresentacao: codigo,
    formaPreenchimento,
    dataInicioVigencia: '2020-01-01',
    dataFimVigencia: '',
    objetivos: [{ codigo: 7 }],
    dominio: [],
    listaSubatributos: [],
    condicionados: [],
    ...more,
  }) as unknown as AttributeDetail;

const DETAILS = [
  detail('L', 'LISTA_ESTATICA', { dominio: [{ codigo: '01', descricao: 'Um' }] }),
  detail('T', 'TEXTO'),
  detail('C', 'COMPOSTO', {
    listaSubatributos: ['L', 'T'].map((codigo) => ({
      ...detail(codigo, codigo === 'L' ? 'LISTA_ESTATICA' : 'TEXTO'),
      obrigatorio: false,
      multivalorado: false,
    })),
  }),
];
const ncmRules = prepare(
  {
    codigoNcm: '01012100',
    listaAtributos: DETAILS.map(({ codigo }) => ({
      codigo,
      modalidade: 'Importação',
      obrigatorio: false,
      multivalorado: false,
      dataInicioVigencia: '2020-01-01',
      dataFimVigencia: '',
    })),
  } as unknown as Parameters<typeof prepare>[0],
  new Map(DETAILS.map((one) => [one.codigo, one])),
);

/** Builds each list with a value of a domain and one of a text. */
const lists = (value: string, textValue: string) => {
  const both = [
    { atributo: 'L', valor: value },
    { atributo: 'T', valor: textValue },
  ];
  return {
    atributos: [...both, { atributo: 'unknown', valor: textValue }],
    atributosMultivalorados: [
      { atributo: 'L', valores: [value, value] },
      { atributo: 'T', valores: [textValue] },
    ],
    atributosCompostos: [{ atributo: 'C', valores: both }],
    atributosCompostosMultivalorados: [{ atributo: 'C', valores: [both, both] }],
  };
};

test('are removed in every list, but kept in texts and unknown attributes', () => {
  expect(withTrimmedDomains(ncmRules, lists(' 01 ', ' a '))).toEqual(lists('01', ' a '));
});

test('are detected before any lookup', () => {
  expect([hasPaddedValues(lists('01', 'a b')), hasPaddedValues(lists('01', 'a '))]).toEqual([false, true]);
  const deep = {
    ...lists('01', 'a'),
    atributosCompostosMultivalorados: [{ atributo: 'C', valores: [[{ atributo: 'L', valor: '01 ' }]] }],
  };
  expect(hasPaddedValues(deep)).toBe(true);
});
