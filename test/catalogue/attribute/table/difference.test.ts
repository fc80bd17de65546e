import { describe, expect, test } from 'bun:test';
import { difference } from '../../../../src/catalogue/attribute/table/difference.ts';
import type { AttributeTable, Pair } from '../../../../src/catalogue/attribute/words/model.ts';
import { readTable } from '../../../../src/catalogue/attribute/file/table-file.ts';

const pair = (codigo: string, changes: Partial<Pair> = {}): Pair => ({
  codigo,
  modalidade: 'Importação',
  obrigatorio: true,
  multivalorado: false,
  dataInicioVigencia: '2024-01-01',
  dataFimVigencia: '',
  ...changes,
});

function table(versao: string, ncms: Readonly<Record<string, readonly Pair[]>>, size = 5): AttributeTable {
  const codes = [...new Set(Object.values(ncms).flatMap((pairs) => pairs.map(({ codigo }) => codigo)))];
  const read = readTable(
    JSON.stringify({
      versao,
      listaNcm: Object.entries(ncms).map(([codigoNcm, listaAtributos]) => ({ codigoNcm, listaAtributos })),
      detalhesAtributos: codes.map((codigo) => ({
        codigo,
        formaPreenchimento: 'TEXTO',
        tamanhoMaximo: size,
      })),
    }),
  );
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.table;
}

const NOTHING = { added: [], removed: [], changed: [] };
const line = (ncm: string, atributo: string): object => ({ ncm, atributo, modalidade: 'Importação' });

describe('the difference between two tables', () => {
  test('from no table is the whole table', () => {
    expect(
      difference(undefined, table('1', { '05040011': [pair('A'), pair('B', { obrigatorio: false })] })),
    ).toEqual({
      from: null,
      to: '1',
      ncms: { added: ['05040011'], removed: [], changed: [] },
      attributes: { added: ['A', 'B'], removed: [], changed: [] },
      requiredPairs: { added: [line('05040011', 'A')] as never, removed: [], changed: [] },
    });
  });

  test('of the same content in another order, under another version, is empty', () => {
    const before = table('1', { '05040011': [pair('A'), pair('B')], '05040012': [] });
    const after = table('2', { '05040012': [], '05040011': [pair('B'), pair('A')] });
    expect(difference(before, after)).toEqual({
      from: '1',
      to: '2',
      ncms: NOTHING,
      attributes: NOTHING,
      requiredPairs: NOTHING,
    });
  });

  test('contains a pair that becomes required, one that no longer is, and one whose days change', () => {
    const before = table('1', {
      '05040011': [pair('A', { obrigatorio: false }), pair('B'), pair('C')],
      '05040012': [pair('A')],
    });
    const after = table(
      '2',
      {
        '05040011': [
          pair('A', { obrigatorio: false, dataFimVigencia: '2026-12-31' }),
          pair('A', { dataInicioVigencia: '2027-01-01' }),
          pair('B', { obrigatorio: false }),
          pair('C', { dataFimVigencia: '2026-12-31' }),
        ],
      },
      6,
    );
    const { ncms, attributes, requiredPairs } = difference(before, after);
    expect(ncms).toEqual({ added: [], removed: ['05040012'], changed: ['05040011'] });
    expect(attributes.changed).toEqual(
      ['A', 'B', 'C'].map((atributo) => ({ atributo, members: ['tamanhoMaximo'] })),
    );
    expect(requiredPairs as unknown).toEqual({
      added: [line('05040011', 'A')],
      removed: [line('05040011', 'B'), line('05040012', 'A')],
      changed: [line('05040011', 'C')],
    });
  });
});
