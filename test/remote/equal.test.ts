/**
 * Many equal records (contract section 16: no cost above n log n). A scan of the whole group for each of its
 * records would never end.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HERE, Scratch, THERE } from '../../src/remote/compare/scratch-store.ts';
import type { Side } from '../../src/remote/compare/model.ts';
import type { WhichSide } from '../../src/remote/compare/pairing-store.ts';

/** Each by each of them is 2.5 thousand million. */
const RECORDS = 50_000;
const KIND = 'produto';
const IDENTITY = 7;

let folder: string;
let scratch: Scratch;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'equal-'));
  scratch = Scratch.open(join(folder, 'scratch'));
});
afterEach(() => {
  scratch.close();
  rmSync(folder, { recursive: true });
});

const side = (number: number, members: Partial<Side> = {}): Side => ({
  key: String(number).padStart(10, '0'),
  versao: '1',
  name: 'Caixa',
  situacao: 'ATIVADO',
  whole: IDENTITY,
  identity: IDENTITY,
  text: '{}',
  words: [],
  ...members,
});
const insert = (which: WhichSide, from: number, records: number, members: Partial<Side> = {}): Side[] => {
  const sides = Array.from({ length: records }, (_, at) => side(from + at, members));
  for (const one of sides) scratch.insert(KIND, which, one);
  return sides;
};
const pairAll = (sorts: readonly string[] = []): void => {
  scratch.index();
  const pairing = scratch.pairing();
  pairing.pairByCode(KIND);
  for (const sort of sorts) pairing.pairByWord(KIND, sort);
  pairing.pairByContent(KIND);
  pairing.collectUnpaired(KIND);
};

describe('of equal records', () => {
  test('each has the first ten candidates, and how many there are', () => {
    const ours = insert(HERE, 1, RECORDS);
    const theirs = insert(THERE, 1_000_001, RECORDS);
    pairAll();
    const first = theirs.slice(0, 10).map(({ key }) => key);
    for (const one of ours) {
      const candidates = scratch.candidates(KIND, one);
      if (candidates.atLeast !== RECORDS || candidates.first.length !== 10) throw new Error(one.key);
      if (one === ours[0] || one === ours.at(-1))
        expect(candidates.first.map(({ there }) => there)).toEqual(first);
    }
    expect(theirs.every((one) => scratch.isCandidate(KIND, one))).toBe(true);
  });

  test('none is a candidate that is paired, and none of the paired is walked over', () => {
    const words = [['codigoInterno', 'A']] as const;
    const ours = insert(HERE, 1, RECORDS, { words });
    insert(THERE, RECORDS / 2 + 1, RECORDS / 2, { words });
    pairAll(['codigoInterno']);
    const unpaired = ours.slice(0, RECORDS / 2);
    expect(unpaired.filter((one) => scratch.candidates(KIND, one).atLeast > 0)).toEqual([]);
  });

  test('strangers have no twin, or all the same one', () => {
    const theirs = insert(THERE, 1, RECORDS);
    insert(HERE, RECORDS, 1);
    pairAll();
    const [last] = theirs.slice(-1);
    const pair = { here: last?.key, there: last?.key };
    for (const { key, identity } of theirs.slice(0, -1))
      if (scratch.twinOfStranger(KIND, identity)?.there !== pair.there) throw new Error(key);
    expect(scratch.twinOfStranger(KIND, IDENTITY)).toEqual(pair as { here: string; there: string });
    expect(scratch.twinOfStranger(KIND, 8)).toBeUndefined();
  });

  test('no active twin is looked for among the deactivated by each', () => {
    insert(THERE, 1, RECORDS, { situacao: 'DESATIVADO' });
    const ours = insert(HERE, 1, 2 * RECORDS).slice(RECORDS);
    pairAll();
    expect(ours.filter(({ identity }) => scratch.twinThere(KIND, identity, null) !== undefined)).toEqual([]);
  });

  test('the active twin of a record is another than its own', () => {
    insert(THERE, 1, 2);
    insert(THERE, 3, 1, { identity: 8 });
    pairAll();
    const [first, second, third] = [1, 2, 3].map((number) => side(number).key);
    expect(scratch.twinThere(KIND, IDENTITY, first ?? '')).toBe(second);
    expect(scratch.twinThere(KIND, IDENTITY, second ?? '')).toBe(first);
    expect(scratch.twinThere(KIND, IDENTITY, null)).toBe(first);
    expect(scratch.twinThere(KIND, 8, third ?? '')).toBeUndefined();
  });

  test('the second of two that are new there is found behind any number of drafts', () => {
    const ours = insert(HERE, 1, 2 * RECORDS);
    pairAll();
    for (const [at, one] of ours.entries()) {
      const isDraft = at < RECORDS;
      const twin = isDraft ? undefined : scratch.twinHere(KIND, one.identity);
      scratch.tell(KIND, one, isDraft || twin !== undefined ? 'naoEnviavel' : 'soAqui');
    }
    expect(scratch.twinHere(KIND, IDENTITY)).toBe(ours[RECORDS]?.key);
    expect(scratch.toldOf(KIND, ours.at(-1)?.key ?? '')).toBe('naoEnviavel');
  });

  test('a record there with the words of all of ours is none of them', () => {
    const codes = Array.from({ length: RECORDS }, (_, at) => `C${at}`);
    for (const [at, code] of codes.entries())
      insert(HERE, at + 1, 1, { whole: at, identity: at, words: [['codigoInterno', code]] });
    const words = codes.map((code) => ['codigoInterno', code] as const);
    insert(THERE, 1_000_001, 1, { whole: RECORDS, identity: RECORDS, words });
    pairAll(['codigoInterno']);
    expect(scratch.pairOf(KIND, side(1).key)).toBeUndefined();
    expect(scratch.candidates(KIND, side(1, { identity: 0 })).first).toMatchObject([
      { there: side(1_000_001).key },
    ]);
  });
});
