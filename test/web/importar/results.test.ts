import { describe, expect, test } from 'bun:test';
import type { ImportReason } from '../../../src/web/api/answers.ts';
import {
  NOTHING_CHOSEN,
  correctionsOf,
  fixesOf,
  isMemorable,
  ownRows,
  reasonKey,
  rowKey,
} from '../../../src/web/importar/importacao/chosen-corrections.ts';
import { countsInWords } from '../../../src/web/importar/kinds.ts';
import { rateOf, remainingInWords, withObservation } from '../../../src/web/importar/importacao/pace.ts';
import { itemsOf, textOfItems } from '../../../src/web/importar/importacao/sent-items.ts';
import { zipSync } from 'fflate';

const upload = (name: string, content: string | Uint8Array<ArrayBuffer>) =>
  ({ kind: 'produto', mode: 'lote', file: new File([content], name) }) as const;

describe('the result of an import', () => {
  const counts = { created: 0, newVersion: 0, deactivated: 0, unchanged: 0, failed: 0 };
  test.each([
    [{ created: 1, failed: 2 }, '1 incluído, 2 com erro', '1 seria incluído, 2 com erro'],
    [{ created: 2, newVersion: 1 }, '2 incluídos, 1 nova versão', '2 seriam incluídos, 1 teria nova versão'],
    [
      { newVersion: 1200, deactivated: 1, unchanged: 3 },
      '1.200 novas versões, 1 desativado, 3 inalterados',
      '1.200 teriam nova versão, 1 seria desativado, 3 ficariam como estão',
    ],
    [{}, 'nenhum item', 'nenhum item'],
  ])('is described by its changes: %j', (some, done, would) => {
    const job = { ...counts, ...some, tipo: 'produto' } as const;
    expect(countsInWords({ ...job, simular: false })).toBe(done);
    expect(countsInWords({ ...job, simular: true })).toBe(would);
  });

  test('names no version when links change', () => {
    const job = { ...counts, newVersion: 2, tipo: 'fabricante' } as const;
    expect(countsInWords({ ...job, simular: false })).toBe('2 alterados');
    expect(countsInWords({ ...job, simular: true })).toBe('2 seriam alterados');
  });
});

describe('corrections', () => {
  const reason: ImportReason = {
    reason: 'invalid',
    heading: 'NCM',
    member: 'ncm',
    message: '',
    count: 3,
    rows: [2, 3, 4],
    received: [{ value: '8483', count: 3 }],
    accepted: null,
    ambiguous: null,
    parts: [],
  };
  const [fix] = fixesOf(reason);

  test('of single rows follow the one for all, because the last one takes precedence', () => {
    const values = {
      [rowKey(reason, 'ncm', 3)]: '84835090',
      [rowKey(reason, 'ncm', 4)]: '84835090',
      [rowKey(reason, 'ncm', 2)]: '',
      [fix?.key ?? '']: '84831090',
    };
    expect(correctionsOf([reason], { ...NOTHING_CHOSEN, fixes: values })).toEqual([
      { reason: 'invalid', member: 'ncm', map: { '8483': '84831090' } },
      { reason: 'invalid', member: 'ncm', value: '84835090', rows: [3, 4] },
    ]);
    expect(ownRows(reason, values)).toBe(2);
  });

  test('of a removed reason are not sent', () => {
    const values = { [rowKey(reason, 'ncm', 3)]: '84835090', [fix?.key ?? '']: '84831090' };
    const chosen = { ...NOTHING_CHOSEN, fixes: values, decimals: { ncm: '.' } };
    expect(correctionsOf([{ ...reason, reason: 'other' }], chosen)).toEqual([]);
  });

  test('are remembered when the checkbox is set, never of an empty cell or of a single row', () => {
    const empty = { ...reason, received: [...reason.received, { value: '', count: 1 }] };
    const [ofValue, ofNothing] = fixesOf(empty);
    const fixes = {
      [ofValue?.key ?? '']: '84831090',
      [ofNothing?.key ?? '']: '84835090',
      [rowKey(reason, 'ncm', 3)]: '84835090',
    };
    const remembered = { [reasonKey(reason)]: true };
    expect(correctionsOf([empty], { ...NOTHING_CHOSEN, fixes, remembered })).toEqual([
      { reason: 'invalid', member: 'ncm', map: { '8483': '84831090' }, remember: true },
      { reason: 'invalid', member: 'ncm', map: { '': '84835090' } },
      { reason: 'invalid', member: 'ncm', value: '84835090', rows: [3] },
    ]);
    expect([empty, { ...reason, received: [{ value: '', count: 1 }] }].map(isMemorable)).toEqual([
      true,
      false,
    ]);
  });

  test('of the decimal sign come first and apply to the column', () => {
    const member = 'atributo:ATT_90002';
    const number = { ...reason, member, ambiguous: '1.200', received: [{ value: '1.200', count: 2 }] };
    expect(correctionsOf([number], { ...NOTHING_CHOSEN, decimals: { [member]: ',' } })).toEqual([
      { member, decimal: ',' },
    ]);
    expect(correctionsOf([number], { ...NOTHING_CHOSEN, decimals: { [member]: '' } })).toEqual([]);
  });
});

describe('the pace of an import', () => {
  test('is shown after two moments', () => {
    const first = withObservation([], { at: 1000, processed: 500 });
    expect(rateOf(first)).toBeUndefined();
    const second = withObservation(first, { at: 3000, processed: 1500 });
    expect(rateOf(second)).toBe(500);
    expect(withObservation(second, { at: 9000, processed: 1500 })).toBe(second);
  });

  test.each([
    [10, 10, 'menos de 5 segundos'],
    [50, 10, 'cerca de 5 segundos'],
    [890, 10, 'cerca de 90 segundos'],
    [900, 10, 'cerca de 2 minutos'],
    [36_000 * 3, 10, 'cerca de 3 horas'],
  ])('%d left at %d a second: %s', (remaining, rate, words) =>
    expect(remainingInWords(remaining, rate)).toBe(words),
  );
});

describe('the sent items', () => {
  test('are read from JSON and from all members of a zip, in their order', async () => {
    const encode = (items: unknown) => new TextEncoder().encode(JSON.stringify(items));
    expect(await itemsOf(upload('a.json', '[{"seq":1}]'))).toEqual([{ seq: 1 }]);
    const zip = zipSync({
      'a.json': encode([{ seq: 1 }]),
      'b.json': encode([{ seq: 2 }, { seq: 3 }]),
      'leia.txt': encode('x'),
    });
    expect(await itemsOf(upload('a.zip', zip))).toEqual([{ seq: 1 }, { seq: 2 }, { seq: 3 }]);
    expect(await itemsOf(upload('a.json', '[{'))).toBeUndefined();
  });

  test('return to their lines when some are sent again', () => {
    const text = textOfItems([
      { line: 3, item: { seq: 1 } },
      { line: 3, item: { seq: 2 } },
      { line: 7, item: { seq: 3 } },
    ]);
    expect(JSON.parse(text)).toHaveLength(3);
    expect(text.split('\n').map((line) => line.includes('seq'))).toEqual([
      false,
      false,
      true,
      false,
      false,
      false,
      true,
    ]);
  });
});
