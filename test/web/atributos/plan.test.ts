import { describe, expect, test } from 'bun:test';
import { prepareNcm } from '../../../src/web/attribute/ncm.ts';
import { fillableIn, isReady, planOf, toSend, type Waiting } from '../../../src/web/atributos/mend/plan.ts';
import type { ListedProduct } from '../../../src/web/produtos/product.ts';

const DAY = '2026-01-15';
const NCM = '87120010';

const pair = (codigo: string, obrigatorio = true, multivalorado = false) => ({
  ...{ codigo, modalidade: 'Importação', obrigatorio, multivalorado, dataInicioVigencia: '2020-01-01' },
});
const detail = (codigo: string, members: object = {}) => ({
  ...{
    codigo,
    nome: codigo,
    nomeApresentacao: `Nome de ${codigo}`,
    definicao: '',
    orientacaoPreenchimento: '',
  },
  ...{ formaPreenchimento: 'TEXTO', dataInicioVigencia: '2020-01-01', dataFimVigencia: '' },
  ...{ dominio: [], objetivos: [{ codigo: 7, descricao: 'Produto' }], orgaos: [] },
  ...{ atributoCondicionante: false, condicionados: [], listaSubatributos: [] },
  ...members,
});
const RULES = new Map([
  [
    NCM,
    prepareNcm({
      versao: '2',
      codigoNcm: NCM,
      listaAtributos: [pair('ATT_1'), pair('ATT_2'), pair('ATT_3', false, true), pair('ATT_9')],
      detalhesAtributos: [
        detail('ATT_1', {
          formaPreenchimento: 'LISTA_ESTATICA',
          dominio: [{ codigo: '01', descricao: 'Um' }],
        }),
        detail('ATT_2'),
        detail('ATT_3'),
        detail('ATT_9', { formaPreenchimento: 'COMPOSTO', listaSubatributos: [detail('ATT_91')] }),
      ],
    }),
  ],
]);

const product = (codigo: number, members: Partial<ListedProduct> = {}): ListedProduct => ({
  ...{ cpfCnpjRaiz: '12345678', codigo, versao: '1', situacao: 'DESATIVADO', changedAt: '' },
  ...{ descricao: null, denominacao: `Produto ${codigo}`, modalidade: 'IMPORTACAO', ncm: NCM },
  ...{ atributos: [], atributosMultivalorados: [], codigosInterno: ['A'] },
  atributosCompostos: [{ atributo: 'ATT_9', valores: [{ atributo: 'ATT_91', valor: 'x' }] }],
  atributosCompostosMultivalorados: [],
  ...members,
});
const problemOf = (...codes: string[]) => codes.map((codigo) => `Atributo ${codigo} (Nome): obrigatório.`);

describe('what one value can mend', () => {
  test('is named by the problems of the products, that of most of them first, compounds left out', () => {
    const waiting: readonly Waiting[] = [
      { product: product(1), problems: problemOf('ATT_2', 'ATT_9') },
      { product: product(2), problems: problemOf('ATT_1', 'ATT_2', 'ATT_2') },
      { product: product(3, { ncm: '99999999' }), problems: problemOf('ATT_2') },
    ];
    expect(fillableIn(waiting, RULES).map(({ codigo, products }) => [codigo, products])).toEqual([
      ['ATT_2', 2],
      ['ATT_1', 1],
    ]);
  });

  test('is judged product by product by the rules of the server', () => {
    const waiting: readonly Waiting[] = [
      { product: product(1, { atributos: [{ atributo: 'ATT_1', valor: '01' }] }), problems: [] },
      { product: product(2), problems: [] },
      { product: product(3, { ncm: '99999999' }), problems: [] },
    ];
    const plans = planOf(waiting, RULES, DAY, { ATT_2: 'aço' });
    expect(plans.map(isReady)).toEqual([true, false, false]);
    expect(plans[0]?.lists.atributos).toEqual([
      { atributo: 'ATT_1', valor: '01' },
      { atributo: 'ATT_2', valor: 'aço' },
    ]);
    expect(plans[1]?.problems.join()).toContain('ATT_1');
    expect(plans[2]?.problems.join()).toContain('99999999');
    const both = planOf(waiting, RULES, DAY, { ATT_1: '01', ATT_2: 'aço', ATT_3: 'b' });
    expect(both.map(isReady)).toEqual([true, true, false]);
    expect(both[1]?.lists.atributosMultivalorados).toEqual([{ atributo: 'ATT_3', valores: ['b'] }]);
    expect(planOf(waiting, RULES, DAY, { ATT_1: '77', ATT_2: 'x' }).map(isReady)).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('what the NCM no longer asks is dropped, and told', () => {
    const old = product(1, {
      atributos: [
        { atributo: 'ATT_1', valor: '01' },
        { atributo: 'ATT_2', valor: 'aço' },
        { atributo: 'ATT_7', valor: 'de antes' },
      ],
    });
    const [plan] = planOf([{ product: old, problems: [] }], RULES, DAY, {});
    expect(plan).toMatchObject({ dropped: ['ATT_7'], filled: [], problems: [] });
    expect(plan && isReady(plan)).toBe(true);
  });

  test('an active product that would stay as it is, is not sent', () => {
    const atributos = [
      { atributo: 'ATT_1', valor: '01' },
      { atributo: 'ATT_2', valor: 'aço' },
    ];
    const active = product(1, { situacao: 'ATIVADO', atributos });
    const [plan] = planOf([{ product: active, problems: [] }], RULES, DAY, { ATT_2: '  ' });
    expect(plan && isReady(plan)).toBe(false);
  });
});

test('what is sent is active, whatever the system had made of it, with the lists that were planned', () => {
  const [plan] = planOf([{ product: product(4), problems: [] }], RULES, DAY, { ATT_2: 'aço' });
  expect(plan && toSend(plan)).toMatchObject({
    product: { codigo: 4, situacao: 'ATIVADO', codigosInterno: ['A'] },
    lists: { atributos: [{ atributo: 'ATT_2', valor: 'aço' }] },
  });
});
