/**
 * The order of trust of contract section 24: the target of each column, its reason, and the remembered
 * choices of people.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { COMPANY, SHEETS, csv, importRows, run, send, targetsIn } from './support.ts';

const PRODUCTS = `/catp/api/ext/produto/${COMPANY}`;
const PLAIN = { denominacao: 'Caixa', modalidade: 'IMPORTACAO', ncm: '39269090' };

interface Column {
  readonly heading: string;
  readonly target: string | null;
  readonly because: string;
  readonly sure: boolean;
}

const columnsIn = (json: { sheets: { columns: Column[] }[] }): readonly Column[] =>
  json.sheets[0]?.columns ?? [];
const reasonsIn = (json: { sheets: { columns: Column[] }[] }) =>
  Object.fromEntries(columnsIn(json).map(({ heading, because }) => [heading, because]));

describe('a heading', () => {
  let server: TestApp;
  let demo: Client;
  let numbers: readonly string[];

  beforeAll(async () => {
    server = await openApp({ demo: true });
    demo = await server.as('demo');
    const codes = [];
    for (const denominacao of ['Um', 'Dois', 'Três'])
      codes.push((await demo.call('POST', PRODUCTS, { ...PLAIN, denominacao })).json.codigo as number);
    numbers = codes.map(String);
  });
  afterAll(() => server.close());

  const targets = async (tipo: string, headings: string, ...rows: string[]) => {
    const columns = columnsIn((await send(demo, [headings, ...rows].join('\r\n'), { tipo })).json);
    return columns.map(({ target }) => target);
  };

  test.each([
    // An ERP's own code is never the number of the catalogue.
    ['Código SAP;NCM', '10;39269090', ['codigosInterno', 'ncm']],
    ['Código Omie;NCM', '10;39269090', ['codigosInterno', 'ncm']],
    ['Código Protheus;NCM', '10;39269090', ['codigosInterno', 'ncm']],
    ['Cód. Produto ERP;NCM', '10;39269090', ['codigosInterno', 'ncm']],
    ['Cód. TOTVS;NCM', '10;39269090', ['codigosInterno', 'ncm']],
    ['SAP;NCM', '10;39269090', ['codigosInterno', 'ncm']],
    ['Código legado;NCM', '10;39269090', ['codigosInterno', 'ncm']],
    ['Código (SKU);NCM', '10;39269090', ['codigosInterno', 'ncm']],
    ['Código (ERP);NCM', '10;39269090', ['codigosInterno', 'ncm']],
    ['Nº do material;NCM', '10;39269090', ['codigosInterno', 'ncm']],
    ['Material SAP;NCM', '10;39269090', ['codigosInterno', 'ncm']],
    ['Referência interna;NCM', 'A-1;39269090', ['codigosInterno', 'ncm']],
    ['Part number do cliente;NCM', 'A-1;39269090', ['codigosInterno', 'ncm']],
    ['codigo;descricao;ncm', '999999;Caixa;39269090', ['codigosInterno', 'denominacao', 'ncm']],
    ['Código do produto;NCM', '999999;39269090', ['codigosInterno', 'ncm']],
    [
      'ID;Código (SKU);Descrição;Unidade;Classificação fiscal;Preço',
      '1600;4;VALVULA BORBOLETA 4 POL;UN;8481.80.95;10,00',
      [null, 'codigosInterno', 'denominacao', null, 'ncm', null],
    ],
    // These headings name the catalogue.
    ['Código no catálogo;NCM', '10;39269090', ['codigo', 'ncm']],
    ['Código do catálogo;NCM', '10;39269090', ['codigo', 'ncm']],
    ['Código Siscomex;NCM', '10;39269090', ['codigo', 'ncm']],
    ['Código do produto no Portal Único;NCM', '10;39269090', ['codigo', 'ncm']],
    ['Código (Portal);NCM', '10;39269090', ['codigo', 'ncm']],
    // These headings name another member, or no member.
    ['Código NCM;Descrição do material', '39269090;Caixa', ['ncm', 'denominacao']],
    ['Código do país;NCM', 'DE;39269090', [null, 'ncm']],
    ['Descrição SAP;NCM', 'Caixa;39269090', ['descricao', 'ncm']],
    ['Peso do material;NCM', '1,5;39269090', [null, 'ncm']],
    ['Código CEST;NCM', '10.001.00;39269090', [null, 'ncm']],
    ['Nome do fornecedor;NCM', 'Acme;39269090', [null, 'ncm']],
    ['Versão do produto;NCM', '2;39269090', [null, 'ncm']],
    // Columns in several languages.
    ['Descrição em português;Descrição (inglês);NCM', 'Caixa;Box;39269090', ['denominacao', null, 'ncm']],
    [
      'Descrição em português;Descrição;NCM',
      'Caixa;Caixa azul;39269090',
      ['descricao', 'denominacao', 'ncm'],
    ],
    ['Nome em português;Nome;NCM', 'Caixa;Caixa azul;39269090', [null, 'denominacao', 'ncm']],
    ['Descrição EN;NCM', 'Box;39269090', [null, 'ncm']],
    ['Denominação (espanhol);NCM', 'Caja;39269090', [null, 'ncm']],
    ['Descrição;Description;NCM', 'Caixa;Box;39269090', ['denominacao', null, 'ncm']],
    ['Part number;Product name;HS code', 'A;Box;x', ['codigosInterno', 'denominacao', null]],
    ['Material description;Material;NCM', 'Box;A-1;39269090', ['denominacao', 'codigosInterno', 'ncm']],
    // A line number is no name.
    ['Item;NCM', '1;39269090', [null, 'ncm']],
    ['Item;Descrição;NCM', '1;Caixa;39269090', [null, 'denominacao', 'ncm']],
    ['Produto;NCM', '1001;39269090', [null, 'ncm']],
    // Two columns never have the same target.
    ['Nome;Produto;NCM', 'Caixa;Balde;39269090', ['denominacao', null, 'ncm']],
    ['Descrição;Denominação;NCM', 'Caixa azul;Caixa;39269090', ['descricao', 'denominacao', 'ncm']],
  ] as const)('of a product: %s', async (headings, row, expected) => {
    expect(await targets('produto', headings, row)).toEqual([...expected]);
  });

  test('"Código" is the number of the catalogue only if nine tenths of its cells are such numbers', async () => {
    const targetsOf = (headings: string, ...codes: readonly string[]) =>
      targets('produto', headings, ...codes.map((code) => `${code};39269090`));
    const storedCodes = Array.from({ length: 9 }, (_, at) => numbers[at % 3] ?? '');
    expect(await targetsOf('Código;NCM', ...numbers)).toEqual(['codigo', 'ncm']);
    expect(await targetsOf('Código do produto;NCM', ...numbers)).toEqual(['codigo', 'ncm']);
    expect(await targetsOf('codigo;NCM', ...storedCodes, '999999')).toEqual(['codigo', 'ncm']);
    expect(await targetsOf('Código;NCM', ...storedCodes.slice(0, 8), '999998', '999999')).toEqual([
      'codigosInterno',
      'ncm',
    ]);
    expect(await targetsOf('Código;SKU', ...numbers)).toEqual(['codigosInterno', 'codigosInterno']);
    expect(await targetsOf('Código;Referência', ...numbers)).toEqual(['codigosInterno', 'codigosInterno']);
    expect(await targetsOf('Código;Código interno', ...numbers)).toEqual([
      'codigosInterno',
      'codigosInterno',
    ]);
    expect(await targetsOf('Código;Part number', ...numbers)).toEqual(['codigosInterno', 'codigosInterno']);
    // A word of an ERP may also be the name of an attribute.
    expect(await targetsOf('Código;Marca', ...numbers)).toEqual(['codigo', null]);
  });

  test('of a catp sheet is exact for any cells', async () => {
    const catpHeadings = 'Código;Versão;Denominação;SKU';
    expect(await targets('produto', catpHeadings, '999999;1;Caixa;A')).toEqual([
      'codigo',
      'versao',
      'denominacao',
      'codigosInterno',
    ]);
  });

  test.each([
    ['operador-estrangeiro', 'Código SAP;Nome', '10;Acme', ['codigoInterno', 'nome']],
    ['operador-estrangeiro', 'Cód. do fornecedor;Nome', '10;Acme', ['codigoInterno', 'nome']],
    ['operador-estrangeiro', 'Código;Nome', '10;Acme', ['codigoInterno', 'nome']],
    ['operador-estrangeiro', 'Código;Versão;Nome', 'OPE_999;1;Acme', ['codigo', 'versao', 'nome']],
    ['operador-estrangeiro', 'Código do país;Código postal', 'DE;1234', ['codigoPais', 'cep']],
    ['fabricante', 'Código SAP;País', '10;DE', ['codigoInterno', 'codigoPais']],
    ['fabricante', 'SKU;Fabricante/produtor conhecido', 'A;Sim', ['codigoInterno', 'conhecido']],
    ['fabricante', 'Código do produto;País', '999999;DE', ['codigoProduto', 'codigoPais']],
    [
      'fabricante',
      'Código;Código do operador',
      '999999;OPE_1',
      ['codigoInterno', 'codigoOperadorEstrangeiro'],
    ],
  ] as const)('of a record: %s %s', async (tipo, headings, row, expected) => {
    expect(await targets(tipo, headings, row)).toEqual([...expected]);
  });

  test('with a word of a boolean attribute is that attribute, by its values, and not sure', async () => {
    const rows = (answers: readonly string[]) =>
      csv([
        ['Nome', 'NCM', 'Modalidade', 'Orgânico', 'Ativo', 'Uva'],
        ...answers.map((one, at) => [`Vinho ${at}`, '22042100', 'IMP', one, one, 'Tannat inventada']),
      ]);
    const guessed = async (answers: readonly string[]) =>
      columnsIn((await send(demo, rows(answers))).json)
        .slice(3)
        .map(({ target, because, sure }) => [target, because, sure]);
    const grape = ['atributo:ATT_90004', 'palpite', false];
    const unknown = [null, 'desconhecida', true];
    expect(await guessed(['Sim', 'Não'])).toEqual([['atributo:ATT_90005', 'palpite', false], unknown, grape]);
    const nine = Array.from({ length: 9 }, () => 'Sim');
    expect((await guessed([...nine, 'talvez']))[0]).toEqual(['atributo:ATT_90005', 'palpite', false]);
    expect((await guessed([...nine.slice(1), 'talvez']))[0]).toEqual(unknown);
  });

  test.each([
    ['Nome do vinho;NCM', 'Casillero;22042100', 'Alamos;22042100', ['denominacao', 'palpite', false]],
    ['Nome de venda;NCM', 'Eixo;84831090', 'Biela;84831090', ['denominacao', 'palpite', false]],
    ['Nome do fornecedor;NCM', 'Muster;22042100', 'Beispiel;22042100', [null, 'desconhecida', true]],
    ['Nome do vinho;NCM', '1;22042100', '2;22042100', [null, 'desconhecida', true]],
    ['Nome do vinho;NCM', 'Tinto;22042100', 'Tinto;22042100', [null, 'desconhecida', true]],
    ['Nome do vinho;Denominação', 'Tinto;Casillero', 'Branco;Alamos', [null, 'desconhecida', true]],
  ] as const)('%s with %s and %s is %j: a name is guessed by its values', async (...example) => {
    const [headings, first, second, guess] = example;
    const { json } = await send(demo, [headings, first, second].join('\r\n'));
    const [column] = columnsIn(json);
    expect([column?.target, column?.because, column?.sure]).toEqual([...guess]);
  });

  test('has the reason for its target', async () => {
    const { json } = await send(
      demo,
      csv([
        ['Denominação', 'Descrição', 'NCM fiscal', 'Código SAP', 'Aplicação', 'Nome', 'Zzz', 'Classe'],
        ['Caixa', 'Caixa azul', '39269090', 'A', 'IMP', 'B', 'c', '3926.90.90'],
        ['Balde', 'Balde azul', '39269090', 'B', 'EXP', 'D', 'e', '3926.90.90'],
      ]),
    );
    expect(columnsIn(json).map(({ target, because, sure }) => [target, because, sure])).toEqual([
      ['denominacao', 'nome', true],
      ['descricao', 'nome', true],
      [null, 'desconhecida', true],
      ['codigosInterno', 'palpite', true],
      ['modalidade', 'palpite', false],
      [null, 'repetida', true],
      [null, 'desconhecida', true],
      ['ncm', 'palpite', false],
    ]);
    const alone = await send(demo, 'Descrição;NCM\r\nCaixa;39269090');
    expect(columnsIn(alone.json)).toMatchObject([
      { target: 'denominacao', because: 'palpite', sure: false },
      { target: 'ncm', because: 'nome', sure: true },
    ]);
  });
});

describe('a remembered choice', () => {
  let server: TestApp;
  let demo: Client;

  beforeEach(async () => {
    server = await openApp({ demo: true });
    demo = await server.as('demo');
  });
  afterEach(() => server.close());

  const forget = (client: Client, query: string) => client.call('DELETE', `${SHEETS}/choices?${query}`);

  test('is not made of guesses, of a dry run without a mapping, or of a default', async () => {
    await importRows(
      demo,
      [
        ['SKU', 'Descrição', 'NCM'],
        ['A', 'Caixa', '39269090'],
      ],
      { simular: true },
    );
    const later = await send(demo, 'Denominação;Descrição\r\nCaixa;Azul');
    expect(targetsIn(later)).toEqual({ Denominação: 'denominacao', Descrição: 'descricao' });
    expect(reasonsIn(later.json)).toEqual({ Denominação: 'nome', Descrição: 'nome' });
  });

  test('is made of the mapping of a heading, also of a dry run; columns may be added or removed', async () => {
    const mapping = [
      { index: 0, target: 'denominacao' },
      { index: 2, target: null },
    ];
    await importRows(
      demo,
      [
        ['Coisa', 'Texto', 'NCM'],
        ['a', 'b', '39269090'],
      ],
      { mapping, simular: true },
    );
    const later = await send(demo, 'NCM;Texto;COISA\r\n39269090;b;a');
    expect(targetsIn(later)).toEqual({ NCM: null, Texto: null, COISA: 'denominacao' });
    expect(reasonsIn(later.json)).toEqual({ NCM: 'escolha', Texto: 'desconhecida', COISA: 'escolha' });
  });

  test('is overridden by the exact heading of another column, and by a catp sheet', async () => {
    const mapping = [{ index: 0, target: 'denominacao' }];
    await importRows(demo, [['Descrição'], ['a']], { mapping, simular: true });
    expect(targetsIn(await send(demo, 'Descrição;NCM\r\na;39269090'))).toEqual({
      Descrição: 'denominacao',
      NCM: 'ncm',
    });
    expect(targetsIn(await send(demo, 'Descrição;Denominação\r\na;b'))).toEqual({
      Descrição: 'descricao',
      Denominação: 'denominacao',
    });
    await importRows(
      demo,
      [
        ['NCM', 'Nome'],
        ['39269090', 'a'],
      ],
      {
        mapping: [{ index: 0, target: null }],
        simular: true,
      },
    );
    const catpSheet = await send(demo, 'Código;Versão;Denominação;NCM\r\n1;1;a;39269090');
    expect(targetsIn(catpSheet)).toMatchObject({ NCM: 'ncm' });
  });

  test('contains the meanings of values of a heading', async () => {
    const rows = [
      ['Nome', 'NCM', 'Modalidade'],
      ['Caixa', '39269090', 'Compra'],
    ];
    const values = { modalidade: { Compra: 'IMPORTACAO' } };
    expect((await importRows(demo, rows, { values, simular: true })).job).toMatchObject({ created: 1 });
    expect((await importRows(demo, rows, { simular: true })).job).toMatchObject({ created: 1 });
    expect((await forget(demo, `cpfCnpjRaiz=${COMPANY}&tipo=produto`)).status).toBe(204);
    expect((await importRows(demo, rows, { simular: true })).job).toMatchObject({ failed: 1 });
  });

  test('is deleted by users who may write for the company, for that kind only', async () => {
    const mapping = [{ index: 0, target: 'denominacao' }];
    await importRows(demo, [['Coisa'], ['a']], { mapping, simular: true });
    expect((await forget(server.anybody, `cpfCnpjRaiz=${COMPANY}&tipo=produto`)).status).toBe(401);
    expect((await forget(await server.as('estranho'), `cpfCnpjRaiz=${COMPANY}&tipo=produto`)).status).toBe(
      403,
    );
    expect((await forget(demo, `cpfCnpjRaiz=${COMPANY}&tipo=x`)).status).toBe(400);
    expect((await forget(demo, `cpfCnpjRaiz=${COMPANY}&tipo=fabricante`)).status).toBe(204);
    expect(targetsIn(await send(demo, 'Coisa\r\na'))).toEqual({ Coisa: 'denominacao' });
    expect((await forget(demo, `cpfCnpjRaiz=${COMPANY}&tipo=produto`)).status).toBe(204);
    expect(targetsIn(await send(demo, 'Coisa\r\na'))).toEqual({ Coisa: null });
  });

  test('is not stored for headings over 200 characters; the last 1,000 of a company and kind are kept', async () => {
    const [longest, tooLong] = ['x'.repeat(200), 'y'.repeat(201)];
    const two = csv([
      [longest, tooLong],
      ['a', 'b'],
    ]);
    const choose = async (sheet: string, targets: readonly (string | null)[]) => {
      const { json } = await send(demo, sheet);
      const mapping = targets.map((target, index) => ({ index, target }));
      const { started } = await run(demo, { sheet: json.id, mapping, simular: true });
      expect(started.status).toBe(202);
    };
    await choose(two, ['denominacao', 'descricao']);
    expect(targetsIn(await send(demo, two))).toEqual({ [longest]: 'denominacao', [tooLong]: null });
    const wide = (from: number, count: number): string =>
      csv([
        ['Nome', ...Array.from({ length: count }, (_, at) => `c${from + at}`)],
        ['a', ...Array.from({ length: count }, () => 'b')],
      ]);
    await choose(wide(0, 998), ['denominacao', ...Array.from({ length: 998 }, () => null)]);
    expect(targetsIn(await send(demo, two))).toMatchObject({ [longest]: 'denominacao' });
    await choose(wide(998, 1), ['denominacao', null]);
    expect(targetsIn(await send(demo, two))).toEqual({ [longest]: null, [tooLong]: null });
  });
});
