/** The cost of finding future requirements, counted in descriptions of attributes that are read; today is 2026-01-15. */
import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import { requirementsByNcm } from '../../../../src/catalogue/attribute/deadline/requirements-by-ncm.ts';
import { deadlinesOf } from '../../../../src/catalogue/attribute/deadline/deadlines.ts';
import { AttributeTableStore } from '../../../../src/catalogue/attribute/table/store.ts';
import { COMPANY, include, product, tableFile } from '../support.ts';
import { deadlinesForEachTest } from './support.ts';

const it = deadlinesForEachTest();
const FILTER = { today: '2026-01-15', companies: undefined };
/** More than half of what is remembered of one table. */
const ATTRIBUTES = 1100;

let reads: ReturnType<typeof spyOn<AttributeTableStore, 'getDetail'>>;
beforeEach(() => void (reads = spyOn(AttributeTableStore.prototype, 'getDetail')));
afterEach(() => reads.mockRestore());

const codeOf = (place: number): string => `9${String(place).padStart(7, '0')}`;
const dotted = (code: string): string => `${code.slice(0, 4)}.${code.slice(4, 6)}.${code.slice(6)}`;
const codes = Array.from({ length: 2 * ATTRIBUTES }, (_, place) => codeOf(place));

/** Every attribute stands at two NCMs, with all the others between them. */
const wide = (versao: string, rest: object): object =>
  tableFile(
    versao,
    Object.fromEntries(
      codes.map((code, place) => [dotted(code), [{ codigo: `ATT_${place % ATTRIBUTES}`, ...rest }]]),
    ),
  );

test('each description of the current and future tables is read once, for any number of NCMs', async () => {
  await it.put(wide('1', { obrigatorio: false, to: '2026-01-31' }));
  await it.put(wide('2', { from: '2026-02-01' }), '2026-01-20');
  reads.mockClear();
  const requirementsIn = requirementsByNcm(it.server.app.core.db, FILTER);
  for (const code of codes)
    expect(requirementsIn.of(code)).toMatchObject([{ on: '2026-02-01', kind: 'certain' }]);
  expect(reads).toHaveBeenCalledTimes(2 * ATTRIBUTES);
});

test('the table before the one in force is not read when the announced day is in the future', async () => {
  const announcing = (versao: string, to: string) =>
    tableFile(versao, { '7318.15.00': [{ codigo: 'ATT_1', obrigatorio: false, to }] });
  await it.put(announcing('1', '2026-01-30'));
  await it.put(announcing('2', '2026-01-31'));
  reads.mockClear();
  expect(requirementsByNcm(it.server.app.core.db, FILTER).of('73181500')).toMatchObject([
    { on: '2026-02-01' },
  ]);
  expect(reads.mock.calls).toEqual([[2, 'ATT_1']]);
});

test('other reads run after some NCMs that are not cached yet', async () => {
  const some = codes.slice(0, 60);
  const pair = { codigo: 'ATT_1', obrigatorio: false, to: '2026-01-31' };
  await it.put(tableFile('1', Object.fromEntries(some.map((code) => [dotted(code), [pair]]))));
  for (const code of some) await include(it.demo, product(code));
  let turns = 0;
  const reading = deadlinesOf(it.server.app.core.db, { ...FILTER, companies: [COMPANY] });
  while (reading.next().done !== true) turns += 1;
  expect(turns).toBeGreaterThan(2);
});
