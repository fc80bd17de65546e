import { describe, expect, test } from 'bun:test';
import { ATTRIBUTE_CODES } from '../../../src/catalogue/attribute/words/codes.ts';
import { difference } from '../../../src/catalogue/attribute/table/difference.ts';
import {
  type AttributeLists,
  type AttributeTable,
  type Modalidade,
} from '../../../src/catalogue/attribute/words/model.ts';
import { prepare } from '../../../src/catalogue/attribute/check/prepare.ts';
import { check } from '../../../src/catalogue/attribute/check/rules.ts';
import { readTable } from '../../../src/catalogue/attribute/file/table-file.ts';
import first from '../../../src/demo/attribute-table-1.json' with { type: 'json' };
import second from '../../../src/demo/attribute-table-2.json' with { type: 'json' };
import { publicTable } from '../../support/public-table.ts';
import products from '../../../src/demo/products.json' with { type: 'json' };

type Product = AttributeLists & { seq: number; modalidade: Modalidade; ncm: string };

const DAY = '2026-11-20';
const FLAGS = ['obrigatorio', 'multivalorado'];

function tableOf(file: unknown): AttributeTable {
  const read = readTable(JSON.stringify(file));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.table;
}

function faultyProducts(table: AttributeTable): [seq: number, code: string, path: string | null][] {
  const details = new Map(table.detalhesAtributos.map((detail) => [detail.codigo, detail]));
  const ncms = new Map(table.listaNcm.map((ncm) => [ncm.codigoNcm, prepare(ncm, details)]));
  return (products as unknown as readonly Product[]).flatMap((product) =>
    check(ncms.get(product.ncm), DAY, product.modalidade, product, product.ncm).map(
      ({ code, path }): [number, string, string | null] => [product.seq, code, path],
    ),
  );
}

describe('the demonstration', () => {
  test('has exactly two products that its second table no longer admits', () => {
    expect(faultyProducts(tableOf(second))).toEqual([
      [2, ATTRIBUTE_CODES.notInDomain.code, '/atributos/0/valor'],
      [6, ATTRIBUTE_CODES.requiredMissing.code, '/atributos'],
    ]);
  });

  test('has a catalogue that is valid under its first table', () => {
    expect(faultyProducts(tableOf(first))).toEqual([]);
    expect(products).toHaveLength(12);
  });

  test('states in each table that it is invented', () => {
    for (const { observacao } of [first, second]) expect(observacao).toContain('inventada');
  });

  /** Members that public readers expect, also of nested attributes (contract section 8). */
  const MEMBERS = [
    ...['codigo', 'nome', 'nomeApresentacao', 'definicao', 'orientacaoPreenchimento', 'formaPreenchimento'],
    ...['dataInicioVigencia', 'dataFimVigencia', 'dominio', 'objetivos', 'orgaos', 'atributoCondicionante'],
    ...['condicionados', 'listaSubatributos'],
  ];
  const CONDITIONAL = ['obrigatorio', 'multivalorado', 'dataInicioVigencia', 'dataFimVigencia'];
  type Written = Record<string, unknown> & {
    readonly condicionados: readonly (Record<string, unknown> & { readonly atributo: Written })[];
    readonly listaSubatributos: readonly Written[];
  };

  /** Returns the missing members of an attribute and its nested ones, and the number of attributes. */
  function missingMembers(
    attribute: Written,
    expected: readonly string[],
  ): { lacks: string[]; count: number } {
    const nested = [
      ...attribute.condicionados.map(({ atributo }) => missingMembers(atributo, [...MEMBERS, ...FLAGS])),
      ...attribute.listaSubatributos.map((sub) => missingMembers(sub, [...MEMBERS, ...FLAGS])),
    ];
    const conditionals = attribute.condicionados.flatMap((one) =>
      CONDITIONAL.filter((name) => !(name in one)),
    );
    const missing = expected.filter((name) => !(name in attribute));
    return {
      lacks: [...missing, ...conditionals, ...nested.flatMap(({ lacks }) => lacks)],
      count: nested.reduce((sum, { count }) => sum + count, 1),
    };
  }

  test.each([
    ['the first', first],
    ['the second', second],
    ['the public-size', JSON.parse(publicTable({ ncms: 10, pairs: 70, attributes: 100 }))],
  ])('has every member of every attribute, nested ones too, in %s table', (_, table) => {
    const details = (table.detalhesAtributos as Written[]).map((detail) => missingMembers(detail, MEMBERS));
    expect(details.flatMap(({ lacks }) => lacks)).toEqual([]);
    expect(details.some(({ count }) => count > 1)).toBe(true);
    for (const { listaAtributos } of table.listaNcm)
      for (const pair of listaAtributos) for (const name of FLAGS) expect(pair).toHaveProperty(name);
  });

  test('has the expected changes between its tables', () => {
    expect(difference(tableOf(first), tableOf(second))).toEqual({
      from: '1',
      to: '2',
      ncms: { added: ['95030010'], removed: [], changed: ['87120010'] },
      attributes: {
        added: ['ATT_90060'],
        removed: ['ATT_90035'],
        changed: [
          { atributo: 'ATT_90001', members: ['dominio'] },
          { atributo: 'ATT_90032', members: ['tamanhoMaximo'] },
        ],
      },
      requiredPairs: {
        added: [
          { ncm: '87120010', atributo: 'ATT_90060', modalidade: 'Exportação' },
          { ncm: '87120010', atributo: 'ATT_90060', modalidade: 'Importação' },
          { ncm: '95030010', atributo: 'ATT_90032', modalidade: 'Importação' },
        ],
        removed: [],
        changed: [],
      },
    });
  });
});
