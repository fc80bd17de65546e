import { describe, expect, test } from 'bun:test';
import { TABLE_CODES } from '../../../../src/catalogue/attribute/words/codes.ts';
import { MAX_CONDITION_TERMS } from '../../../../src/catalogue/attribute/file/detail.ts';
import { MAX_FAULTS, TABLE_TEXT_MAX_UNITS } from '../../../../src/catalogue/attribute/file/reader.ts';
import { TABLE_MAX_DEPTH, readTable } from '../../../../src/catalogue/attribute/file/table-file.ts';
import { publicTable } from '../../../support/public-table.ts';
import vectors from './vectors/tables.json' with { type: 'json' };

interface TableCase {
  readonly name: string;
  readonly file: unknown;
  readonly problems: readonly (readonly [keyof typeof TABLE_CODES, string])[];
  readonly says?: readonly string[];
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Returns a small valid file in which `definicao` is the given JSON text. */
const withDefinition = (json: string): string =>
  `{"versao":"1","listaNcm":[],"detalhesAtributos":[{"codigo":"A","formaPreenchimento":"TEXTO","definicao":${json}}]}`;

function problemsOf(
  file: Uint8Array | string,
): readonly { code: string; path: string | null; message: string }[] {
  const read = readTable(file);
  return read.ok ? [] : read.problems;
}

describe('a table file', () => {
  for (const { name, file, problems, says = [] } of vectors.refused as unknown as readonly TableCase[])
    test(`is refused: ${name}`, () => {
      const actual = problemsOf(JSON.stringify(file));
      expect(actual.map(({ code, path }) => [code, path])).toEqual(
        problems.map(([key, path]) => [TABLE_CODES[key].code, path]),
      );
      const messages = actual.map(({ message }) => message).join('\n');
      for (const part of says) expect(messages).toContain(part);
    });

  const broken: readonly (readonly [string, string | Uint8Array, string])[] = [
    ['nothing', '', 'byte 0'],
    ['a comma before the end', '{"versao":"1",}', 'byte 14'],
    ['a missing colon', '{"versao" "1"}', 'byte 10'],
    ['a missing comma', '{"versao":"1" "x":2}', 'byte 14'],
    ['an unknown word', '{"versao":tru}', 'byte 13'],
    ['a number with a leading zero', '{"versao":01}', 'byte 11'],
    ['a line break within a text', '{"versao":"\n"}', 'byte 11'],
    ['an unknown escape', '{"versao":"\\x"}', 'byte 12'],
    ['a short Unicode escape', '{"versao":"\\u12"}', 'byte 15'],
    ['an end within a text', '{"versao":"1', 'byte 12'],
    ['an end within the file', '{"versao":"1"', 'byte 13'],
    ['text after the end', '{} {}', 'byte 3'],
    ['the wrong bracket', '{"listaNcm":[}', 'byte 13'],
    ['two million open lists', '['.repeat(2_000_000), 'byte 2000000'],
    ['a byte order mark, which counts as bytes', '\uFEFF{]', 'byte 4'],
    ['a byte that is not UTF-8', new Uint8Array([0x7b, 0x22, 0xff]), 'no byte 2: o byte 0xFF não é UTF-8'],
    [
      'a byte in the middle that is not UTF-8',
      new Uint8Array([...encode(`"${'é'.repeat(70_000)}`), 0xc3, 0x28]),
      'byte 140001: o byte 0xC3 não é UTF-8',
    ],
    ['a zip', new Uint8Array([0x50, 0x4b, 0x03, 0x04]), 'byte 0'],
  ];
  for (const [name, file, says] of broken)
    test(`is refused with the byte: ${name}`, () => {
      const problems = problemsOf(file);
      expect(problems.map(({ code }) => code)).toEqual([TABLE_CODES.notJson.code]);
      expect(problems[0]?.message).toContain(says);
    });

  test('is refused when a text is longer than its limit, and accepted at the limit', () => {
    const text = (units: number): string => withDefinition(JSON.stringify('x'.repeat(units)));
    expect(problemsOf(text(TABLE_TEXT_MAX_UNITS + 1)).map(({ code, path }) => [code, path])).toEqual([
      [TABLE_CODES.text.code, '/detalhesAtributos/0/definicao'],
    ]);
    expect(problemsOf(text(1_000_000))[0]?.message.length).toBeLessThan(400);
    expect(problemsOf(text(TABLE_TEXT_MAX_UNITS))).toEqual([]);
  });

  test('is refused when a text has a lone surrogate', () => {
    expect(problemsOf(withDefinition('"\\ud83d"')).map(({ path }) => path)).toEqual([
      '/detalhesAtributos/0/definicao',
    ]);
    expect(problemsOf(withDefinition('"\\ud83d\\udc1f"'))).toEqual([]);
  });

  test('is refused when a condition has more terms than the limit, and accepted at the limit', () => {
    const file = (terms: number): string => {
      const rest = '{"operador":"==","valor":"x","composicao":"||","condicao":'.repeat(terms - 1);
      const condition = `${rest}{"operador":"==","valor":"x"}${'}'.repeat(terms - 1)}`;
      const child = '{"codigo":"B","formaPreenchimento":"TEXTO"}';
      return `{"versao":"1","listaNcm":[],"detalhesAtributos":[{"codigo":"A","formaPreenchimento":"TEXTO",
        "condicionados":[{"condicao":${condition},"atributo":${child}}]}]}`;
    };
    for (const terms of [MAX_CONDITION_TERMS + 1, 500_000])
      expect(problemsOf(file(terms)).map(({ code, path }) => [code, path])).toEqual([
        [TABLE_CODES.layout.code, '/detalhesAtributos/0/condicionados/0/condicao'],
      ]);
    expect(problemsOf(file(MAX_CONDITION_TERMS))).toEqual([]);
  });

  test('is refused without a crash when a member nests two million lists', () => {
    const deep = '['.repeat(2_000_000) + ']'.repeat(2_000_000);
    expect(problemsOf(withDefinition(deep)).map(({ code }) => code)).toEqual([TABLE_CODES.layout.code]);
    expect(problemsOf(deep).map(({ path }) => path)).toEqual(['']);
  });

  test('is refused for a repeated member, also in the deepest condition', () => {
    const tail = '{"operador":"==","valor":"1","valor":"2"}';
    const terms = MAX_CONDITION_TERMS - 1;
    const head = '{"operador":"==","valor":"1","composicao":"||","condicao":'.repeat(terms);
    const child = '{"codigo":"B","formaPreenchimento":"TEXTO"}';
    const file = `{"versao":"1","listaNcm":[],"detalhesAtributos":[{"codigo":"A","formaPreenchimento":"TEXTO",
      "condicionados":[{"condicao":${head}${tail}${'}'.repeat(terms)},"atributo":${child}}]}]}`;
    const path = `/detalhesAtributos/0/condicionados/0/condicao${'/condicao'.repeat(terms)}/valor`;
    expect(problemsOf(file)).toMatchObject([{ code: TABLE_CODES.layout.code, path }]);
  });

  test(`is refused beyond ${TABLE_MAX_DEPTH} levels, also in members that are not read`, () => {
    const file = (levels: number): string =>
      `{"versao":"1","listaNcm":[],"detalhesAtributos":[],"x":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(problemsOf(file(TABLE_MAX_DEPTH - 1))).toEqual([]);
    expect(problemsOf(file(TABLE_MAX_DEPTH))).toMatchObject([{ code: TABLE_CODES.layout.code, path: '' }]);
  });

  test('keeps the digits of numbers that are read as texts', () => {
    const file = `{"versao":1.10,"listaNcm":[],"detalhesAtributos":[{"codigo":12345678901234567890,
      "formaPreenchimento":"NUMERO_REAL","definicao":0.0000001,"tamanhoMaximo":1e1,"casasDecimais":2.0,
      "dominio":[{"codigo":1.10,"descricao":"A"},{"codigo":1.1,"descricao":"B"}]}]}`;
    const read = readTable(file);
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    expect(read.table).toMatchObject({
      versao: '1.10',
      detalhesAtributos: [
        {
          codigo: '12345678901234567890',
          definicao: '0.0000001',
          tamanhoMaximo: 10,
          casasDecimais: 2,
          dominio: [
            { codigo: '1.10', descricao: 'A' },
            { codigo: '1.1', descricao: 'B' },
          ],
        },
      ],
    });
  });

  test('is refused with the digits of a number where another type is expected', () => {
    const detail = (members: string): string =>
      `{"versao":"1","listaNcm":[],"detalhesAtributos":[{"codigo":"A","formaPreenchimento":"TEXTO",${members}}]}`;
    for (const [members, says] of [
      ['"tamanhoMaximo":1.50', 'recebido 1.50; aceito: um número inteiro'],
      ['"obrigatorio":1.0', 'recebido 1.0; aceito: true ou false'],
      ['"dominio":1.10', 'recebido 1.10; aceito: uma lista'],
      ['"dominio":[1.10]', 'recebido 1.10; esperado um objeto JSON'],
      ['"dataInicioVigencia":2026.10', 'recebido 2026.10; aceito: uma data'],
    ] as const)
      expect(problemsOf(detail(members)).map(({ message }) => message)).toEqual([
        expect.stringContaining(says),
      ]);
  });

  test('is refused with the first faults only', () => {
    const listaNcm = Array.from({ length: 1000 }, () => ({ codigoNcm: 'x' }));
    expect(problemsOf(JSON.stringify({ versao: '1', listaNcm, detalhesAtributos: [] }))).toHaveLength(
      MAX_FAULTS,
    );
  });

  for (const { name, file } of vectors.accepted as readonly { name: string; file: unknown }[])
    test(`is accepted: ${name}`, () => {
      expect(problemsOf(JSON.stringify(file))).toEqual([]);
      expect(problemsOf(encode(`\uFEFF${JSON.stringify(file, undefined, 2)}`))).toEqual([]);
    });

  test('is parsed to NCMs without dots and the words of the public file, without unknown members', () => {
    const file = {
      versao: 3,
      listaNcm: [
        { codigoNcm: '0504.00.11', listaAtributos: [{ codigo: 'A', modalidade: 'EXPORTACAO', x: 1 }] },
      ],
      detalhesAtributos: [{ codigo: 'A', formaPreenchimento: 'TEXTO', brid: 'x' }],
    };
    expect(readTable(JSON.stringify(file))).toEqual({
      ok: true,
      original: file,
      table: {
        versao: '3',
        listaNcm: [
          {
            codigoNcm: '05040011',
            listaAtributos: [
              {
                codigo: 'A',
                modalidade: 'Exportação',
                obrigatorio: false,
                multivalorado: false,
                dataInicioVigencia: '',
                dataFimVigencia: '',
              },
            ],
          },
        ],
        detalhesAtributos: [
          {
            codigo: 'A',
            nome: '',
            nomeApresentacao: 'A',
            definicao: '',
            orientacaoPreenchimento: '',
            formaPreenchimento: 'TEXTO',
            dataInicioVigencia: '',
            dataFimVigencia: '',
            obrigatorio: false,
            dominio: [],
            objetivos: [],
            orgaos: [],
            atributoCondicionante: false,
            condicionados: [],
            listaSubatributos: [],
          },
        ],
      },
    });
  });

  test('of the public size is read completely, and its value can be cloned and stored as JSON', () => {
    const read = readTable(encode(publicTable()));
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    expect(read.table.listaNcm).toHaveLength(10_500);
    expect(read.table.listaNcm.reduce((sum, { listaAtributos }) => sum + listaAtributos.length, 0)).toBe(
      73_000,
    );
    expect(read.table.detalhesAtributos).toHaveLength(1_300);
    const [first] = read.table.detalhesAtributos;
    expect(JSON.parse(JSON.stringify(first))).toEqual(structuredClone(first));
  });
});
