import { describe, expect, test } from 'bun:test';
import type { Members } from '../../../src/catalogue/attribute/file/reader.ts';
import { prepareNcm } from '../../../src/web/attribute/ncm.ts';
import type { ListedProduct } from '../../../src/web/produtos/product.ts';
import {
  fieldFor,
  NO_CONTENT,
  offeredOf,
  type Planned,
  plannedOf,
  reasonsIn,
  tidied,
} from '../../../src/web/produtos/varios/plan.ts';
import { type SendingOptions, sendAll } from '../../../src/web/produtos/varios/send.ts';
import { faultOf } from '../../../src/web/api/result.ts';

const ALWAYS = { dataInicioVigencia: '2020-01-01', dataFimVigencia: '' };

const detail = (codigo: string, more: Members = {}): Members => ({
  ...{ codigo, nome: codigo, nomeApresentacao: `Nome ${codigo}`, definicao: '', ...ALWAYS },
  ...{ dominio: [], orgaos: [], condicionados: [], listaSubatributos: [], formaPreenchimento: 'TEXTO' },
  ...{ objetivos: [{ codigo: 7, descricao: 'Produto' }], ...more },
});

const pair = (codigo: string): Members => ({
  ...{ codigo, modalidade: 'Importação', obrigatorio: true, multivalorado: false, ...ALWAYS },
});

const ncms = new Map([
  [
    '22042100',
    prepareNcm({
      ...{ versao: '1', codigoNcm: '2204.21.00', listaAtributos: [pair('ATT_1'), pair('ATT_9')] },
      detalhesAtributos: [
        detail('ATT_1', {
          ...{ formaPreenchimento: 'BOOLEANO', atributoCondicionante: true },
          condicionados: [
            {
              ...{ obrigatorio: true, multivalorado: false, ...ALWAYS, descricaoCondicao: '' },
              ...{ condicao: { operador: '==', valor: 'true' }, atributo: detail('ATT_2') },
            },
          ],
        }),
        detail('ATT_9', {
          ...{ formaPreenchimento: 'COMPOSTO', listaSubatributos: [detail('ATT_10')] },
        }),
      ],
    }),
  ],
]);

const product = (more: Partial<ListedProduct> = {}): ListedProduct => ({
  ...{ cpfCnpjRaiz: '12345678', codigo: 1, versao: '1', situacao: 'ATIVADO', changedAt: '' },
  ...{
    denominacao: 'Vinho',
    descricao: null,
    modalidade: 'IMPORTACAO',
    ncm: '22042100',
    codigosInterno: ['A'],
  },
  atributos: [
    { atributo: 'ATT_1', valor: 'true' },
    { atributo: 'ATT_2', valor: 'x' },
  ],
  ...{ atributosMultivalorados: [], atributosCompostosMultivalorados: [] },
  atributosCompostos: [{ atributo: 'ATT_9', valores: [{ atributo: 'ATT_10', valor: '1' }] }],
  ...more,
});

const planned = (more: Partial<ListedProduct>, valor = 'false', codigo = 'ATT_1'): Planned =>
  plannedOf(product(more), ncms, {
    ...{ codigo, content: { values: [valor], groups: [] }, day: '2026-11-20' },
  });

describe('the plan of changing one attribute of many products', () => {
  test('offers what the NCMs ask for, compounds too', () => {
    const offered = offeredOf([product(), product({ codigo: 2 }), product({ ncm: '99999999' })], ncms);
    expect(offered.map((one) => [one.detail.codigo, one.products])).toEqual([
      ['ATT_1', 2],
      ['ATT_2', 2],
      ['ATT_9', 2],
    ]);
  });

  test('changes the value, keeps the rest, and tells which attribute goes with it', () => {
    const { kind, before, dropped, lists } = planned({});
    expect({ kind, before, dropped }).toEqual({
      kind: 'changes',
      before: { values: ['true'], groups: [] },
      dropped: ['ATT_2'],
    });
    expect(lists?.atributos).toEqual([{ atributo: 'ATT_1', valor: 'false' }]);
    expect(lists?.atributosCompostos).toEqual(product().atributosCompostos);
  });

  test('gives a compound its groups, and knows one that has them, whatever the order of its parts', () => {
    const give = (group: Readonly<Record<string, string>>): Planned =>
      plannedOf(product(), ncms, {
        ...{ codigo: 'ATT_9', content: { values: [], groups: [group] }, day: '2026-11-20' },
      });
    expect(give({ ATT_10: '2' }).lists?.atributosCompostos).toEqual([
      { atributo: 'ATT_9', valores: [{ atributo: 'ATT_10', valor: '2' }] },
    ]);
    expect(give({ ATT_10: '1' }).kind).toBe('same');
    expect(tidied({ values: [' '], groups: [{ ATT_10: ' ' }] })).toEqual({ values: [], groups: [] });
  });

  test('knows how the attribute is filled in from the first product that asks for it', () => {
    const wanted = { codigo: 'ATT_9', content: NO_CONTENT, day: '2026-11-20' };
    const field = fieldFor([product({ ncm: null }), product()], ncms, wanted);
    expect(field?.groups.map((parts) => parts.map(({ codigo }) => codigo))).toEqual([['ATT_10']]);
    expect(fieldFor([product({ modalidade: 'EXPORTACAO' })], ncms, wanted)).toBeUndefined();
  });

  test('tells what the server would refuse, of a draft nothing', () => {
    const without = { atributos: [{ atributo: 'ATT_1', valor: 'false' }] };
    expect(planned(without, 'true')).toMatchObject({ kind: 'refused' });
    expect(planned(without, 'true').why).toContain('ATT_2');
    expect(planned({ ...without, situacao: 'RASCUNHO' }, 'true')).toMatchObject({ kind: 'changes' });
  });

  test('leaves alone what has the value, what is deactivated, and what has no such attribute', () => {
    expect(planned({}, 'true')).toMatchObject({ kind: 'same' });
    expect(planned({ situacao: 'DESATIVADO' })).toMatchObject({ kind: 'left' });
    expect(planned({ ncm: '99999999' })).toMatchObject({ kind: 'left' });
    expect(planned({ ncm: null, situacao: 'RASCUNHO' })).toMatchObject({ kind: 'left' });
    expect(planned({ modalidade: 'EXPORTACAO' })).toMatchObject({ kind: 'left' });
  });
});

test('each reason is told once, with the number of its products', () => {
  const all = [planned({}), planned({}), planned({ situacao: 'DESATIVADO' }), planned({}, 'true')];
  expect(reasonsIn(all, (codigo) => `Nome ${codigo}`)).toEqual([
    { why: 'Deixa de valer, e sai: Nome ATT_2.', products: 2 },
    { why: 'Está desativado: uma nova versão o ativaria.', products: 1 },
  ]);
});

describe('sending it', () => {
  const changes = Array.from({ length: 201 }, (_, at) => planned({ codigo: at + 1 }));
  const taken: SendingOptions['post'] = async (items) => ({
    ...{ ok: true, headers: new Headers() },
    value: items.map((_, at) => ({
      seq: at + 1,
      sucesso: at > 0,
      versao: '2',
      erros: at > 0 ? [] : ['Não.'],
    })),
  });
  const options = { onProgress: () => {}, isStopped: () => false };

  test('goes in batches of at most 100, and says of each product what became of it', async () => {
    const sizes: number[] = [];
    const { sent, error } = await sendAll(changes, {
      ...options,
      post: (items) => {
        sizes.push(items.length);
        return taken(items);
      },
    });
    expect(sizes).toEqual([100, 100, 1]);
    expect(error).toBeUndefined();
    expect(sent.map(({ planned: { product: one } }) => one.codigo)).toEqual(changes.map((_, at) => at + 1));
    expect(sent.filter(({ outcome }) => outcome === 'failed')).toHaveLength(3);
    expect(sent[0]?.errors).toEqual(['Não.']);
  });

  test('ends at a lost answer, and does not claim to know', async () => {
    const { sent, error } = await sendAll(changes, {
      ...options,
      post: async () => ({ ok: false, error: faultOf('A conexão caiu.') }),
    });
    expect(error?.message).toBe('A conexão caiu.');
    expect(sent).toHaveLength(100);
    expect(new Set(sent.map(({ outcome }) => outcome))).toEqual(new Set(['unknown']));
  });

  test('ends between two batches when it is told to', async () => {
    const done: number[] = [];
    const { sent } = await sendAll(changes, {
      post: taken,
      onProgress: (number) => done.push(number),
      isStopped: () => done.length > 0,
    });
    expect(sent).toHaveLength(100);
  });
});
