import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { guideOf } from '../../../../src/catalogue/attribute/check/example.ts';
import { prepare } from '../../../../src/catalogue/attribute/check/prepare.ts';
import { check } from '../../../../src/catalogue/attribute/check/rules.ts';
import { readTable } from '../../../../src/catalogue/attribute/file/table-file.ts';
import { DAY, sample } from './generate.ts';

test('the generated example of any table is accepted', () => {
  fc.assert(
    fc.property(sample, ({ file }) => {
      const read = readTable(JSON.stringify(file));
      if (!read.ok || read.table.listaNcm[0] === undefined) throw new Error('a generated table is refused');
      const details = new Map(read.table.detalhesAtributos.map((detail) => [detail.codigo, detail]));
      const ncmRules = prepare(read.table.listaNcm[0], details);
      for (const modalidade of ['IMPORTACAO', 'EXPORTACAO', 'AMBOS'] as const) {
        const { example } = guideOf(ncmRules, DAY, modalidade);
        expect(check(ncmRules, DAY, modalidade, example)).toEqual([]);
      }
    }),
    { numRuns: 200 },
  );
});
