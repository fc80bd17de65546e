import { describe, expect, test } from 'bun:test';
import { ATTRIBUTE_CODES } from '../../../../src/catalogue/attribute/words/codes.ts';
import { type AttributeLists, type Modalidade } from '../../../../src/catalogue/attribute/words/model.ts';
import { prepare } from '../../../../src/catalogue/attribute/check/prepare.ts';
import { check } from '../../../../src/catalogue/attribute/check/rules.ts';
import { readTable } from '../../../../src/catalogue/attribute/file/table-file.ts';
import { NO_ATTRIBUTES } from '../support.ts';
import compounds from './vectors/compounds.json' with { type: 'json' };
import conditions from './vectors/conditions.json' with { type: 'json' };
import pairs from './vectors/pairs.json' with { type: 'json' };
import values from './vectors/values.json' with { type: 'json' };

interface Case {
  readonly name: string;
  readonly ncm: string;
  readonly day: string;
  readonly modalidade: string;
  readonly lists: Partial<AttributeLists>;
  /** Rules and pointers in order; empty if the product is valid. */
  readonly problems: readonly (readonly [keyof typeof ATTRIBUTE_CODES, string])[];
  /** Texts that the messages must contain. */
  readonly says?: readonly string[];
}

interface Vectors {
  readonly rule: string;
  readonly table: unknown;
  readonly cases: readonly Case[];
}

// The JSON files are untyped data; this test defines their shape.
const ALL = [values, pairs, conditions, compounds] as unknown as readonly Vectors[];

for (const { rule, table, cases } of ALL)
  describe(rule, () => {
    const read = readTable(JSON.stringify(table));
    if (!read.ok) throw new Error(`the vectors' table is refused: ${JSON.stringify(read.problems)}`);
    const details = new Map(read.table.detalhesAtributos.map((detail) => [detail.codigo, detail]));
    const prepared = new Map(read.table.listaNcm.map((ncm) => [ncm.codigoNcm, prepare(ncm, details)]));

    for (const { name, ncm, day, modalidade, lists, problems, says = [] } of cases)
      test(`${problems.length > 0 ? 'refuses' : 'accepts'}: ${name}`, () => {
        const actual = check(
          prepared.get(ncm),
          day,
          modalidade as Modalidade,
          { ...NO_ATTRIBUTES, ...lists },
          ncm,
        );
        expect(actual.map(({ code, path }) => [code, path])).toEqual(
          problems.map(([key, path]) => [ATTRIBUTE_CODES[key].code, path]),
        );
        const messages = actual.map(({ message }) => message).join('\n');
        for (const part of says) expect(messages).toContain(part);
        for (const { field, path } of actual) expect(path?.startsWith(`/${field}`)).toBe(true);
      });
  });
