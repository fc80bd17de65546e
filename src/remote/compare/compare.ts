/**
 * Compares a company's catalogue with the exports of a remote, in a reading Worker. Both sides are loaded into a
 * scratch database; the records are paired, then compared one by one. Each yielded text is a part of the results
 * to store, or the totals at the end. An empty text lets other reads run.
 */
import { rmSync } from 'node:fs';
import type { Db } from '../../db/open.ts';
import type { FileLimits } from '../../files/file-limits.ts';
import { Incomparable, itemsOf } from './items.ts';
import { compareLinks, loadLinks } from './links.ts';
import { judge } from './judge.ts';
import { LeftOpenStore } from './left-open-store.ts';
import {
  COMPARED_FILES,
  type ComparisonEnd,
  type ComparedFiles,
  type Pair,
  type PairedKind,
  type RemoteKind,
  type SendingRules,
} from './model.ts';
import { differences } from './differences.ts';
import { COMPARED_OPERATORS } from './operator.ts';
import { ResultParts } from './parts.ts';
import { PairStore } from './pair-store.ts';
import { COMPARED_PRODUCTS } from './product.ts';
import { type Candidates, type LocalWithRemote, LOCAL, Scratch, REMOTE } from './scratch-store.ts';
import type { Comparable } from './side.ts';

export interface ComparisonRead {
  readonly kind: 'comparison';
  readonly remoteId: number;
  readonly cpfCnpjRaiz: string;
  readonly files: ComparedFiles;
  readonly limits: FileLimits;
  /** Path of the scratch database. It is deleted with the comparison. */
  readonly scratch: string;
  readonly rules: SendingRules;
  /** Continues even when most of the known records are missing in the remote. */
  readonly forced: boolean;
}

const COMPARABLES: readonly Comparable[] = [COMPARED_OPERATORS, COMPARED_PRODUCTS];

/** Records of one turn; then the read yields to others. */
const RECORDS_PER_TURN = 500;

export async function* comparisonTexts(db: Db, read: ComparisonRead): AsyncGenerator<string> {
  const scratch = Scratch.open(read.scratch);
  try {
    yield* runComparison(db, read, scratch);
  } catch (error) {
    if (!(error instanceof Incomparable)) throw error;
    yield JSON.stringify({ failed: { rule: error.rule, message: error.message } } satisfies ComparisonEnd);
  } finally {
    scratch.close();
    rmSync(read.scratch, { force: true }); // a server that starts in parallel clears its folder
  }
}

async function* runComparison(db: Db, read: ComparisonRead, scratch: Scratch): AsyncGenerator<string> {
  const { remoteId, cpfCnpjRaiz, rules } = read;
  const store = new PairStore(db);
  for (const pairs of store.pairs(remoteId, cpfCnpjRaiz)) {
    for (const pair of pairs) scratch.insertKnownPair(pair);
    yield '';
  }
  for (const comparable of COMPARABLES) yield* loadSides(db, read, comparable, scratch);
  yield* loadLinks(db, cpfCnpjRaiz, itemsOf(read, 'vinculo'), scratch);
  scratch.index();
  if (!read.forced) refuseOtherFiles(scratch);
  const pairing = scratch.pairing();
  for (const { kind, pairsByCode, sorts } of COMPARABLES) {
    if (pairsByCode) pairing.pairByCode(kind);
    for (const sort of sorts) pairing.pairByWord(kind, sort);
    pairing.pairByContent(kind);
    pairing.collectUnpaired(kind);
    yield '';
  }
  const leftOpenStore = new LeftOpenStore(db);
  const parts = new ResultParts((record) => leftOpenStore.withOpenStep(remoteId, cpfCnpjRaiz, record));
  for (const comparable of COMPARABLES) {
    const judged = judgeRecords(db, cpfCnpjRaiz, comparable, scratch, rules, parts);
    for (const _ of judged) yield* parts.full();
  }
  for (const _ of compareLinks(scratch, store.pairs(remoteId, cpfCnpjRaiz, 'vinculo'), parts))
    yield* parts.full();
  yield* parts.rest();
  const end = { counts: parts.counts, active: scratch.active(), last: scratch.lastRemoteCodes() };
  yield JSON.stringify(end satisfies ComparisonEnd);
}

async function* loadSides(
  db: Db,
  read: ComparisonRead,
  { kind, readLocal, readRemote }: Comparable,
  scratch: Scratch,
): AsyncGenerator<string> {
  let rows = 0;
  for (const side of readLocal(db, read.cpfCnpjRaiz)) {
    if (side !== undefined) scratch.insert(kind, LOCAL, side);
    if ((rows += 1) % RECORDS_PER_TURN === 0) yield '';
  }
  for await (const { item, place } of itemsOf(read, kind)) {
    const side = readRemote(item);
    if (side === undefined)
      throw new Incomparable(
        'unfitExport',
        `${place} não tem codigo: não é de uma exportação. Envie o arquivo que lá se exporta.`,
      );
    scratch.insert(kind, REMOTE, side);
    if ((rows += 1) % RECORDS_PER_TURN === 0) yield '';
  }
}

/**
 * Throws `Incomparable` when more than half of the known records are missing: these are most likely not the
 * files of this catalogue.
 */
function refuseOtherFiles(scratch: Scratch): void {
  for (const { kind } of COMPARABLES) {
    const { total, missing } = scratch.countKnownPairs(kind);
    if (missing * 2 <= total) continue;
    const [file, what] = [COMPARED_FILES[kind], kind === 'produto' ? 'produtos' : 'operadores'];
    throw new Incomparable(
      'manyMissing',
      `${file}: faltam ${missing} dos ${total} ${what} que se sabia estarem lá, mais da metade. Confira se o arquivo é deste remoto e desta empresa, inteiro e com os desativados; se é, repita mandando seguir mesmo que falte mais da metade.`,
    );
  }
}

function* judgeRecords(
  db: Db,
  cpfCnpjRaiz: string,
  comparable: Comparable,
  scratch: Scratch,
  rules: SendingRules,
  parts: ResultParts,
): Generator<void> {
  const { kind } = comparable;
  for (const page of scratch.localRecords(kind)) {
    for (const localWithRemote of page) {
      const candidates =
        localWithRemote.isPaired === 1 ? NO_CANDIDATES : scratch.candidates(kind, localWithRemote);
      const { state, reason } = judge(
        comparable,
        localWithRemote,
        scratch,
        rules,
        () => candidates.first.length > 0,
      );
      scratch.putState(kind, localWithRemote, state);
      const hasNoDifferences =
        localWithRemote.remoteKey === null || localWithRemote.remoteText === null || state === 'igual';
      parts.addRecord({
        kind,
        localKey: localWithRemote.key,
        remoteKey: localWithRemote.remoteKey,
        localVersao: localWithRemote.versao,
        remoteVersao: localWithRemote.remoteVersao,
        localFingerprint: localWithRemote.fingerprint,
        remoteFingerprint: localWithRemote.remoteFingerprint,
        name: localWithRemote.name,
        state,
        reason: state === 'ambiguo' ? candidatesWords(candidates) : reason,
        differences: hasNoDifferences ? [] : differences(db, cpfCnpjRaiz, comparable, localWithRemote),
        candidates: state === 'ambiguo' ? candidates.first : [],
      });
      const pair = pairOf(kind, localWithRemote);
      if (pair !== undefined) parts.addPair(pair);
    }
    yield;
  }
  for (const page of scratch.unpairedRemote(kind)) {
    for (const { key, versao, fingerprint, name, identity } of page) {
      if (scratch.isCandidate(kind, { key, identity })) continue; // listed as a candidate
      const twin = scratch.pairedTwin(kind, identity);
      const reason = twin === undefined ? null : twinWords(kind, twin);
      parts.addRecord({
        kind,
        localKey: null,
        remoteKey: key,
        localVersao: null,
        remoteVersao: versao,
        localFingerprint: null,
        remoteFingerprint: fingerprint,
        name,
        state: 'soLa',
        reason,
        differences: [],
        candidates: [],
      });
    }
    yield;
  }
}

const NO_CANDIDATES: Candidates = { first: [], atLeast: 0 };

/** Returns a text that not all candidates are listed. `null`: all are listed. */
const candidatesWords = ({ first, atLeast }: Candidates): string | null =>
  atLeast > first.length
    ? `há ao menos ${atLeast} candidatos lá; são mostrados os ${first.length} primeiros`
    : null;

/**
 * Describes the identical record. The second of two identical remote records may be a late result of an
 * earlier request.
 */
const twinWords = (kind: PairedKind, { localKey, remoteKey }: Pick<Pair, 'localKey' | 'remoteKey'>): string =>
  `igual ao ${codeOf(kind, localKey)} daqui, que lá é o ${codeOf(kind, remoteKey ?? '')}`;

const codeOf = (kind: PairedKind, key: string): string => (kind === 'produto' ? String(Number(key)) : key);

/**
 * Returns the pair to store: a new pair, or a new base when both sides agree. `undefined`: nothing to
 * store.
 */
function pairOf(kind: RemoteKind, localWithRemote: LocalWithRemote): Pair | undefined {
  const { key: localKey, remoteKey, fingerprint, remoteFingerprint, baseLocal, baseRemote } = localWithRemote;
  if (remoteKey === null) return undefined;
  const base = { versao: localWithRemote.baseVersao, local: baseLocal, remote: baseRemote };
  if (fingerprint !== remoteFingerprint)
    return localWithRemote.isKnown === 1 ? undefined : { kind, localKey, remoteKey, base };
  if (fingerprint === baseLocal && fingerprint === baseRemote) return undefined;
  return {
    kind,
    localKey,
    remoteKey,
    base: { versao: localWithRemote.versao, local: fingerprint, remote: fingerprint },
  };
}
