/**
 * Many equal records (contract section 16: no cost above n log n). A scan of all equal records for each of
 * them would take hours.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOCAL, Scratch, REMOTE } from '../../src/remote/compare/scratch-store.ts';
import type { Side } from '../../src/remote/compare/model.ts';
import type { SideNumber } from '../../src/remote/compare/pairing-store.ts';

/** A comparison of each with each would need 2.5 thousand million steps. */
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
  fingerprint: IDENTITY,
  identity: IDENTITY,
  text: '{}',
  words: [],
  ...members,
});
const insert = (which: SideNumber, from: number, records: number, members: Partial<Side> = {}): Side[] => {
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

describe('among many equal records', () => {
  test('each lists its first ten candidates and their total number', () => {
    const localRecords = insert(LOCAL, 1, RECORDS);
    const remoteRecords = insert(REMOTE, 1_000_001, RECORDS);
    pairAll();
    const first = remoteRecords.slice(0, 10).map(({ key }) => key);
    for (const one of localRecords) {
      const candidates = scratch.candidates(KIND, one);
      if (candidates.atLeast !== RECORDS || candidates.first.length !== 10) throw new Error(one.key);
      if (one === localRecords[0] || one === localRecords.at(-1))
        expect(candidates.first.map(({ there }) => there)).toEqual(first);
    }
    expect(remoteRecords.every((one) => scratch.isCandidate(KIND, one))).toBe(true);
  });

  test('paired ones are no candidates, and the search for candidates skips them', () => {
    const words = [['codigoInterno', 'A']] as const;
    const ours = insert(LOCAL, 1, RECORDS, { words });
    insert(REMOTE, RECORDS / 2 + 1, RECORDS / 2, { words });
    pairAll(['codigoInterno']);
    const unpaired = ours.slice(0, RECORDS / 2);
    expect(unpaired.filter((one) => scratch.candidates(KIND, one).atLeast > 0)).toEqual([]);
  });

  test('unpaired remote ones have either no paired twin, or all the same one', () => {
    const theirs = insert(REMOTE, 1, RECORDS);
    insert(LOCAL, RECORDS, 1);
    pairAll();
    const [last] = theirs.slice(-1);
    const pair = { localKey: last?.key, remoteKey: last?.key };
    for (const { key, identity } of theirs.slice(0, -1))
      if (scratch.pairedTwin(KIND, identity)?.remoteKey !== pair.remoteKey) throw new Error(key);
    expect(scratch.pairedTwin(KIND, IDENTITY)).toEqual(pair as { localKey: string; remoteKey: string });
    expect(scratch.pairedTwin(KIND, 8)).toBeUndefined();
  });

  test('the search for an active twin runs once, not once per record, when all twins are deactivated', () => {
    insert(REMOTE, 1, RECORDS, { situacao: 'DESATIVADO' });
    const ours = insert(LOCAL, 1, 2 * RECORDS).slice(RECORDS);
    pairAll();
    expect(
      ours.filter(({ identity }) => scratch.otherRemoteTwin(KIND, identity, null) !== undefined),
    ).toEqual([]);
  });

  test('the active remote twin of a record is never its own pair', () => {
    insert(REMOTE, 1, 2);
    insert(REMOTE, 3, 1, { identity: 8 });
    pairAll();
    const [first, second, third] = [1, 2, 3].map((number) => side(number).key);
    expect(scratch.otherRemoteTwin(KIND, IDENTITY, first ?? '')).toBe(second);
    expect(scratch.otherRemoteTwin(KIND, IDENTITY, second ?? '')).toBe(first);
    expect(scratch.otherRemoteTwin(KIND, IDENTITY, null)).toBe(first);
    expect(scratch.otherRemoteTwin(KIND, 8, third ?? '')).toBeUndefined();
  });

  test('the second of two new records is found after any number of drafts', () => {
    const ours = insert(LOCAL, 1, 2 * RECORDS);
    pairAll();
    for (const [at, one] of ours.entries()) {
      const isDraft = at < RECORDS;
      const twin = isDraft ? undefined : scratch.firstNewTwin(KIND, one.identity);
      scratch.putState(KIND, one, isDraft || twin !== undefined ? 'naoEnviavel' : 'soAqui');
    }
    expect(scratch.firstNewTwin(KIND, IDENTITY)).toBe(ours[RECORDS]?.key);
    expect(scratch.storedStateOf(KIND, ours.at(-1)?.key ?? '')).toBe('naoEnviavel');
  });

  test('a remote record with the codes of all local records is paired with none of them', () => {
    const codes = Array.from({ length: RECORDS }, (_, at) => `C${at}`);
    for (const [at, code] of codes.entries())
      insert(LOCAL, at + 1, 1, { fingerprint: at, identity: at, words: [['codigoInterno', code]] });
    const words = codes.map((code) => ['codigoInterno', code] as const);
    insert(REMOTE, 1_000_001, 1, { fingerprint: RECORDS, identity: RECORDS, words });
    pairAll(['codigoInterno']);
    expect(scratch.pairOf(KIND, side(1).key)).toBeUndefined();
    expect(scratch.candidates(KIND, side(1, { identity: 0 })).first).toMatchObject([
      { there: side(1_000_001).key },
    ]);
  });
});
