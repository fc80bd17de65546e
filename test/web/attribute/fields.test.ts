import { describe, expect, test } from 'bun:test';
import type { Members } from '../../../src/catalogue/attribute/file/reader.ts';
import type { Modalidade } from '../../../src/catalogue/attribute/words/model.ts';
import { culpritOf } from '../../../src/web/attribute/culprit.ts';
import { attributeProblems, fieldsOf, filledLists, leftOver } from '../../../src/web/attribute/fields.ts';
import { prepareNcm } from '../../../src/web/attribute/ncm.ts';
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
    ...{ ...texts, ...ALWAYS, ...lists },
    ...{ formaPreenchimento: 'TEXTO', objetivos: [{ codigo: 7, descricao: 'Produto' }] },
    ...more,
  };
}

const pair = (codigo: string, more: Members = {}): Members => ({
  ...{ codigo, modalidade: 'Importação', obrigatorio: true, multivalorado: false, ...ALWAYS },
  ...more,
});

const conditioned = (atributo: Members): Members => ({
  ...{ obrigatorio: true, multivalorado: false, ...ALWAYS, descricaoCondicao: '' },
  ...{ condicao: { operador: '==', valor: 'true' }, atributo },
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
      ...{ formaPreenchimento: 'BOOLEANO', atributoCondicionante: true },
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
    const shown = (modalidade: Modalidade): readonly string[] =>
      fieldsOf(situated(modalidade), NO_VALUES).map(({ codigo }) => codigo);
    expect(shown('IMPORTACAO')).toEqual(['ATT_1', 'ATT_3', 'ATT_4']);
    expect(shown('EXPORTACAO')).toEqual(['ATT_7']);
    expect(shown('AMBOS')).toEqual(['ATT_1', 'ATT_3', 'ATT_4', 'ATT_7']);
  });

  test('come and go with what their condition hangs on, and what is gone is not sent', () => {
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

  test('of a compound are there once for each group, once where there is none', () => {
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

  test('hold what a product brought, and give it back', () => {
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

test('what the NCM does not have is left over; what only its condition hides is not', () => {
  const filled = withGroups(
    { values: { ATT_2: ['a'], ATT_7: ['x'], ATT_9: ['b', 'c'], ATT_8: [''] }, groups: {} },
    'ATT_10',
    [{ ATT_11: 'd', ATT_12: 'e' }],
  );
  expect(leftOver(situated(), filled)).toEqual([
    { codigo: 'ATT_7', texts: ['x'] },
    { codigo: 'ATT_9', texts: ['b', 'c'] },
    { codigo: 'ATT_10', texts: ['d · e'] },
  ]);
  expect(leftOver(situated('AMBOS'), filled).map(({ codigo }) => codigo)).toEqual(['ATT_9', 'ATT_10']);
});

describe('a problem finds its field', () => {
  test('a missing attribute by the code in the message, a wrong value by its place', () => {
    const filled = withGroups(
      withValues(withValues(NO_VALUES, 'ATT_1', ['true']), 'ATT_2', ['abcd']),
      'ATT_4',
      [{ ATT_5: 'a' }, { ATT_6: 'b' }],
    );
    const lists = filledLists(fieldsOf(situated(), filled), filled);
    const culprits = attributeProblems(situated(), lists).map((problem) => culpritOf(problem, lists));
    expect(culprits).toEqual([{ codigo: 'ATT_2' }, { codigo: 'ATT_4', group: 1, part: 'ATT_5' }]);
    const none = filledLists(fieldsOf(situated(), NO_VALUES), NO_VALUES);
    expect(attributeProblems(situated(), none).map((problem) => culpritOf(problem, none))).toEqual([
      { codigo: 'ATT_1' },
      { codigo: 'ATT_4' },
    ]);
  });

  test('one of several values by its number', () => {
    const lists = {
      ...filledLists([], NO_VALUES),
      atributosMultivalorados: [{ atributo: 'A', valores: ['x'] }],
    };
    const at = (path: string) => culpritOf({ path, message: '' }, lists);
    expect(at('/atributosMultivalorados/0/valores/3')).toEqual({ codigo: 'A', at: 3 });
    expect(at('/atributosMultivalorados/0/valores')).toEqual({ codigo: 'A' });
  });

  test('and one that is of no attribute finds none', () => {
    const lists = filledLists([], NO_VALUES);
    expect(culpritOf({ path: '/denominacao', message: 'denominacao: obrigatório.' }, lists)).toBeUndefined();
    expect(culpritOf({ path: null, message: '' }, lists)).toBeUndefined();
    expect(culpritOf({ path: '/atributos/7/valor', message: '' }, lists)).toBeUndefined();
  });
});
