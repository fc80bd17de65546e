/** Comparisons by files (contract section 18): the meaning of each state, and the matching of records. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../support/app.ts';
import { COMPANY, compare } from './support.ts';

let server: TestApp;
let demo: Client;
let admin: Client;

beforeEach(async () => {
  server = await openApp();
  demo = await server.as('demo');
  admin = await server.as('admin');
  await admin.call('POST', '/appliance/api/remotes', { name: 'portal', companies: [COMPANY] });
});

afterEach(() => server.close());

const PLAIN = { denominacao: 'Caixa', descricao: 'Com tampa', modalidade: 'IMPORTACAO', ncm: '39269090' };
const PATH = `/catp/api/ext/produto/${COMPANY}`;

const include = async (members: object = {}): Promise<number> => {
  const reply = await demo.call('POST', PATH, { ...PLAIN, ...members });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.json.codigo;
};
const change = (codigo: number, members: object) =>
  demo.call('PUT', `${PATH}/${codigo}`, { ...PLAIN, ...members });
const deactivate = (codigo: number) =>
  demo.call('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${codigo}`);

/** A record as the public service exports it: words for situations, `null` for absent values. */
const remoteProduct = (codigo: number, members: object = {}) => ({
  seq: codigo,
  codigo,
  cpfCnpjRaiz: COMPANY,
  situacao: 'Ativado',
  versao: '1',
  ...PLAIN,
  atributos: null,
  atributosMultivalorados: [],
  atributosCompostos: null,
  codigosInterno: null,
  ...members,
});

const compareProducts = (produtos: object[], fields = {}) => compare(server, demo, { produtos }, fields);
const statesOf = async (produtos: object[]) =>
  (await compareProducts(produtos)).records.map(({ codigo, remoteCodigo, state }) => [
    codigo,
    remoteCodigo,
    state,
  ]);

describe('a product', () => {
  test('is igual if the content is equal, for any code and version', async () => {
    await include({ codigosInterno: ['B', 'A'] });
    const { comparison, records } = await compareProducts([
      remoteProduct(70, { versao: '4', codigosInterno: ['A', 'B'], dataReferencia: null }),
    ]);
    expect(comparison).toMatchObject({ state: 'done', remote: 'portal', counts: { produto: { igual: 1 } } });
    expect(records).toMatchObject([
      {
        kind: 'produto',
        codigo: '1',
        remoteCodigo: '70',
        remoteVersao: '4',
        state: 'igual',
        differences: [],
      },
    ]);
  });

  test('is soAqui or soLa if the other side has no similar record', async () => {
    await include();
    expect(await statesOf([remoteProduct(5, { denominacao: 'Outra' })])).toEqual([
      ['1', null, 'soAqui'],
      [null, '5', 'soLa'],
    ]);
  });

  test('is recognised by its pair: changed locally, remotely, on both sides', async () => {
    const codigos = [];
    for (const name of ['A', 'B', 'C', 'D']) codigos.push(await include({ denominacao: name }));
    const [, b = 0, c = 0] = codigos;
    const before = ['A', 'B', 'C', 'D'].map((denominacao, at) => remoteProduct(at + 1, { denominacao }));
    expect((await compareProducts(before)).comparison.counts.produto).toEqual({ igual: 4 });
    await change(b, { denominacao: 'B de novo' });
    await change(c, { denominacao: 'C daqui' });
    const { records } = await compareProducts([
      remoteProduct(1, { denominacao: 'A de lá' }),
      remoteProduct(2, { denominacao: 'B' }),
      remoteProduct(3, { denominacao: 'C de lá' }),
      remoteProduct(4, { denominacao: 'D', situacao: 'Desativado' }),
    ]);
    expect(records.map(({ state }) => state)).toEqual([
      'mudouLa',
      'mudouAqui',
      'mudouNosDois',
      'desativadoLa',
    ]);
    expect(records[0].differences).toEqual([
      {
        member: 'denominacao',
        heading: 'Denominação',
        here: 'A',
        there: 'A de lá',
        base: { here: 'A', there: 'A' },
      },
    ]);
    expect(records[1].differences).toMatchObject([
      { here: 'B de novo', there: 'B', base: { here: 'B', there: 'B' } },
    ]);
    expect(records[2].differences).toMatchObject([
      { here: 'C daqui', there: 'C de lá', base: { here: 'C', there: 'C' } },
    ]);
  });

  test('that was deactivated locally is desativadoAqui; one that is missing in the remote is desativadoLa', async () => {
    const a = await include({ denominacao: 'A' });
    await include({ denominacao: 'B' });
    await include({ denominacao: 'C' });
    await compareProducts([
      remoteProduct(1, { denominacao: 'A' }),
      remoteProduct(2, { denominacao: 'B' }),
      remoteProduct(3, { denominacao: 'C' }),
    ]);
    await deactivate(a);
    const { records } = await compareProducts([
      remoteProduct(1, { denominacao: 'A' }),
      remoteProduct(3, { denominacao: 'C' }),
    ]);
    expect(records).toMatchObject([
      { state: 'desativadoAqui' },
      { state: 'desativadoLa', reason: 'não consta' },
      { state: 'igual' },
    ]);
  });

  test('is paired by an internal code that is unique on both sides', async () => {
    await include({ denominacao: 'Daqui', codigosInterno: ['PECA'] });
    const { records } = await compareProducts([
      remoteProduct(9, { denominacao: 'De lá', codigosInterno: ['PECA'] }),
    ]);
    expect(records).toMatchObject([{ codigo: '1', remoteCodigo: '9', state: 'mudouNosDois' }]);
    expect(records[0].differences).toMatchObject([{ member: 'denominacao', base: null }]);
  });

  test('is ambiguo if several remote records match, and lists them', async () => {
    await include();
    const { records, comparison } = await compareProducts([
      remoteProduct(7),
      remoteProduct(8),
      remoteProduct(9, { denominacao: 'Outra' }),
    ]);
    expect(records).toMatchObject([
      {
        codigo: '1',
        remoteCodigo: null,
        state: 'ambiguo',
        candidates: [
          { remoteCodigo: '7', name: 'Caixa', situacao: 'ATIVADO' },
          { remoteCodigo: '8', name: 'Caixa', situacao: 'ATIVADO' },
        ],
      },
      { remoteCodigo: '9', state: 'soLa' },
    ]);
    expect(comparison.counts.produto).toEqual({ ambiguo: 1, soLa: 1 });
  });

  test('lists ten of many candidates, and states their number', async () => {
    await include();
    const alike = (records: number) => Array.from({ length: records }, (_, at) => remoteProduct(at + 7));
    expect((await compareProducts(alike(10))).records).toMatchObject([{ state: 'ambiguo', reason: null }]);
    const { records, comparison } = await compareProducts(alike(20_000));
    expect(comparison.counts.produto).toEqual({ ambiguo: 1 });
    expect(records).toMatchObject([
      {
        candidates: alike(10).map(({ codigo }) => ({ remoteCodigo: String(codigo) })),
        reason: 'há ao menos 20000 candidatos lá; são mostrados os 10 primeiros',
      },
    ]);
  });

  test('that a person pairs with another remote record shows their differences at once', async () => {
    await include({ denominacao: 'Daqui', codigosInterno: ['P'] });
    const files = [
      remoteProduct(7, { codigosInterno: ['P'], denominacao: 'A' }),
      remoteProduct(8, { codigosInterno: ['P'], denominacao: 'B' }),
      remoteProduct(9, { denominacao: 'C' }),
    ];
    for (const [remoteCodigo, name] of [
      ['8', 'B'],
      ['9', 'C'],
    ] as const) {
      const { id } = await compareProducts(files);
      const decided = (
        await demo.call('POST', `/appliance/api/comparisons/${id}/pairs`, {
          kind: 'produto',
          codigo: '1',
          remoteCodigo,
        })
      ).json;
      expect(decided.state).toBe('mudouNosDois');
      expect(decided.differences).toContainEqual({
        member: 'denominacao',
        heading: expect.any(String),
        here: 'Daqui',
        there: name,
        base: null,
      });
      server.app.core.db.prepare('DELETE FROM remote_pair').run();
    }
  });

  test('with the same code and content is paired, with any other similar records', async () => {
    await include();
    await include();
    expect(await statesOf([remoteProduct(1), remoteProduct(2)])).toEqual([
      ['1', '1', 'igual'],
      ['2', '2', 'igual'],
    ]);
  });

  test.each([
    [{ denominacao: 'x'.repeat(120) }, 'soAqui', null],
    [
      { denominacao: 'x'.repeat(121) },
      'naoEnviavel',
      'denominacao com 121 caracteres; as regras de lá aceitam até 120',
    ],
    [
      { modalidade: 'AMBOS' },
      'naoEnviavel',
      'modalidade AMBOS, que as regras de lá não aceitam; separe em IMPORTACAO e EXPORTACAO',
    ],
  ])('that the rules of the remote refuse is naoEnviavel: %#', async (members, state, reason) => {
    await include(members);
    expect((await compareProducts([])).records).toMatchObject([{ state, reason }]);
  });

  test('longer than the limit of the public service can be sent under the rules of the specification', async () => {
    await admin.call('PUT', '/appliance/api/remotes/portal', { rules: 'especificacao' });
    await include({ denominacao: 'x'.repeat(121) });
    expect((await compareProducts([])).records).toMatchObject([{ state: 'soAqui' }]);
  });

  test('that is a draft, or was deactivated before it was sent, is naoEnviavel', async () => {
    await demo.call('POST', '/catp/api/ext/produto', [
      { seq: 1, cpfCnpjRaiz: COMPANY, situacao: 'RASCUNHO', denominacao: 'Rascunho' },
    ]);
    await deactivate(await include());
    expect((await compareProducts([])).records).toMatchObject([
      { state: 'naoEnviavel', reason: 'rascunho; ative-o antes' },
      { state: 'naoEnviavel', reason: 'desativado antes de ter estado lá' },
    ]);
  });

  test('identical to an active remote one is naoEnviavel, and so is the second of two new identical ones', async () => {
    await include({ denominacao: 'A' });
    await include({ denominacao: 'N' });
    await include({ denominacao: 'N' });
    await compareProducts([remoteProduct(1, { denominacao: 'A' })]);
    await include({ denominacao: 'A' });
    const { records } = await compareProducts([remoteProduct(1, { denominacao: 'A' })]);
    expect(records).toMatchObject([
      { codigo: '1', state: 'igual' },
      { codigo: '2', state: 'soAqui' },
      { codigo: '3', state: 'naoEnviavel', reason: 'idêntico ao 2 daqui, que também é novo lá' },
      { codigo: '4', state: 'naoEnviavel', reason: 'idêntico ao 1 de lá, que está ativo' },
    ]);
  });

  test('identical to a remote one can be sent if that one will be deactivated', async () => {
    const old = await include();
    await compareProducts([remoteProduct(1)]);
    await deactivate(old);
    await include();
    expect((await compareProducts([remoteProduct(1)])).records).toMatchObject([
      { state: 'desativadoAqui' },
      { state: 'soAqui' },
    ]);
  });
});

describe('foreign operators and links', () => {
  const OPERATOR = { nome: 'Muster', logradouro: 'Hauptstrasse 1', nomeCidade: 'München', codigoPais: 'DE' };
  const includeOperator = (members: object) =>
    demo.call('POST', '/catp/api/ext/operador-estrangeiro', [
      { seq: 1, cpfCnpjRaiz: COMPANY, ...OPERATOR, ...members },
    ]);
  const remoteOperator = (codigo: string, members: object = {}) => ({
    seq: 1,
    codigo,
    cpfCnpjRaiz: COMPANY,
    situacao: 'Ativado',
    versao: '1',
    tin: null,
    cep: '',
    ...OPERATOR,
    ...members,
  });

  test('operators are paired by TIN, then by internal code, then by content', async () => {
    await includeOperator({ tin: 'DE1' });
    await includeOperator({ nome: 'Zweite', codigoInterno: 'F2' });
    await includeOperator({ nome: 'Dritte', identificacoesAdicionais: [{ numero: '1', codigo: '002' }] });
    const operadores = [
      remoteOperator('OPE_7', { tin: 'DE1', nome: 'Mustermann' }),
      remoteOperator('OPE_8', { nome: 'Zweite', codigoInterno: 'F2' }),
      remoteOperator('OPE_9', { nome: 'Dritte', identificacoesAdicionais: [{ numero: '1', codigo: '002' }] }),
    ];
    const { records } = await compare(server, demo, { operadores });
    expect(records).toMatchObject([
      { kind: 'operador', codigo: 'OPE_1', remoteCodigo: 'OPE_7', state: 'mudouNosDois' },
      { codigo: 'OPE_2', remoteCodigo: 'OPE_8', state: 'igual' },
      { codigo: 'OPE_3', remoteCodigo: 'OPE_9', state: 'igual' },
    ]);
    expect(records[0].differences).toMatchObject([{ member: 'nome', here: 'Muster', there: 'Mustermann' }]);
  });

  test('links follow the pairs of their records', async () => {
    const codigo = await include();
    const alone = await include({ denominacao: 'Nova' });
    await includeOperator({ tin: 'DE1' });
    const link = {
      seq: 1,
      cpfCnpjRaiz: COMPANY,
      conhecido: true,
      codigoPais: 'DE',
      codigoOperadorEstrangeiro: 'OPE_1',
    };
    const br = { conhecido: true, codigoPais: 'BR', cpfCnpjFabricante: '12345678000195' };
    await demo.call('POST', '/catp/api/ext/fabricante', [
      { ...link, codigoProduto: codigo },
      { ...link, seq: 2, codigoProduto: alone },
      { seq: 3, cpfCnpjRaiz: COMPANY, codigoProduto: codigo, ...br },
    ]);
    const files = {
      produtos: [remoteProduct(50)],
      operadores: [remoteOperator('OPE_9', { tin: 'DE1' })],
      vinculos: [
        { ...link, codigoProduto: 50, codigoOperadorEstrangeiro: 'OPE_9', dataReferencia: null },
        { ...link, codigoProduto: 50, conhecido: false, codigoPais: 'CN', codigoOperadorEstrangeiro: null },
      ],
    };
    const links = async (exports: object) =>
      (await compare(server, demo, exports)).records
        .filter(({ kind }) => kind === 'vinculo')
        .map(({ remoteCodigo, name, state, reason }) => [remoteCodigo, name, state, reason]);
    expect(await links(files)).toEqual([
      ['50', 'BR 12345678000195', 'soAqui', null],
      ['50', 'DE OPE_1', 'igual', null],
      [null, 'DE OPE_1', 'soAqui', 'o produto ainda não está lá'],
      ['50', 'CN desconhecido', 'soLa', null],
    ]);
    // A link that both sides had and the remote removed is no local change.
    expect((await links({ ...files, vinculos: [] })).map(([, name, state]) => [name, state])).toContainEqual([
      'DE OPE_1',
      'desativadoLa',
    ]);
  });
});
