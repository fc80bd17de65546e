import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ATTRIBUTE_CODES } from '../../../../src/catalogue/attribute/words/codes.ts';
import { prepare } from '../../../../src/catalogue/attribute/check/prepare.ts';
import { check } from '../../../../src/catalogue/attribute/check/rules.ts';
import { readTable } from '../../../../src/catalogue/attribute/file/table-file.ts';
import { DAY, type File, type Lists, NCM, sample } from './generate.ts';
import { MUTATIONS } from './mutate.ts';

function problemsOf(file: File, lists: Lists): { code: string; path: string | null }[] {
  const read = readTable(JSON.stringify(file));
  if (!read.ok) throw new Error(`a generated table is refused: ${JSON.stringify(read.problems)}`);
  const [ncm] = read.table.listaNcm;
  if (ncm === undefined) throw new Error('a generated table has no NCM');
  const details = new Map(read.table.detalhesAtributos.map((detail) => [detail.codigo, detail]));
  return check(prepare(ncm, details), DAY, 'IMPORTACAO', lists, NCM).map(({ code, path }) => ({
    code,
    path,
  }));
}

/** Least number of samples that each mutation must apply to; fewer would prove nothing. */
const LEAST_APPLIED = 5;

describe('any product of any table', () => {
  for (const [name, mutation] of Object.entries(MUTATIONS))
    test(`has exactly that problem when ${name}`, () => {
      let applied = 0;
      fc.assert(
        fc.property(sample, (drawn) => {
          const mutant = structuredClone(drawn);
          const broken = mutation(mutant, mutant.lists);
          if (broken === undefined) return;
          applied += 1;
          expect(problemsOf(mutant.file, broken.lists)).toEqual([
            { code: ATTRIBUTE_CODES[broken.rule].code, path: broken.path },
          ]);
        }),
        { numRuns: 150 },
      );
      expect(applied).toBeGreaterThan(LEAST_APPLIED);
    });

  test('stays valid after pairs have ended and before others start', () => {
    fc.assert(
      fc.property(sample, fc.boolean(), ({ file, lists }, isOver) => {
        const days = isOver ? { dataFimVigencia: '2026-11-19' } : { dataInicioVigencia: '2026-11-21' };
        for (const { listaAtributos } of file.listaNcm)
          for (const pair of listaAtributos) Object.assign(pair, days);
        expect(problemsOf(file, lists)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test('is accepted if it keeps every rule', () => {
    fc.assert(
      fc.property(sample, ({ file, lists }) => {
        expect(problemsOf(file, lists)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
