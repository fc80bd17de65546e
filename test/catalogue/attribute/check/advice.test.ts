/**
 * The suggestions for a refused attribute: only attributes that are valid in its place
 * (test/http/about.test.ts has the rest).
 */
import { expect, test } from 'bun:test';
import { prepare } from '../../../../src/catalogue/attribute/check/prepare.ts';
import { check } from '../../../../src/catalogue/attribute/check/rules.ts';
import type { AttributeDetail, Modalidade } from '../../../../src/catalogue/attribute/words/model.ts';
import { NO_ATTRIBUTES } from '../support.ts';

const OPEN = { dataInicioVigencia: '2020-01-01', dataFimVigencia: '' } as const;

const detail = (codigo: string, more: Partial<AttributeDetail> = {}): AttributeDetail => ({
  codigo,
  nome: codigo,
  nomeApresentacao: codigo,
  definicao: '',
  orientacaoPreenchimento: '',
  ...OPEN,
  formaPreenchimento: 'TEXTO',
  obrigatorio: false,
  dominio: [],
  orgaos: [],
  atributoCondicionante: false,
  objetivos: [{ codigo: 7, descricao: 'Produto' }],
  condicionados: [],
  listaSubatributos: [],
  ...more,
});

const PARTS = [detail('ATT_801'), detail('ATT_802')];
const DETAILS = [
  detail('ATT_100'),
  detail('ATT_200'),
  detail('ATT_300', { formaPreenchimento: 'COMPOSTO', listaSubatributos: PARTS }),
];

/** Rules in which only exports require ATT_200. */
const ncmRules = prepare(
  {
    codigoNcm: '05040011',
    listaAtributos: DETAILS.map(({ codigo }) => ({
      codigo,
      obrigatorio: false,
      multivalorado: false,
      ...OPEN,
      modalidade: codigo === 'ATT_200' ? 'Exportação' : 'Importação',
    })),
  },
  new Map(DETAILS.map((one) => [one.codigo, one])),
);

const problemsOf = (lists: Partial<typeof NO_ATTRIBUTES>, modalidade: Modalidade = 'IMPORTACAO') =>
  check(ncmRules, '2026-11-20', modalidade, { ...NO_ATTRIBUTES, ...lists });

const simple = (atributo: string) => ({ atributos: [{ atributo, valor: 'x' }] });
const compound = (atributo: string, ...parts: string[]) => ({
  atributosCompostos: [{ atributo, valores: parts.map((part) => ({ atributo: part, valor: 'x' })) }],
});

test('an attribute of the other modality is neither suggested nor listed', () => {
  expect(problemsOf(simple('ATT_20'), 'EXPORTACAO')).toMatchObject([{ about: { suggestion: 'ATT_200' } }]);
  const [problem] = problemsOf(simple('ATT_20'));
  expect(problem?.about).toEqual({ attribute: 'ATT_20' });
  expect(problem?.message).toEndWith('; aceita ATT_100, ATT_300.');
  expect(problemsOf(simple('ATT_999'), 'AMBOS')[0]?.message).toEndWith('; aceita ATT_100, ATT_200, ATT_300.');
});

test('a compound is suggested only if it has the received parts', () => {
  expect(problemsOf(compound('ATT_30', 'ATT_801', 'ATT_802'))).toMatchObject([
    { about: { suggestion: 'ATT_300' } },
  ]);
  expect(problemsOf(compound('ATT_30', 'ATT_801', 'ATT_803'))[0]?.about).toEqual({ attribute: 'ATT_30' });
});

test('a simple attribute is not suggested for a compound, nor the other way round', () => {
  expect(problemsOf(simple('ATT_30'))[0]?.about).toEqual({ attribute: 'ATT_30' });
  expect(problemsOf(compound('ATT_10', 'ATT_801'))[0]?.about).toEqual({ attribute: 'ATT_10' });
});
