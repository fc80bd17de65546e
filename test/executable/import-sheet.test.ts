/** Spreadsheets in and out by the command line (contract section 24), next to a running server. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { SHEET_LIMITS } from '../../src/sheet/limits.ts';
import { csv } from '../catalogue/sheet/support.ts';
import { rowsXml, simpleXlsx, xlsxOf, xlsxWeighing } from '../sheet/support.ts';
import { refusalOf, outputOf } from './outcome.ts';
import { type Sandbox, ask, openSandbox, tokensOf } from './support.ts';

const COMPANY = '12345678';
const DATA = ['--data', 'dados'] as const;
const OF_COMPANY = ['--raiz', COMPANY, ...DATA] as const;

let sandbox: Sandbox;
let url: string;
let tokens: Record<string, string> | number;
beforeAll(async () => {
  sandbox = await openSandbox();
  ({ url } = await sandbox.start('dev', '--port', '0', '--data', 'dados'));
  tokens = await tokensOf(url, 'demo', 'demo');
});
afterAll(() => sandbox.close());

const get = async (path: string) => ask(url, path, tokens);
const countNamed = async (denominacao: string): Promise<number> => {
  const response = await get(`/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}&denominacao=${denominacao}`);
  return response.status === 204 ? 0 : ((await response.json()) as unknown[]).length;
};
const write = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(sandbox.folder, name), content);
  return name;
};
const importFile = (...args: readonly string[]) => sandbox.run(['import', ...args, ...OF_COMPANY]);

const ROWS = [
  ['Nome', 'NCM', 'Modalidade', 'SKU', 'Preço'],
  ['Planilhada um', '3926.90.90', 'Importação', 'CLI-1', '3,00'],
  ['Planilhada dois', '39269090', 'Compra', 'CLI-2', '4,00'],
  ['', '', '', '', ''],
  ['Planilhada três', '1', 'IMP', 'CLI-3', ''],
];

describe('catp import of a spreadsheet', () => {
  test('prints the mapping of the columns, and row and cell of each refusal; a dry run stores nothing', async () => {
    const file = write('produtos.xlsx', simpleXlsx(ROWS));
    const { code, stderr } = importFile('produto', file, '--simular');
    expect(code).toBe(1);
    expect(stderr).toContain('Nome → denominacao; NCM → ncm; Modalidade → modalidade; SKU → codigosInterno.');
    expect(stderr).toContain('Deixadas de lado: Preço. Chave: codigoInterno.');
    expect(stderr).toContain(
      'produtos.xlsx, linha 3 ("Planilhada dois"): C3 Modalidade: recebido "Compra"; aceita',
    );
    expect(stderr).toContain('produtos.xlsx, linha 5 ("Planilhada três"): B5 ');
    expect(stderr).toContain('3 linhas em ');
    expect(stderr).toContain('Simulação: nada foi gravado.');
    expect(await countNamed('Planilhada')).toBe(0);
  });

  test('stores the valid rows, and matches them again by their internal codes', async () => {
    const file = write('produtos.csv', csv(ROWS));
    const { code, stderr } = importFile('produto', file, '--erros', 'erros.csv');
    expect([code, await countNamed('Planilhada')]).toEqual([1, 1]);
    expect(stderr).toContain('1 incluído, 0 com nova versão ou mudança, 0 inalterados, 2 com erro.');
    expect(readFileSync(join(sandbox.folder, 'erros.csv'), 'utf8')).toContain(';produtos.csv;3;/modalidade;');
    expect(importFile('produto', file).stderr).toContain('1 inalterado, 2 com erro.');
    const changedSheet = write('outra.csv', csv([ROWS[0] as string[], ['Planilhada I', '', '', 'CLI-1']]));
    expect(outputOf(sandbox.run(['import', 'produto', changedSheet, '--empresa', COMPANY, ...DATA]))).toBe(
      '',
    );
    expect([await countNamed('Planilhada um'), await countNamed('Planilhada I')]).toEqual([0, 1]);
  });

  test('accepts the JSON of --mapping and the key of --key as the server does, and prints the refusals of the server', async () => {
    const file = write(
      'tipo.csv',
      csv([
        ['Título', 'Cód.', 'NCM', 'Uso'],
        ['Mapeada', 'CLI-9', '39269090', 'Compra'],
      ]),
    );
    const mapping = (content: unknown): string =>
      write('mapa.json', typeof content === 'string' ? content : JSON.stringify(content));
    const values = { modalidade: { Compra: 'IMPORTACAO' } };
    const mappingFile = { mapping: [{ index: 3, target: 'modalidade' }], values };
    const subject = ['produto', file] as const;
    const map = mapping(mappingFile);
    for (const _ of [1, 2]) {
      const { code, stderr } = sandbox.run([
        'import',
        ...subject,
        '--mapping',
        map,
        '--key',
        'nenhuma',
        ...OF_COMPANY,
      ]);
      expect([code, stderr]).toEqual([0, expect.stringContaining('1 incluído')]);
    }
    expect(await countNamed('Mapeada')).toBe(2);
    for (const [how, words] of [
      [
        { mapping: [{ index: 3, target: 'preco' }] },
        'target: recebido "preco"; aceita cpfCnpjRaiz, codigo, ',
      ],
      [{ mapping: [{ index: 17, target: 'ncm' }] }, 'index: recebido 17; a planilha não tem essa coluna.'],
      [{ key: 'codigo' }, 'key: recebido "codigo"; a planilha não tem essa coluna.'],
      [{ chave: 'codigo' }, 'chave'],
      ['{', 'planilha: não é JSON; envie um objeto, como {"key":"codigoInterno"}.'],
    ] as const) {
      const { code, stderr } = importFile('produto', file, '--mapping', mapping(how));
      expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    }
    expect(importFile('produto', file, '--key', 'codigo').code).toBe(2);
    expect(refusalOf(sandbox, ['import', 'produto', file, '--key', 'ncm', ...OF_COMPANY], 2)).toContain(
      '--key: recebido "ncm"; aceita codigo, codigoInterno, nenhuma.',
    );
    expect(importFile('produto', file, '--mapping', 'falta.json').stderr).toContain(
      '--mapping: falta.json não pode ser lido (não existe, ENOENT).',
    );
  });

  test('accepts operators, links and acts, by their short names and by the names on the pages', async () => {
    for (const [tipo, ...words] of [
      ['operador-estrangeiro', 'operador', 'operador-estrangeiro'],
      ['fabricante', 'vinculo', 'fabricante'],
      ['ato-concessorio', 'ato-concessorio'],
    ] as const) {
      const template = await get(`/appliance/api/sheets/template.csv?tipo=${tipo}`);
      const file = write(`${tipo}.csv`, await template.bytes());
      for (const word of words) {
        const { code, stderr } = importFile(word, file, '--simular');
        expect([word, code, stderr]).toEqual([word, 0, expect.stringContaining('1 incluído')]);
      }
    }
  });

  test('ends with 2 for an unreadable file, with the message of the server', async () => {
    for (const [name, content, words] of [
      [
        'velha.xls',
        new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]),
        'O arquivo é uma planilha antiga do Excel (.xls)',
      ],
      ['quebrada.xlsx', 'PK quebrada', 'A planilha está danificada'],
      ['vazia.csv', '', 'O arquivo está vazio.'],
      ['titulos.csv', 'Nome;NCM', 'A planilha não tem linhas abaixo de um cabeçalho'],
      ['json.csv', '[{"seq":1}]', 'O arquivo não é uma planilha'],
    ] as const) {
      const { code, stderr } = importFile('produto', write(name, content));
      expect([name, code, stderr]).toEqual([
        name,
        2,
        expect.stringContaining(`${name} não pode ser lido: ${words}`),
      ]);
      expect(stderr).toContain('Nada foi gravado.');
    }
    const missingFile = importFile('produto', 'falta.xlsx');
    expect([missingFile.code, missingFile.stderr]).toEqual([
      2,
      expect.stringContaining('o arquivo não existe.'),
    ]);
  });

  test('refuses a template that was not filled in: it has nothing to import', async () => {
    const template = await get('/appliance/api/sheets/template.xlsx?ncm=09012100');
    const { code, stderr } = importFile('produto', write('modelo.xlsx', await template.bytes()));
    expect([code, stderr]).toEqual([2, expect.stringContaining('não tem linhas abaixo de um cabeçalho')]);
  });

  test('imports for one company, which must be named when several exist', () => {
    const file = write(
      'uma.csv',
      csv([
        ['Nome', 'Situação'],
        ['Única', 'Rascunho'],
      ]),
    );
    const { code, stderr } = sandbox.run(['import', 'produto', file, '--simular', ...DATA]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /--empresa: uma planilha é de uma empresa, e esta pasta de dados tem \d+ empresas; diga qual\./,
      ),
    ]);
    sandbox.init('uma');
    outputOf(sandbox.run(['company', 'add', COMPANY, '--nome', 'Empresa', '--data', 'uma']));
    expect(sandbox.run(['import', 'produto', file, '--data', 'uma']).code).toBe(0);
  });

  test('names the sheets of a file that are not imported, and imports the one of --table', () => {
    const sheetOf = (name: string, ...rows: (readonly string[])[]) => ({
      name,
      data: rowsXml([['Nome', 'NCM', 'Modalidade'], ...rows]),
    });
    const sheets = [
      sheetOf('Peças', ['Porca', '39269090', 'IMP']),
      sheetOf('Motores', ['Motor 1', '39269090', 'IMP'], ['Motor 2', '39269090', 'IMP']),
    ];
    const file = write('abas.xlsx', xlsxOf({ sheets }));
    const first = importFile('produto', file, '--simular');
    expect([first.code, first.stderr]).toEqual([
      0,
      expect.stringContaining('Motores: 2 linhas, não importada.'),
    ]);
    expect(first.stderr).toContain('1 ');
    const words = ['import', 'produto', file, '--raiz', COMPANY, '--table', 'Motores', '--simular', ...DATA];
    expect(sandbox.run(words).code).toBe(0);
    for (const table of ['Motores', 'motores', '1']) {
      const { code, stderr } = importFile('produto', file, '--table', table, '--simular');
      expect([code, stderr]).toEqual([0, expect.stringContaining('2 ')]);
      expect(stderr).not.toContain('não importada');
    }
    for (const table of ['Outra', '2'])
      expect([importFile('produto', file, '--table', table).code, table]).toEqual([2, table]);
  });

  test('accepts a mapping, a key and a table for the sheet of a zip; for several sheets only the common options', () => {
    const titles = [['Título', 'SKU', 'NCM', 'Uso']];
    const sheet = (name: string, rows: readonly (readonly string[])[]) => ({ name, data: rowsXml(rows) });
    const workbook = xlsxOf({
      sheets: [
        sheet('Peças', [...titles, ['Zipada um', 'Z-1', '39269090', 'Compra']]),
        sheet('Motores', [
          ...titles,
          ['Zipada dois', 'Z-2', '39269090', 'Compra'],
          ['Zipada três', 'Z-3', '39269090', 'IMP'],
        ]),
      ],
    });
    const zip = write('um.zip', zipSync({ 'abas.xlsx': workbook }));
    const two = write('dois.zip', zipSync({ 'a.xlsx': workbook, 'b.xlsx': workbook }));
    const values = { modalidade: { Compra: 'IMPORTACAO' } };
    const map = write('mapa.json', JSON.stringify({ mapping: [{ index: 3, target: 'modalidade' }], values }));
    const commonMapping = write(
      'valores.json',
      JSON.stringify({ values, constants: { modalidade: 'IMPORTACAO' } }),
    );
    const motors = importFile(
      'produto',
      zip,
      '--table',
      'motores',
      '--mapping',
      map,
      '--key',
      'nenhuma',
      '--simular',
    );
    expect([motors.code, motors.stderr]).toEqual([0, expect.stringContaining('2 incluídos')]);
    expect(importFile('produto', zip, '--table', '7').stderr).toContain('"7"; tem 0: Peças, 1: Motores.');
    const bothSheets = importFile('produto', two, '--mapping', commonMapping, '--simular');
    expect([bothSheets.code, bothSheets.stderr]).toEqual([0, expect.stringContaining('2 incluídos')]);
    for (const [flag, value] of [
      ['--table', '0'],
      ['--mapping', map],
    ] as const) {
      const { code, stderr } = importFile('produto', two, flag, value);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining('o zip tem 2; envie essa planilha fora do zip.'),
      ]);
    }
    const records = write('json.zip', zipSync({ 'a.json': strToU8('[]') }));
    expect(importFile('produto', records, '--key', 'codigo').stderr).toContain(
      '--key: só vale para uma planilha',
    );
  });

  test('refuses options for sheets with other files, and options for other files with a sheet', () => {
    write('itens.json', '[]');
    const flags = { '--mapping': 'itens.json', '--key': 'codigo', '--table': '0' };
    for (const [flag, value] of Object.entries(flags))
      expect(refusalOf(sandbox, ['import', 'produto', 'itens.json', flag, value, ...DATA], 2)).toContain(
        `${flag}: só vale para uma planilha, um arquivo .xlsx ou .csv`,
      );
    expect(refusalOf(sandbox, ['import', 'produto', 'a.csv', '--modo', 'espelho', ...DATA], 2)).toContain(
      '--modo: recebido "espelho"; uma planilha é importada em lote.',
    );
  });

  test('continues with --resume where the same import stopped; with other options it is another import', () => {
    const file = write(
      'retomada.csv',
      csv([
        ['Nome', 'Situação'],
        ['Retomada', 'Rascunho'],
      ]),
    );
    expect(importFile('produto', file).code).toBe(0);
    const resumed = importFile('produto', file, '--resume');
    expect([resumed.code, resumed.stderr]).toEqual([
      0,
      expect.stringContaining('Retomada depois de 1 de 1 linha.'),
    ]);
    const mappingFile = write('mapa.json', JSON.stringify({ constants: { ncm: '39269090' } }));
    expect(importFile('produto', file, '--resume', '--mapping', mappingFile).stderr).not.toContain(
      'Retomada depois',
    );
  });

  test('accepts 50 MiB and refuses one byte more', () => {
    const { maxBytes } = SHEET_LIMITS;
    const rows = [
      ['Nome', 'Situação'],
      ['Pesada', 'Rascunho'],
    ];
    const fullFile = xlsxWeighing(rows, maxBytes);
    expect(fullFile).toHaveLength(maxBytes);
    expect(importFile('produto', write('cheia.xlsx', fullFile), '--simular').code).toBe(0);
    const { code, stderr } = importFile(
      'produto',
      write('cheia.xlsx', xlsxWeighing(rows, maxBytes + 1)),
      '--simular',
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining('são aceitos até 50 MiB. Divida-a.')]);
  });
});

test('catp import names the cell with an unclosed quotation mark', () => {
  const { code, stderr } = importFile(
    'produto',
    write('aspas.csv', 'Nome;NCM;Modalidade\n"Peça;39269090;IMP\n'),
  );
  expect([code, stderr]).toEqual([2, expect.stringContaining('A2 não se fecham')]);
});

describe('catp export --xlsx', () => {
  test('writes a file that imports unchanged, for each kind, and equals the file of the server', async () => {
    for (const [word, path] of [
      ['produto', 'products'],
      ['operador', 'foreign-operators'],
      ['vinculo', 'manufacturer-links'],
    ] as const) {
      const file = `${word}-saida.xlsx`;
      const args = ['export', word, '--raiz', COMPANY, '--desativados', '--xlsx', file, ...DATA];
      expect(outputOf(sandbox.run(args))).toBe(`${file}\n`);
      const rows = 'xl/worksheets/sheet1.xml';
      const serverFile = await (await get(`/appliance/api/${path}.xlsx?cpfCnpjRaiz=${COMPANY}`)).bytes();
      expect(unzipSync(readFileSync(join(sandbox.folder, file)))[rows]).toEqual(unzipSync(serverFile)[rows]);
      const back = importFile(word, file);
      expect([word, back.code]).toEqual([word, 0]);
      expect(back.stderr).toMatch(
        /: 0 incluídos, 0 com nova versão ou mudança, [\d.]+ inalterados?, 0 com erro/,
      );
    }
  });

  test('leaves out deactivated records, and replaces the zip', async () => {
    const countExported = (...flags: readonly string[]): number => {
      outputOf(sandbox.run(['export', 'produto', '--raiz', COMPANY, '--xlsx', 'p.xlsx', ...flags, ...DATA]));
      const { 'xl/worksheets/sheet1.xml': rows = strToU8('') } = unzipSync(
        readFileSync(join(sandbox.folder, 'p.xlsx')),
      );
      return new TextDecoder().decode(rows).split('<row ').length;
    };
    const before = [countExported(), countExported('--desativados')];
    const file = write(
      'desativa.csv',
      csv([
        ['SKU', 'Situação'],
        ['CLI-1', 'Desativado'],
      ]),
    );
    expect(importFile('produto', file).code).toBe(0);
    expect([countExported(), countExported('--desativados')]).toEqual([(before[0] ?? 0) - 1, before[1] ?? 0]);
    const conflictingArgs = [
      'export',
      'produto',
      '--raiz',
      COMPANY,
      '--xlsx',
      'a.xlsx',
      '--to',
      'a.zip',
      ...DATA,
    ];
    expect(refusalOf(sandbox, conflictingArgs, 2)).toContain('não combina com');
  });
});
