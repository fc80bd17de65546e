/** Changes from table to table, to the last level (contract section 8). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../../support/app.ts';
import { activate, load } from '../support.ts';

const API = '/cadatributos/api';
const OF_NCM = `${API}/ext/atributo-ncm`;
const ATTRIBUTES = `${API}/ext/atributo`;

const PRODUCT = { codigo: 7, descricao: 'Produto' };
const detail = (codigo: string, members: object = {}) => ({
  codigo,
  nome: `Inventado ${codigo}`,
  formaPreenchimento: 'TEXTO',
  dataInicioVigencia: '2020-01-01',
  objetivos: [PRODUCT],
  orgaos: ['MAPA'],
  ...members,
});
const pair = (codigo: string, members: object = {}) => ({
  codigo,
  modalidade: 'Importação',
  obrigatorio: true,
  multivalorado: false,
  dataInicioVigencia: '2020-01-01',
  ...members,
});

let server: TestApp;
let admin: Client;
let demo: Client;

beforeEach(async () => {
  server = await openApp({});
  [admin, demo] = [await server.as('admin'), await server.as('demo')];
});
afterEach(() => server.close());

describe('the changes from version to version', () => {
  const cond = (codigo: string, valor: string, members: object = {}) => ({
    obrigatorio: false,
    multivalorado: false,
    dataInicioVigencia: '2020-01-01',
    condicao: { operador: '==', valor },
    atributo: detail(codigo, members),
  });
  const BEFORE = {
    versao: '1',
    listaNcm: [
      {
        codigoNcm: '09012100',
        listaAtributos: [
          pair('ATT_1', { dataFimVigencia: '2027-01-01' }),
          pair('ATT_1', { modalidade: 'Exportação' }),
          pair('ATT_2'),
        ],
      },
    ],
    detalhesAtributos: [
      detail('ATT_1', {
        tamanhoMaximo: 10,
        dominio: [
          { codigo: '01', descricao: 'Sim' },
          { codigo: '02', descricao: 'Não' },
        ],
        condicionados: [cond('ATT_5', '01'), cond('ATT_6', '01', { nome: 'Antes' })],
      }),
      detail('ATT_2', {
        formaPreenchimento: 'COMPOSTO',
        listaSubatributos: [detail('ATT_9'), detail('ATT_10')],
      }),
      detail('ATT_3'),
    ],
  };
  const AFTER = {
    versao: '2',
    listaNcm: [
      {
        codigoNcm: '09012100',
        listaAtributos: [
          pair('ATT_1', { obrigatorio: false }),
          pair('ATT_1', { modalidade: 'Exportação' }),
          pair('ATT_2', { multivalorado: true }),
        ],
      },
    ],
    detalhesAtributos: [
      detail('ATT_1', {
        nome: 'Outro',
        mascara: '99',
        obrigatorio: true,
        orgaos: ['MAPA', 'ANVISA'],
        objetivos: [PRODUCT, { codigo: 3, descricao: 'Tratamento administrativo' }],
        dominio: [
          { codigo: '01', descricao: 'Talvez' },
          { codigo: '03', descricao: 'Não' },
        ],
        condicionados: [cond('ATT_6', '02', { nome: 'Depois' }), cond('ATT_7', '01')],
      }),
      detail('ATT_2', {
        formaPreenchimento: 'COMPOSTO',
        listaSubatributos: [detail('ATT_9', { definicao: 'Novo' }), detail('ATT_11')],
      }),
      detail('ATT_4'),
    ],
  };
  const valueChange = (valorAnterior: string | null, valorAtual: string | null) => ({
    valorAnterior,
    valorAtual,
  });
  const DESCRIPTION = {
    nome: valueChange('Inventado ATT_1', 'Outro'),
    nomeApresentacao: valueChange('Inventado ATT_1', 'Outro'),
    tamanhoMaximo: valueChange('10', null),
    mascara: valueChange(null, '99'),
    objetivos: valueChange('Produto', 'Produto, Tratamento administrativo'),
    orgaos: valueChange('MAPA', 'MAPA, ANVISA'),
    dominio: {
      adicionado: ['03'],
      excluido: ['02'],
      alterado: [{ codigo: '01', descricao: valueChange('Sim', 'Talvez') }],
    },
    condicionados: {
      adicionado: ['ATT_7'],
      excluido: ['ATT_5'],
      alterado: [
        {
          atributo: {
            codigo: 'ATT_6',
            nome: valueChange('Antes', 'Depois'),
            nomeApresentacao: valueChange('Antes', 'Depois'),
          },
          condicao: valueChange('{"operador":"==","valor":"01"}', '{"operador":"==","valor":"02"}'),
        },
      ],
    },
  };
  const COMPOUND = {
    listaSubatributos: {
      adicionado: ['ATT_11'],
      excluido: ['ATT_10'],
      alterado: [{ codigo: 'ATT_9', definicao: valueChange(null, 'Novo') }],
    },
  };

  beforeEach(async () => {
    await activate(admin, await load(admin, BEFORE));
    await activate(admin, await load(admin, AFTER));
  });

  const versions = async (path: string, query = '') =>
    (await demo.call('GET', `${path}/historico-versoes${query}`)).json;

  test('are listed for the attributes of each NCM to the last level', async () => {
    const [newest] = await versions(OF_NCM);
    const [{ atributos }] = newest.alteracoes.alterado;
    expect(atributos.alterado).toEqual([
      {
        codigo: 'ATT_1',
        modalidade: valueChange('Importação', 'Importação'),
        obrigatorio: valueChange('true', 'false'),
        dataFimVigencia: valueChange('2027-01-01', null),
        ...DESCRIPTION,
      },
      { codigo: 'ATT_1', modalidade: valueChange('Exportação', 'Exportação'), ...DESCRIPTION },
      { codigo: 'ATT_2', multivalorado: valueChange('false', 'true'), ...COMPOUND },
    ]);
    expect(atributos.resumo).toBe('Desde a versão 1: 0 atributos adicionados, 0 excluídos e 2 alterados.');
  });

  test('are listed for the attributes alone, by their own members', async () => {
    const [newest, oldest] = await versions(ATTRIBUTES);
    expect(newest).toEqual({
      numero: 2,
      dataVersao: '2026-01-15',
      alteracoes: {
        versao: '2',
        resumo: 'Desde a versão 1: 1 atributo adicionado, 1 excluído e 2 alterados.',
        adicionado: ['ATT_4'],
        excluido: ['ATT_3'],
        alterado: [
          { codigo: 'ATT_1', ...DESCRIPTION, obrigatorio: valueChange('false', 'true') },
          { codigo: 'ATT_2', ...COMPOUND },
        ],
      },
    });
    expect(oldest.alteracoes).toMatchObject({ adicionado: ['ATT_1', 'ATT_2', 'ATT_3'], alterado: [] });
  });

  test('include a pair that changes its modality', async () => {
    const [first] = AFTER.listaNcm;
    const changedPairs = first?.listaAtributos.map((one) =>
      one.codigo === 'ATT_2' ? { ...one, modalidade: 'Exportação' } : one,
    );
    const third = { ...AFTER, versao: '3', listaNcm: [{ ...first, listaAtributos: changedPairs }] };
    await activate(admin, await load(admin, third));
    const [newest] = await versions(OF_NCM);
    expect(newest.alteracoes.alterado[0].atributos.alterado).toEqual([
      { codigo: 'ATT_2', modalidade: valueChange('Importação', 'Exportação') },
    ]);
  });

  test.each([
    ['?versao=1', [1]],
    ['?versao=2&versao=1', [2, 1]],
    ['?versao=1,9', [1]],
    ['?versao=9', []],
    ['?versao=', [2, 1]],
  ])('%s requests the versions %p', async (query, numbers) => {
    for (const path of [OF_NCM, ATTRIBUTES])
      expect((await versions(path, query)).map(({ numero }: { numero: number }) => numero)).toEqual(numbers);
  });

  test.each(['x', '1.0', '-1', '0'])('versao=%s is 400', async (versao) => {
    for (const path of [OF_NCM, ATTRIBUTES])
      expect((await demo.call('GET', `${path}/historico-versoes?versao=${versao}`)).status).toBe(400);
  });

  test('are kept when the table is deleted', async () => {
    const before = [await versions(OF_NCM), await versions(ATTRIBUTES)];
    const retentionJob = server.app.core.jobs.find(({ name }) => name === 'tabelas-antigas');
    await retentionJob?.runOnce();
    server.app.core.db.exec(`UPDATE attribute_table SET body = 'gone'`);
    server.app.core.db.exec('DELETE FROM attribute_table_detail');
    expect([await versions(OF_NCM), await versions(ATTRIBUTES)]).toEqual(before);
  });
});
