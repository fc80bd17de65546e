/** Lists as CSV (contract section 24): products, operators, links, the audit, deliveries. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { COLUMNS_MAX } from '../../src/catalogue/product/table.ts';
import { type Client, type TestApp, openApp } from '../support/app.ts';

const RAIZ = '12345678';
const API = '/appliance/api';
const PRODUCTS = `${API}/products.csv?cpfCnpjRaiz=${RAIZ}`;
const OPERATORS = `${API}/foreign-operators.csv?cpfCnpjRaiz=${RAIZ}`;
const LINKS = `${API}/manufacturer-links.csv?cpfCnpjRaiz=${RAIZ}`;
const SCREW = { denominacao: 'Parafuso', modalidade: 'IMPORTACAO', ncm: '73181500' };

let server: TestApp;
let demo: Client;

const include = async (path: string, body: object): Promise<void> => {
  const reply = await demo.call('POST', path, body);
  expect([reply.status, reply.text]).toEqual([200, reply.text]);
};
const product = (content: object) => include(`/catp/api/ext/produto/${RAIZ}`, { ...SCREW, ...content });

/** Returns the heading and the rows; another test checks the byte order mark. */
const lines = async (path: string, client = demo): Promise<readonly string[]> => {
  const { status, text } = await client.call('GET', path);
  expect([status, text]).toEqual([200, text]);
  return text.trimEnd().replace('\uFEFF', '').split('\r\n');
};

const open = async (options: Parameters<typeof openApp>[0]): Promise<void> => {
  server = await openApp(options);
  demo = await server.as('demo');
};

describe('a catalogue without a table of attributes', () => {
  beforeAll(async () => {
    await open({ settings: { ambiente: 'producao' } });
    await product({ codigosInterno: ['A|1', '007'], descricao: 'De aço; "M8"' });
    await product({
      denominacao: '=1+1',
      modalidade: 'EXPORTACAO',
      ncm: '39269090',
      atributos: [{ atributo: 'ATT_1', valor: '01' }],
      atributosCompostosMultivalorados: [
        {
          atributo: 'ATT_5',
          valores: [[{ atributo: 'ATT_6', valor: '1.50' }], [{ atributo: 'ATT_6', valor: '2' }]],
        },
      ],
    });
    await product({
      denominacao: 'Arruela',
      atributosMultivalorados: [{ atributo: 'ATT_2', valores: ['1', '2'] }],
    });
    await include(`/catp/api/ext/operador-estrangeiro/${RAIZ}/FR`, {
      nome: 'Acme',
      logradouro: 'Rue 1',
      nomeCidade: 'Lyon',
      tin: '-7',
    });
    await include(`/catp/api/ext/operador-estrangeiro/${RAIZ}/DE`, {
      nome: 'Zöllner',
      logradouro: 'Weg 1',
      nomeCidade: 'Köln',
    });
    await include(`/catp/api/ext/fabricante/${RAIZ}`, {
      codigoProduto: 1,
      conhecido: true,
      codigoPais: 'FR',
      codigoOperadorEstrangeiro: 'OPE_1',
    });
    await include(`/catp/api/ext/fabricante/${RAIZ}`, {
      codigoProduto: 2,
      conhecido: false,
      codigoPais: 'US',
    });
  });
  afterAll(() => server.close());

  test('users who may read the company download its lists', async () => {
    for (const path of [PRODUCTS, OPERATORS, LINKS]) {
      expect((await server.anybody.call('GET', path)).status).toBe(401);
      for (const key of ['estranho', 'admin'] as const)
        expect((await (await server.as(key)).call('GET', path)).status).toBe(403);
      expect((await (await server.as('publico')).call('GET', path)).status).toBe(200);
    }
  });

  test('a table is a file for a spreadsheet, named by its list and company', async () => {
    const { headers, bytes } = await demo.call('GET', PRODUCTS);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="produtos-${RAIZ}.csv"`);
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  });

  test('products have their members in words, and a column for each attribute in use', async () => {
    expect(await lines(PRODUCTS)).toEqual([
      'Código;Versão;Situação;Denominação;Descrição;Modalidade;NCM;Códigos internos;Última alteração;ATT_1;ATT_5/ATT_6;ATT_2',
      '1;1;Ativado;Parafuso;"De aço; ""M8""";Importação;73181500;A\\|1 | 007;15/01/2026 09:00;;;',
      "2;1;Ativado;'=1+1;;Exportação;39269090;;15/01/2026 09:00;01;1.50 | 2;",
      '3;1;Ativado;Arruela;;Importação;73181500;;15/01/2026 09:00;;;1 | 2',
    ]);
  });

  test('filters, order and columns are as requested, also for attributes', async () => {
    const path = `${PRODUCTS}&ncm=73181500&order=-denominacao&columns=denominacao,codigo,atributo:ATT_2,atributo:ATT_9`;
    expect(await lines(path)).toEqual(['Denominação;Código;ATT_2;ATT_9', 'Parafuso;1;;', 'Arruela;3;1 | 2;']);
    for (const order of ['codigo', '-codigo', 'ncm', '-ncm', 'changedAt', '-changedAt', 'denominacao'])
      expect([order, (await lines(`${PRODUCTS}&order=${order}&columns=codigo`)).length]).toEqual([order, 4]);
    expect(await lines(`${PRODUCTS}&denominacao=nada&columns=codigo,versao`)).toEqual(['Código;Versão']);
  });

  test('operators and links are exported in the same way', async () => {
    expect(await lines(`${OPERATORS}&order=-nome`)).toEqual([
      'Código;Versão;Situação;Nome;País;Logradouro;Cidade;Subdivisão (ISO 3166-2);CEP;TIN;Código interno;E-mail;Última alteração',
      'OPE_2;1;Ativado;Zöllner;DE;Weg 1;Köln;;;;;;15/01/2026 09:00',
      "OPE_1;1;Ativado;Acme;FR;Rue 1;Lyon;;;'-7;;;15/01/2026 09:00",
    ]);
    expect(await lines(`${OPERATORS}&paisOrigem=DE&columns=nome`)).toEqual(['Nome', 'Zöllner']);
    expect(await lines(LINKS)).toEqual([
      'Código do produto;Denominação;Conhecido;País;Operador estrangeiro;Nome do operador;CPF/CNPJ do fabricante;Desde',
      '1;Parafuso;Sim;FR;OPE_1;Acme;;15/01/2026',
      "2;'=1+1;Não;US;;;;15/01/2026",
    ]);
    expect(await lines(`${LINKS}&codigoProduto=2&columns=codigoPais`)).toEqual(['País', 'US']);
  });

  test('an unknown column is refused with the known ones', async () => {
    for (const [path, column] of [
      [PRODUCTS, 'nome'],
      [PRODUCTS, 'atributo:'],
      [OPERATORS, 'denominacao'],
      [LINKS, 'atributo:ATT_1'],
    ] as const) {
      const reply = await demo.call('GET', `${path}&columns=codigoPais,${column}`);
      expect(reply.status).toBe(400);
      expect(reply.json.detail[0]).toMatchObject({ path: 'columns', code: 'PUCX-ER0010' });
      expect(reply.json.detail[0].message).toContain('colunas separadas por vírgula: codigo');
    }
  });

  test('the audit is for administrators, newest first, by its filters', async () => {
    const path = `${API}/audit.csv?subject=vinculo`;
    expect((await server.anybody.call('GET', path)).status).toBe(401);
    expect((await demo.call('GET', path)).status).toBe(403);
    const admin = await server.as('admin');
    const rows = await lines(path, admin);
    expect(rows[0]).toBe('Nº;Quando;Quem;Chave;Por onde;O quê;Assunto;Antes;Depois;Proposto por;Proposta');
    expect(rows.slice(1).map((line) => line.split(';').slice(4, 7).join(' '))).toEqual([
      `api VINCULACAO vinculo ${RAIZ}/2/US`,
      `api VINCULACAO vinculo ${RAIZ}/1/FR/OPE_1`,
    ]);
    expect(await lines(`${API}/audit.csv?columns=actor&subject=produto`, admin)).toHaveLength(4);
    expect((await admin.call('GET', `${API}/audit.csv?since=ontem`)).status).toBe(400);
  });

  test("deliveries are those of the user's own subscriptions, for an administrator those of all", async () => {
    await include('/portal/api/ext/webhook', {
      evento: 'catp-prod-alterado',
      endpoint: 'https://receptor.example/avisos',
    });
    for (const denominacao of ['Um', 'Dois']) await product({ denominacao });
    const path = `${API}/deliveries.csv`;
    expect((await server.anybody.call('GET', path)).status).toBe(401);
    expect(await lines(path)).toEqual([
      'Entrega;Evento;Endpoint;Assinatura;Estado;Tentativas;Última tentativa;Status;Duração (ms);O que aconteceu;Próxima tentativa',
      expect.stringMatching(/^2;catp-prod-alterado;https:\/\/receptor\.example\/avisos;1;Pendente;/),
      expect.stringMatching(/^1;catp-prod-alterado;/),
    ]);
    expect(await lines(`${path}?columns=id,state`, await server.as('demo2'))).toEqual(['Entrega;Estado']);
    expect(await lines(`${path}?columns=id`, await server.as('admin'))).toEqual(['Entrega', '2', '1']);
    expect(await lines(`${path}?columns=id&state=delivered`)).toEqual(['Entrega']);
  });

  test('a table has at most as many columns as a spreadsheet', async () => {
    const raiz = '87654321';
    const wide = (from: number, to: number) =>
      include(`/catp/api/ext/produto/${raiz}`, {
        ...SCREW,
        atributos: Array.from({ length: to - from }, (_, at) => ({ atributo: `X_${from + at}`, valor: '1' })),
      });
    const path = PRODUCTS.replace(RAIZ, raiz);
    await wide(0, 9000);
    await wide(9000, COLUMNS_MAX - 9);
    expect(((await lines(path))[0] ?? '').split(';')).toHaveLength(COLUMNS_MAX);
    await include(`/catp/api/ext/produto/${raiz}`, {
      ...SCREW,
      ncm: '39269090',
      atributos: [{ atributo: 'ATT_1', valor: '1' }],
    });
    const reply = await demo.call('GET', path);
    expect(reply.status).toBe(422);
    expect(reply.json.detail[0]).toMatchObject({ code: 'CATP-ER1030', path: 'columns' });
    expect(((await lines(`${path}&ncm=39269090`))[0] ?? '').split(';')).toHaveLength(10);
    expect(await lines(`${path}&columns=codigo`)).toHaveLength(4);
  });
});

describe('the demo catalogue, with a table of attributes', () => {
  beforeAll(() => open({ demo: true }));
  afterAll(() => server.close());

  test('attributes have their names, and their values are in words', async () => {
    const columns = ['90001', '90005', '90007', '90002', '90004', '90010/ATT_90011'];
    const attributeColumns = columns.map((code) => `atributo:ATT_${code}`).join(',');
    const [heading, coffee, , , wine] = await lines(
      `${PRODUCTS}&columns=codigo,modalidade,${attributeColumns}`,
    );
    expect(heading).toBe(
      'Código;Modalidade;Forma de apresentação (ATT_90001);Produto orgânico (ATT_90005);Validade do certificado (ATT_90007);Teor alcoólico (% vol) (ATT_90002);Uvas (ATT_90004);Embalagem: Material (ATT_90010/ATT_90011)',
    );
    expect(coffee).toBe('1;Importação e exportação;01 - Grão inteiro;Sim;31/12/2030;;;');
    expect(wine).toBe('4;Importação;;Não;;13,5;01 - Cabernet inventada | 02 - Merlot inventada;01 - Vidro');
  });
});
