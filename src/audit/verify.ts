/**
 * Verifies the whole chain, and finds the first position at which an entry was changed or is missing
 * (contract section 16).
 */
import type { EpochMs } from '../clock.ts';
import { FolderMarks, RESTORED_FROM, SEALED_OUTSIDE } from '../db/folder-mark.ts';
import { KEY_FILE } from '../db/folder.ts';
import type { Db } from '../db/open.ts';
import {
  type Fault,
  type Witness,
  faultOfBreak,
  faultOfOuter,
  faultOfWitness,
  isOfAnotherTrail,
  missing,
  momentOrNothing,
} from './fault.ts';
import type { OuterSealState, OuterSeal } from './outer-seal.ts';
import { entriesOf } from './reading.ts';
import { NO_HASH, hashOf, isSame, sealOf } from './seal.ts';
import { AuditStore, type Page, findTrail } from './store.ts';

export interface Verification {
  /** Number of entries before the fault, or of all entries without a fault. */
  readonly entries: number;
  readonly first: EpochMs | undefined;
  readonly last: EpochMs | undefined;
  /** The hash of the last page, in hexadecimal: it covers all pages. */
  readonly hash: string;
  /** Positions at which new keys replaced lost ones. */
  readonly renewals: readonly Renewal[];
  /** The first fault, in Portuguese. */
  readonly fault: Fault | undefined;
}

export interface Renewal {
  readonly seq: number;
  readonly at: EpochMs;
  /** The last entry that the old outer seal proved. `null`: no seal. */
  readonly proved: string | null;
}

export interface Proof {
  /** The key of the seal. `undefined`: the seal of the last page is not verified. */
  readonly key?: Uint8Array | undefined;
  readonly outer?: OuterSeal | undefined;
  readonly witnesses?: readonly Witness[];
}

/**
 * Verifies the chain. Call it in a transaction before any other read: otherwise the outer seal may be newer
 * than the trail.
 */
export function verifyAudit(db: Db, proof: Proof): Verification {
  const sealed = proof.outer?.find();
  if (db.inTransaction) return verified(db, proof, sealed);
  db.exec('BEGIN');
  try {
    return verified(db, proof, sealed);
  } finally {
    db.exec('ROLLBACK');
  }
}

function verified(
  db: Db,
  { key, outer, witnesses = [] }: Proof,
  sealed: OuterSealState | undefined,
): Verification {
  let [first, last]: Page[] = [];
  const renewals: Renewal[] = [];
  const resultWith = (fault: Fault | undefined): Verification => ({
    entries: last?.lastSeq ?? 0,
    first: first?.at,
    last: last?.at,
    hash: Buffer.from(last?.hash ?? NO_HASH).toString('hex'),
    renewals,
    fault,
  });
  const trail = findTrail(db);
  if (trail !== 'present') return resultWith(trail === 'removed' ? REMOVED : undefined);
  const store = new AuditStore(db);
  let oldest = Number.MAX_SAFE_INTEGER;
  for (const page of store.pages()) {
    const fault = faultOf(page, last);
    if (fault !== undefined) return resultWith(fault);
    renewals.push(...renewalsIn(page));
    first ??= page;
    oldest = Math.min(oldest, page.at);
    last = page;
  }
  return resultWith(
    (last && faultOfEnd(last, key)) ??
      faultOfBeginning(store, first, oldest) ??
      faultOutside(db, store, last ?? NOTHING, sealed, outer) ??
      firstOf(witnesses.map((witness) => faultOfWitness(witness, store))),
  );
}

const NOTHING = { lastSeq: 0, sealed: null };

const REMOVED: Fault = {
  seq: 1,
  message: 'A trilha foi apagada por inteiro: falta a tabela em que ela fica.',
};

const firstOf = (faults: readonly (Fault | undefined)[]): Fault | undefined =>
  faults.filter((fault) => fault !== undefined).sort((a, b) => a.seq - b.seq)[0];

function faultOf(page: Page, before: Page | undefined): Fault | undefined {
  const { firstSeq, lastSeq, hash } = page;
  const expected = (before?.lastSeq ?? 0) + 1;
  if (firstSeq > expected) return gap(expected, firstSeq - 1, before);
  if (firstSeq < expected)
    return { seq: firstSeq, message: `${entryText(firstSeq, lastSeq)} foi alterada: seu número se repete.` };
  if (lastSeq >= firstSeq && isSame(hash, hashOf(before?.hash ?? NO_HASH, page))) return undefined;
  return {
    seq: firstSeq,
    message: `${entryText(firstSeq, lastSeq)}, de ${momentOrNothing(page.at)}, foi alterada${before === undefined ? '' : `, ou o fecho da entrada ${before.lastSeq}, antes dela`}.`,
  };
}

function faultOfEnd({ lastSeq, hash, brokenAt, seal }: Page, key: Uint8Array | undefined): Fault | undefined {
  if (seal === null)
    return {
      seq: lastSeq + 1,
      message: `Falta a entrada ${lastSeq + 1}, e talvez outras depois dela: a ${lastSeq} não era a última.`,
    };
  if (key !== undefined && !isSame(sealOf(key, hash), seal))
    return {
      seq: lastSeq,
      message: `A entrada ${lastSeq}, a última, não foi selada com as chaves desta pasta: ela foi alterada, faltam outras depois dela, ou as chaves são outras.`,
    };
  return brokenAt === null ? undefined : faultOfBreak(brokenAt);
}

/** Detects a trail that begins again after its removal: the products existed before. */
function faultOfBeginning(store: AuditStore, first: Page | undefined, oldest: EpochMs): Fault | undefined {
  if (!store.isAnyRegisteredBefore(oldest)) return undefined;
  const message =
    first === undefined
      ? 'A trilha foi apagada por inteiro: está vazia, e há produtos registrados desde que ela existe.'
      : `O começo da trilha foi apagado: a entrada 1 é de ${momentOrNothing(first.at)}, e há produtos registrados antes, desde que ela existe.`;
  return { seq: 1, message };
}

/** Checks the outer seal. The first start of a restored database creates it. */
function faultOutside(
  db: Db,
  store: AuditStore,
  { lastSeq, sealed }: Pick<Page, 'lastSeq' | 'sealed'>,
  outerState: OuterSealState | undefined,
  outer: OuterSeal | undefined,
): Fault | undefined {
  const marks = new FolderMarks(db);
  const isFresh = sealed === null && marks.find(SEALED_OUTSIDE) === undefined;
  if (outerState === undefined || isFresh) return undefined;
  if (marks.find(RESTORED_FROM) !== undefined && !isOfAnotherTrail(outerState, { lastSeq })) return undefined;
  return faultOfOuter(outerState, { lastSeq, sealed }, store, outer?.find());
}

/** Searches the text first: decoding every page would double the time. */
function renewalsIn({ firstSeq, at, entries }: Page): Renewal[] {
  if (!entries.includes(`"${KEY_FILE}"`)) return [];
  return entriesOf([firstSeq, at, entries]).flatMap(({ seq, subject, after }) =>
    subject === `chave ${KEY_FILE}` ? [{ seq, at, proved: typeof after === 'string' ? after : null }] : [],
  );
}

function gap(from: number, to: number, before: Page | undefined): Fault {
  const where =
    before === undefined
      ? 'no começo da trilha'
      : `depois da ${before.lastSeq}, de ${momentOrNothing(before.at)}`;
  return { seq: from, message: `${missing(from, to)}, ${where}.` };
}

const entryText = (first: number, last: number): string =>
  last > first ? `Uma das entradas ${first} a ${last}, gravadas juntas` : `A entrada ${first}`;
