/** Corrections of a sheet that the page sends (contract section 24). */
import { describe, expect, test } from 'bun:test';
import type { ImportReason } from '../../../src/web/api/answers.ts';
import {
  NOTHING_CHOSEN,
  type ChosenCorrections,
  correctionsOf,
  fixesOf,
  isMemorable,
  leavingOut,
  reasonKey,
} from '../../../src/web/importar/importacao/chosen-corrections.ts';

const REASON: ImportReason = {
  reason: 'PUCX-ER0010',
  heading: 'Aplicação',
  member: 'modalidade',
  message: 'recebido "REVENDA".',
  label: null,
  count: 3,
  rows: [2, 3, 4],
  received: [
    { value: 'REVENDA', count: 2 },
    { value: '', count: 1 },
  ],
  accepted: ['Importação'],
  parts: [],
  ambiguous: null,
} as unknown as ImportReason;

const chosen = (some: Partial<ChosenCorrections>): ChosenCorrections => ({ ...NOTHING_CHOSEN, ...some });
const keyOf = (reason: ImportReason, received?: string): string =>
  fixesOf(reason).find((fix) => fix.received === received)?.key ?? '';

describe('an answer', () => {
  test('by a value that is wrong in any column applies to the whole sheet, one for empty cells only for their reason', () => {
    const fixes = { [keyOf(REASON, 'REVENDA')]: 'Importação', [keyOf(REASON, '')]: 'Importação' };
    const remembered = { [reasonKey(REASON)]: true };
    expect(correctionsOf([REASON], chosen({ fixes, remembered }))).toEqual([
      { member: 'modalidade', map: { REVENDA: 'Importação' }, remember: true },
      { reason: 'PUCX-ER0010', member: 'modalidade', map: { '': 'Importação' } },
    ]);
  });

  test('by a value that only this rule refuses applies to its rows', () => {
    const long = { ...REASON, reason: 'CATP-ER1106' };
    const fixes = { [keyOf(long, 'REVENDA')]: 'Importação' };
    expect(correctionsOf([long], chosen({ fixes }))).toEqual([
      { reason: 'CATP-ER1106', member: 'modalidade', map: { REVENDA: 'Importação' } },
    ]);
  });

  test('that empties cells or skips rows takes precedence over a value, and is not remembered', () => {
    const fixes = { [keyOf(REASON, 'REVENDA')]: 'Importação' };
    const remembered = { [reasonKey(REASON)]: true };
    const set = (removal: 'empty' | 'skip') =>
      correctionsOf(
        [REASON],
        chosen({ fixes, remembered, removals: { [keyOf(REASON, 'REVENDA')]: removal } }),
      );
    expect(set('empty')).toEqual([{ member: 'modalidade', map: { REVENDA: null } }]);
    expect(set('skip')).toEqual([{ member: 'modalidade', map: { REVENDA: { skip: true } } }]);
  });
});

describe('a misplaced value', () => {
  const compound: ImportReason = {
    ...REASON,
    reason: 'CATP-ER1102',
    heading: 'Embalagem',
    member: 'atributo:ATT_1',
    parts: [
      { member: 'atributo:ATT_1/ATT_2', heading: 'Material', accepted: null },
      { member: 'atributo:ATT_1/ATT_3', heading: 'Capacidade', accepted: null },
    ],
  };
  const [fix] = fixesOf(compound);

  test('has one answer, which empties each of its columns, or skips its rows', () => {
    expect(fixesOf(compound)).toHaveLength(1);
    const set = (removal: 'empty' | 'skip') =>
      correctionsOf([compound], chosen({ removals: { [fix?.key ?? '']: removal } }));
    expect(set('empty')).toEqual([
      { reason: 'CATP-ER1102', member: 'atributo:ATT_1/ATT_2', value: null },
      { reason: 'CATP-ER1102', member: 'atributo:ATT_1/ATT_3', value: null },
    ]);
    expect(set('skip')).toEqual([{ reason: 'CATP-ER1102', member: 'atributo:ATT_1', value: { skip: true } }]);
  });

  test('cannot be remembered', () => expect(isMemorable(compound)).toBe(false));
});

test('skipped rows are one entry, or none', () => {
  expect(leavingOut([])).toEqual([]);
  expect(leavingOut([3, 5])).toEqual([{ member: 'cpfCnpjRaiz', rows: [3, 5], value: { skip: true } }]);
});
