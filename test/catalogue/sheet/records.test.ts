/**
 * Rows of sheets as operators, links and acts, and lists that are imported as they were exported
 * (contract section 24).
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { NOMENCLATURE, nomenclatureFile } from '../../nomenclature/support.ts';
import { COMPANY, importRows, run, send } from './support.ts';

let server: TestApp;
let demo: Client;

beforeEach(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
});

afterEach(() => server.close());

const operator = async (codigo: string) =>
  (await demo.call('GET', `/catp/api/ext/operador-estrangeiro?cpfCnpjRaiz=${COMPANY}&codigo=${codigo}`))
    .json[0];

const include = async (nome: string, codigoPais: string, content: object = {}): Promise<string> => {
  const all = { nome, logradouro: 'Rua 1', nomeCidade: 'Lugar', ...content };
  const path = `/catp/api/ext/operador-estrangeiro/${COMPANY}/${codigoPais}`;
  return (await demo.call('POST', path, all)).json.codigo;
};
const deactivate = (codigo: string, codigoPais: string, versao = 1) =>
  demo.call(
    'PUT',
    `/catp/api/ext/operador-estrangeiro/desativar/${COMPANY}/${codigoPais}/${codigo}/${versao}`,
  );

const HEADINGS = ['Nome', 'País', 'Endereço', 'Cidade', 'Código interno', 'Identificação adicional'];
const MUSTER = ['Muster GmbH', 'Alemanha', 'Rua 1', 'Berlin', 'F-9', '123:16 | 456:9'];

describe('operators', () => {
  test('are created with names of countries, found by their internal codes, and changed in the columns of the sheet', async () => {
    const operatorImport = await importRows(demo, [HEADINGS, MUSTER], {}, 'operador-estrangeiro');
    expect(operatorImport.rows).toMatchObject([{ outcome: 'created', name: 'Muster GmbH', row: 2 }]);
    const { codigo } = operatorImport.rows[0];
    expect(await operator(codigo)).toMatchObject({
      codigoPais: 'DE',
      nomeCidade: 'Berlin',
      situacao: 'ATIVADO',
      identificacoesAdicionais: [
        { numero: '123', codigo: '16' },
        { numero: '456', codigo: '9' },
      ],
    });
    const changed = await importRows(
      demo,
      [
        ['Código interno', 'Cidade'],
        ['F-9', 'Bonn'],
      ],
      {},
      'operador-estrangeiro',
    );
    expect(changed.rows).toMatchObject([
      {
        outcome: 'newVersion',
        codigo,
        changes: [{ member: 'nomeCidade', heading: 'Cidade', before: 'Berlin', after: 'Bonn' }],
      },
    ]);
    expect(await operator(codigo)).toMatchObject({ nome: 'Muster GmbH', nomeCidade: 'Bonn', versao: '2' });
    const again = await importRows(demo, [HEADINGS, MUSTER.with(3, 'Bonn')], {}, 'operador-estrangeiro');
    expect(again.rows).toMatchObject([{ outcome: 'unchanged', versao: '2' }]);
  });

  test('with faults are refused at their cells', async () => {
    const { rows } = await importRows(
      demo,
      [HEADINGS, MUSTER.with(1, 'Atlântida'), MUSTER.with(0, '').with(4, 'F-8')],
      {},
      'operador-estrangeiro',
    );
    expect(rows[0].problems).toMatchObject([{ cell: 'B2', heading: 'País', member: 'codigoPais' }]);
    expect(rows[1].problems).toMatchObject([{ cell: 'A3', member: 'nome' }]);
    const none = await importRows(
      demo,
      [
        ['Código no catálogo', 'Cidade'],
        ['OPE_999', 'x'],
      ],
      {},
      'operador-estrangeiro',
    );
    expect(none.rows[0].problems).toMatchObject([{ code: 'CATP-ER1033', cell: 'A2' }]);
    const repeatedRow = await importRows(
      demo,
      [
        ['Código', 'Cidade'],
        ['OPE_1', 'x'],
        ['OPE_1', 'y'],
      ],
      {},
      'operador-estrangeiro',
    );
    expect(repeatedRow.rows[1].problems).toMatchObject([{ code: 'CATP-ER1032', cell: 'A3' }]);
  });

  test('are deactivated by a row that changes nothing else, and stay so until a row activates them', async () => {
    const rows = (situacao: string, cidade: string) => [
      ['Código', 'Situação', 'Cidade'],
      ['OPE_1', situacao, cidade],
    ];
    const { nomeCidade } = await operator('OPE_1');
    const both = await importRows(demo, rows('Inativo', 'Outra'), {}, 'operador-estrangeiro');
    expect(both.rows[0].problems).toMatchObject([{ code: 'CATP-ER1036', cell: 'B2' }]);
    expect(
      (await importRows(demo, rows('Inativo', nomeCidade), {}, 'operador-estrangeiro')).rows,
    ).toMatchObject([{ outcome: 'deactivated' }]);
    expect((await importRows(demo, rows('Inativo', ''), {}, 'operador-estrangeiro')).rows).toMatchObject([
      { outcome: 'unchanged' },
    ]);
    expect((await importRows(demo, rows('Ativo', ''), {}, 'operador-estrangeiro')).rows).toMatchObject([
      { outcome: 'newVersion' },
    ]);
  });
});

test('links name their operators, and an existing link is unchanged', async () => {
  const { codigo, nome, codigoPais } = await operator('OPE_1');
  const product = (
    await demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, {
      denominacao: 'Nova',
      modalidade: 'IMPORTACAO',
      ncm: '39269090',
    })
  ).json.codigo;
  const rows = [
    ['Produto', 'Conhecido', 'País', 'Fabricante'],
    [String(product), 'Sim', codigoPais, nome],
    [String(product), 'Talvez', codigoPais, codigo],
  ];
  const first = await importRows(demo, rows, {}, 'fabricante');
  expect(first.rows).toMatchObject([
    { outcome: 'created' },
    { problems: [{ cell: 'B3', member: 'conhecido' }] },
  ]);
  expect((await importRows(demo, rows.slice(0, 2), {}, 'fabricante')).rows).toMatchObject([
    { outcome: 'unchanged' },
  ]);
  const act = await importRows(
    demo,
    [
      ['Produto', 'Ato concessório', 'Item'],
      [String(product), '20260012345', '1'],
    ],
    {},
    'ato-concessorio',
  );
  expect(act.rows).toMatchObject([{ outcome: 'created' }]);
});

describe('an operator that changed since the version in the sheet', () => {
  const replace = (codigo: string, content: object) =>
    demo.call('PUT', `/catp/api/ext/operador-estrangeiro/${COMPANY}/DE/${codigo}`, {
      nome: 'Um',
      logradouro: 'Rua 1',
      nomeCidade: 'Lugar',
      ...content,
    });
  const row = async (codigo: string, logradouro: string, cidade: string, options = {}, versao = '1') =>
    (
      await importRows(
        demo,
        [
          ['Código', 'Versão', 'Logradouro', 'Cidade'],
          [codigo, versao, logradouro, cidade],
        ],
        options,
        'operador-estrangeiro',
      )
    ).rows[0];

  test('is refused if both changed the same member; members that the sender did not change keep their new value', async () => {
    const codigo = await include('Um', 'DE');
    await replace(codigo, { logradouro: 'Rua 2' });
    expect(await row(codigo, 'Rua 3', 'Koeln')).toMatchObject({
      problems: [
        {
          code: 'CATP-ER1027',
          cell: 'C2',
          member: 'logradouro',
          message: expect.stringMatching(
            /^mudouDepois: Logradouro: a planilha viu "Rua 1" na versão 1, a versão 2 tem "Rua 2", e a linha traz "Rua 3"/,
          ),
        },
      ],
    });
    expect(await operator(codigo)).toMatchObject({ versao: '2', nomeCidade: 'Lugar' });
    expect(await row(codigo, 'Rua 1', 'Lugar')).toMatchObject({ outcome: 'unchanged', versao: '2' });
    expect(await row(codigo, 'Rua 1', 'Koeln')).toMatchObject({
      outcome: 'newVersion',
      versao: '3',
      changes: [{ member: 'nomeCidade', before: 'Lugar', after: 'Koeln' }],
    });
    expect(await operator(codigo)).toMatchObject({ logradouro: 'Rua 2', nomeCidade: 'Koeln' });
    // A row based on the current version, and a row whose values another user has already set.
    expect(await row(codigo, 'Rua 3', 'Koeln', {}, '3')).toMatchObject({ outcome: 'newVersion' });
    expect(await row(codigo, 'Rua 3', 'Koeln')).toMatchObject({ outcome: 'unchanged' });
  });

  test('is overwritten with conflict: "sobrepor", except for members that the sender did not change', async () => {
    const codigo = await include('Um', 'DE');
    await replace(codigo, { logradouro: 'Rua 2', nomeCidade: 'Bonn' });
    expect(await row(codigo, 'Rua 3', 'Lugar', { conflict: 'sobrepor' })).toMatchObject({
      changes: [{ member: 'logradouro', before: 'Rua 2', after: 'Rua 3' }],
    });
    expect(await operator(codigo)).toMatchObject({ logradouro: 'Rua 3', nomeCidade: 'Bonn' });
  });

  test('is refused for an invalid version, or one that it never had', async () => {
    const codigo = await include('Um', 'DE');
    expect(await row(codigo, 'Rua 3', '', {}, 'x')).toMatchObject({
      problems: [{ code: 'CATP-ER1033', cell: 'B2' }],
    });
    expect((await row(codigo, 'Rua 3', '', {}, '9')).errors).toEqual([
      `versao: O operador ${codigo} não tem a versão 9.`,
    ]);
    expect(await operator(codigo)).toMatchObject({ versao: '1', logradouro: 'Rua 1' });
  });
});

test('a situation that the sender did not change is not applied, for operators and products', async () => {
  const codigo = await include('Um', 'DE');
  const table = (headings: readonly string[], values: readonly string[]) => [headings, values];
  const operators = ['Código', 'Versão', 'Situação', 'Cidade'];
  const send = async (values: readonly string[], tipo: string, headings: readonly string[]) =>
    (await importRows(demo, table(headings, values), {}, tipo)).rows[0];
  await send([codigo, '1', '', 'Bonn'], 'operador-estrangeiro', operators);
  await deactivate(codigo, 'DE', 2);
  const unchangedRow = await send([codigo, '1', 'Ativado', 'Lugar'], 'operador-estrangeiro', operators);
  expect(unchangedRow).toMatchObject({ outcome: 'unchanged', changes: [] });
  const reactivatedRow = await send([codigo, '2', 'Ativado', ''], 'operador-estrangeiro', operators);
  expect(reactivatedRow).toMatchObject({ changes: [{ member: 'situacao', after: 'ATIVADO' }] });

  const createdRow = await send(['Caixa', '39269090', 'IMP'], 'produto', ['Nome', 'NCM', 'Modalidade']);
  const products = ['Código', 'Versão', 'Situação', 'Nome'];
  await send([createdRow.codigo, '1', '', 'Balde'], 'produto', products);
  await send([createdRow.codigo, '2', 'Desativado', ''], 'produto', products);
  const repeatedRow = await send([createdRow.codigo, '1', 'Ativado', 'Caixa'], 'produto', products);
  expect(repeatedRow).toMatchObject({ outcome: 'unchanged', changes: [] });
  const active = await send([createdRow.codigo, '2', 'Ativado', ''], 'produto', products);
  expect(active).toMatchObject({ changes: [{ member: 'situacao', after: 'ATIVADO' }] });
});

describe('an ambiguous operator is refused with its candidates:', () => {
  test('an internal code, unless only one of them is active', async () => {
    const same = { codigoInterno: 'F-7' };
    const [one, two] = [await include('Um', 'DE', same), await include('Dois', 'US', same)];
    const rows = [
      ['Código interno', 'Cidade'],
      ['F-7', 'Bonn'],
    ];
    const importRow = async () => (await importRows(demo, rows, {}, 'operador-estrangeiro')).rows[0];
    const several = {
      problems: [
        {
          code: 'CATP-ER1034',
          cell: 'A2',
          member: 'codigoInterno',
          message: `Código interno: este código é dos operadores ${one}, ${two}; diga qual deles em uma coluna Código.`,
        },
      ],
    };
    expect(await importRow()).toMatchObject(several);
    expect(await operator(one)).toMatchObject({ nomeCidade: 'Lugar', versao: '1' });
    await deactivate(one, 'DE');
    expect(await importRow()).toMatchObject({ outcome: 'newVersion', codigo: two });
    await deactivate(two, 'US', 2);
    expect(await importRow()).toMatchObject(several);
  });

  test('a name in a link, among those of the country of the row if there are any', async () => {
    const [german, french] = [await include('Par SA', 'DE'), await include('PAR SA', 'FR')];
    const [first, second] = [await include('Pár SA', 'US'), await include('Par SA', 'US')];
    const { codigo: product } = (
      await demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, {
        denominacao: 'Nova',
        modalidade: 'IMPORTACAO',
        ncm: '39269090',
      })
    ).json;
    const linkRow = async (pais: string) => {
      const row = [String(product), 'Sim', pais, 'Par SA'];
      return (await importRows(demo, [['Produto', 'Conhecido', 'País', 'Fabricante'], row], {}, 'fabricante'))
        .rows[0];
    };
    const ambiguity = (...codes: readonly string[]) => ({
      problems: [
        {
          code: 'CATP-ER1034',
          cell: 'D2',
          member: 'codigoOperadorEstrangeiro',
          message: `Fabricante: recebido "Par SA", que é o nome dos operadores ${codes.join(', ')}; escreva o código.`,
        },
      ],
    });
    expect(await linkRow('US')).toMatchObject(ambiguity(`${first} (US)`, `${second} (US)`));
    expect(await linkRow('FR')).toMatchObject({
      outcome: 'created',
      changes: expect.arrayContaining([
        expect.objectContaining({ member: 'codigoOperadorEstrangeiro', after: french }),
      ]),
    });
    const all = [`${german} (DE)`, `${french} (FR)`, `${first} (US)`, `${second} (US)`];
    expect(await linkRow('IT')).toMatchObject(ambiguity(...all));
    await deactivate(second, 'US');
    expect(await linkRow('US')).toMatchObject({ outcome: 'created' });
  });
});

test('an exported product has the description of its NCM, which an import ignores', async () => {
  const nomenclature = nomenclatureFile([['0901.21.00', 'Café torrado, não descafeinado']]);
  const admin = await server.as('admin');
  expect((await admin.call('POST', NOMENCLATURE, nomenclature)).status).toBe(200);
  await demo.call('POST', '/appliance/api/products/drafts', {
    cpfCnpjRaiz: COMPANY,
    denominacao: 'Café em grão',
    ncm: '09012100',
  });
  const query = `cpfCnpjRaiz=${COMPANY}&ncm=09012100&columns=codigo,ncm,ncmDescricao`;
  const { text, bytes } = await demo.call('GET', `/appliance/api/products.csv?${query}`);
  const [headings, ...lines] = text.replace('\uFEFF', '').trim().split('\r\n');
  expect(headings).toBe('Código;NCM;Descrição da NCM');
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toEndWith(';09012100;Café torrado, não descafeinado');
  const upload = await send(demo, bytes, { tipo: 'produto' });
  expect(upload.json.sheets[0].columns).toMatchObject([
    { target: 'codigo' },
    { target: 'ncm' },
    { target: null },
  ]);
  const { rows } = await run(demo, { sheet: upload.json.id });
  expect(rows.map(({ outcome }: { outcome: string }) => outcome)).toEqual(lines.map(() => 'unchanged'));
});
