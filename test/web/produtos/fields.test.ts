import { describe, expect, test } from 'bun:test';
import type { Members } from '../../../src/catalogue/attribute/file/reader.ts';
import type { AttributeLists, Modalidade } from '../../../src/catalogue/attribute/words/model.ts';
import { atFields } from '../../../src/web/produtos/form/check.ts';
import {
  attributeProblems,
  fieldsOf,
  filledLists,
  attributesToDrop,
} from '../../../src/web/produtos/form/fields.ts';
import { prepareNcm } from '../../../src/web/produtos/form/ncm.ts';
import {
  NO_VALUES,
  valuesOf,
  withGroups,
  withValues,
} from '../../../src/catalogue/attribute/words/values.ts';

const ALWAYS = { dataInicioVigencia: '2020-01-01', dataFimVigencia: '' };

function detail(codigo: string, more: Members = {}): Members {
  const texts = { codigo, nome: codigo, nomeApresentacao: `Nome ${codigo}`, definicao: '' };
  const lists = { dominio: [], orgaos: [], condicionados: [], listaSubatributos: [] };
  return {
    ...texts,
    ...ALWAYS,
    ...lists,
    formaPreenchimento: 'TEXTO',
    objetivos: [{ codigo: 7, descricao: 'Produto' }],
    ...more,
  };
}

const pair = (codigo: string, more: Members = {}): Members => ({
  codigo,
  modalidade: 'Importação',
  obrigatorio: true,
  multivalorado: false,
  ...ALWAYS,
  ...more,
});

const conditioned = (atributo: Members): Members => ({
  obrigatorio: true,
  multivalorado: false,
  ...ALWAYS,
  descricaoCondicao: '',
  condicao: { operador: '==', valor: 'true' },
  atributo,
});

const prepared = prepareNcm({
  versao: '1',
  codigoNcm: '2204.21.00',
  listaAtributos: [
    pair('ATT_1'),
    pair('ATT_3', { obrigatorio: false, multivalorado: true }),
    pair('ATT_4', { multivalorado: true }),
    pair('ATT_7', { modalidade: 'Exportação' }),
  ],
  detalhesAtributos: [
    detail('ATT_1', {
      formaPreenchimento: 'BOOLEANO',
      atributoCondicionante: true,
      condicionados: [conditioned(detail('ATT_2', { tamanhoMaximo: 3 }))],
    }),
    detail('ATT_3'),
    detail('ATT_4', {
      formaPreenchimento: 'COMPOSTO',
      listaSubatributos: [detail('ATT_5', { obrigatorio: true }), detail('ATT_6')],
    }),
    detail('ATT_7'),
  ],
});
const situated = (modalidade: Modalidade = 'IMPORTACAO') => ({ prepared, day: '2026-11-20', modalidade });

describe('the fields of an NCM', () => {
  test('are those of its modality, in the order of the table', () => {
    const fieldCodes = (modalidade: Modalidade): readonly string[] =>
      fieldsOf(situated(modalidade), NO_VALUES).map(({ codigo }) => codigo);
    expect(fieldCodes('IMPORTACAO')).toEqual(['ATT_1', 'ATT_3', 'ATT_4']);
    expect(fieldCodes('EXPORTACAO')).toEqual(['ATT_7']);
    expect(fieldCodes('AMBOS')).toEqual(['ATT_1', 'ATT_3', 'ATT_4', 'ATT_7']);
  });

  test('are shown and hidden by their condition, and hidden ones are not sent', () => {
    const filled = withValues(withValues(NO_VALUES, 'ATT_1', ['true']), 'ATT_2', ['abc']);
    const fields = fieldsOf(situated(), filled);
    expect(
      fields.map(({ codigo, isRequired, isConditioned }) => [codigo, isRequired, isConditioned]),
    ).toEqual([
      ['ATT_1', true, false],
      ['ATT_2', true, true],
      ['ATT_3', false, false],
      ['ATT_4', true, false],
    ]);
    expect(filledLists(fields, filled).atributos).toHaveLength(2);
    for (const value of ['false', '', 'talvez']) {
      const without = withValues(filled, 'ATT_1', [value]);
      expect(fieldsOf(situated(), without).map(({ codigo }) => codigo)).not.toContain('ATT_2');
      expect(filledLists(fieldsOf(situated(), without), without).atributos).toHaveLength(
        value === '' ? 0 : 1,
      );
    }
  });

  test('of a compound exist once for each group, and once without a group', () => {
    const groupsOf = (filled: typeof NO_VALUES) =>
      fieldsOf(situated(), filled)
        .find(({ codigo }) => codigo === 'ATT_4')
        ?.groups.map((group) => group.map(({ codigo, isRequired }) => [codigo, isRequired]));
    const group = [
      ['ATT_5', true],
      ['ATT_6', false],
    ];
    expect(groupsOf(NO_VALUES)).toEqual([group]);
    expect(groupsOf(withGroups(NO_VALUES, 'ATT_4', [{ ATT_5: 'a' }, {}]))).toEqual([group, group]);
  });

  test('have the values of a product, and return them', () => {
    const lists = {
      atributos: [{ atributo: 'ATT_1', valor: 'false' }],
      atributosMultivalorados: [{ atributo: 'ATT_3', valores: ['a', 'b'] }],
      atributosCompostos: [],
      atributosCompostosMultivalorados: [
        {
          atributo: 'ATT_4',
          valores: [[{ atributo: 'ATT_5', valor: 'x' }], [{ atributo: 'ATT_5', valor: 'y' }]],
        },
      ],
    };
    const filled = valuesOf(lists);
    expect(filledLists(fieldsOf(situated(), filled), filled)).toEqual(lists);
    expect(attributeProblems(situated(), lists)).toEqual([]);
  });
});

test('a free text is sent with the blanks at its ends, other values without; blanks alone are no value', () => {
  const filled = {
    values: { ATT_1: [' true '], ATT_2: [' b'], ATT_3: [' a ', ' '] },
    groups: { ATT_4: [{ ATT_5: ' x ', ATT_6: ' ' }] },
  };
  expect(filledLists(fieldsOf(situated(), filled), filled)).toEqual({
    atributos: [
      { atributo: 'ATT_1', valor: 'true' },
      { atributo: 'ATT_2', valor: ' b' },
    ],
    atributosMultivalorados: [{ atributo: 'ATT_3', valores: [' a '] }],
    atributosCompostos: [],
    atributosCompostosMultivalorados: [
      { atributo: 'ATT_4', valores: [[{ atributo: 'ATT_5', valor: ' x ' }]] },
    ],
  });
});

describe('a value outside the days of its attribute', () => {
  const answer = {
    versao: '1',
    codigoNcm: '2204.21.00',
    listaAtributos: [
      pair('ATT_1', { obrigatorio: false, dataFimVigencia: '2026-11-19' }),
      pair('ATT_2', { dataInicioVigencia: '2026-11-21' }),
      pair('ATT_3'),
    ],
    detalhesAtributos: [detail('ATT_1'), detail('ATT_2'), detail('ATT_3')],
  };
  const next = {
    versao: '2',
    codigoNcm: '2204.21.00',
    listaAtributos: [pair('ATT_3'), pair('ATT_4')],
    detalhesAtributos: [detail('ATT_3'), detail('ATT_4')],
  };
  const on = (coming: readonly string[] = []) => ({
    prepared: prepareNcm(answer, { from: '2026-12-01', answer: next }),
    ...({ day: '2026-11-20', modalidade: 'IMPORTACAO' } as const),
    coming: new Set(coming),
  });
  const requiredOf = (filled: typeof NO_VALUES, coming?: readonly string[]) =>
    fieldsOf(on(coming), filled).map(({ codigo, isRequired }) => [codigo, isRequired]);
  const values = { ATT_1: ['a'], ATT_2: ['b'], ATT_4: ['d'] };

  test('stays in the form and is sent: after the end, before the first day, of the next table', () => {
    expect(requiredOf(NO_VALUES)).toEqual([['ATT_3', true]]);
    const filled = { values, groups: {} };
    const all = [
      ['ATT_1', false],
      ['ATT_2', false],
      ['ATT_3', true],
      ['ATT_4', false],
    ];
    expect(requiredOf(filled)).toEqual(all);
    expect(attributesToDrop(on(), filled)).toEqual([]);
    expect(filledLists(fieldsOf(on(), filled), filled).atributos).toHaveLength(3);
    expect(attributeProblems(on(), filledLists(fieldsOf(on(), filled), filled))).toMatchObject([
      { path: '/atributos' },
    ]);
    // The field stays in its place while it is emptied.
    expect(requiredOf({ values: { ATT_1: [''] }, groups: {} })).toContainEqual(['ATT_1', false]);
  });

  test('can be filled in when the server announces it', () => {
    expect(requiredOf(NO_VALUES, ['ATT_2', 'ATT_4'])).toEqual([
      ['ATT_2', false],
      ['ATT_3', true],
      ['ATT_4', false],
    ]);
  });
});

test('values that the NCM lacks are left over; those that only their condition hides are not', () => {
  const filled = withGroups(
    { values: { ATT_2: ['a'], ATT_7: ['x'], ATT_9: ['b', 'c'], ATT_8: [''] }, groups: {} },
    'ATT_10',
    [{ ATT_11: 'd', ATT_12: 'e' }],
  );
  expect(attributesToDrop(situated(), filled)).toEqual([
    { codigo: 'ATT_7', texts: ['x'] },
    { codigo: 'ATT_9', texts: ['b', 'c'] },
    { codigo: 'ATT_10', texts: ['d · e'] },
  ]);
  expect(attributesToDrop(situated('AMBOS'), filled).map(({ codigo }) => codigo)).toEqual([
    'ATT_9',
    'ATT_10',
  ]);
});

describe('a problem finds its field', () => {
  const fieldsOfProblems = (lists: AttributeLists) =>
    atFields(
      attributeProblems(situated(), lists).map(({ path, field: _, ...problem }) => ({
        ...problem,
        message: 'Em outras palavras.',
        place: (path ?? '').slice(1),
      })),
      lists,
    ).map(({ field }) => field);
  const fieldAt = (place: string, lists: AttributeLists, attribute?: string) =>
    atFields(
      [{ message: '', code: null, place, ...(attribute !== undefined && { about: { attribute } }) }],
      lists,
    )[0]?.field;

  test('a missing attribute by its member, a wrong value by its place, with any message', () => {
    const filled = withGroups(
      withValues(withValues(NO_VALUES, 'ATT_1', ['true']), 'ATT_2', ['abcd']),
      'ATT_4',
      [{ ATT_5: 'a' }, { ATT_6: 'b' }],
    );
    expect(fieldsOfProblems(filledLists(fieldsOf(situated(), filled), filled))).toEqual([
      'atributo/ATT_2',
      'parte/ATT_4/1/ATT_5',
    ]);
    const none = filledLists(fieldsOf(situated(), NO_VALUES), NO_VALUES);
    expect(fieldsOfProblems(none)).toEqual(['atributo/ATT_1', 'atributo/ATT_4']);
  });

  test('one of several values by its number', () => {
    const lists = {
      ...filledLists([], NO_VALUES),
      atributosMultivalorados: [{ atributo: 'A', valores: ['x'] }],
    };
    expect(fieldAt('atributosMultivalorados/0/valores/3', lists)).toBe('atributo/A/3');
    expect(fieldAt('atributosMultivalorados/0/valores', lists)).toBe('atributo/A/0');
  });

  test('and one that concerns no attribute finds none', () => {
    const lists = filledLists([], NO_VALUES);
    for (const place of ['denominacao', '', 'atributos/7/valor', 'atributos'])
      expect(fieldAt(place, lists)).toBeUndefined();
    expect(fieldAt('atributos', lists, 'ATT_1')).toBe('atributo/ATT_1');
  });
});
