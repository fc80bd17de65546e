/**
 * Compares local records with the remote records that a user pairs with them. The comparison itself had not
 * paired them, so the remote records are read from the export that it kept.
 */
import type { Db } from '../../db/open.ts';
import type { FileLimits } from '../../files/file-limits.ts';
import { differences } from './differences.ts';
import { Incomparable, itemsOf } from './items.ts';
import type { ComparedFiles, Difference, PairedKind } from './model.ts';
import { COMPARED_OPERATORS } from './operator.ts';
import { COMPARED_PRODUCTS } from './product.ts';

export interface DecidedRead {
  readonly kind: 'decidedPairs';
  readonly cpfCnpjRaiz: string;
  readonly recordKind: PairedKind;
  readonly pairs: readonly { readonly localKey: string; readonly remoteKey: string }[];
  readonly files: Pick<ComparedFiles, 'operadores' | 'produtos'>;
  readonly limits: FileLimits;
}

/** Differences by the key of the remote record. */
export type DecidedDifferences = ReadonlyMap<string, readonly Difference[]>;

/** Number of records after which the read lets other reads run. */
const RECORDS_PER_TURN = 500;

/** Yields the entries of `DecidedDifferences` as one JSON text. Yields an empty text where other reads may run. */
export async function* decidedTexts(db: Db, read: DecidedRead): AsyncGenerator<string> {
  try {
    yield* textsOf(db, read);
  } catch (error) {
    // A newer comparison has just deleted the export. The decisions are then refused.
    if (!(error instanceof Incomparable)) throw error;
    yield '[]';
  }
}

async function* textsOf(db: Db, read: DecidedRead): AsyncGenerator<string> {
  const { cpfCnpjRaiz, recordKind, pairs, limits } = read;
  const comparable = recordKind === 'produto' ? COMPARED_PRODUCTS : COMPARED_OPERATORS;
  const localKeys = new Map(pairs.map(({ localKey, remoteKey }) => [remoteKey, localKey]));
  const entries: [remoteKey: string, Difference[]][] = [];
  const files = { ...read.files, vinculos: '' };
  let records = 0;
  for await (const { item } of itemsOf({ files, limits, cpfCnpjRaiz }, recordKind)) {
    const remote = comparable.readRemote(item);
    const localKey = remote && localKeys.get(remote.key);
    if (remote !== undefined && localKey !== undefined) {
      const [local] = [...comparable.readLocal(db, cpfCnpjRaiz, localKey)].filter(
        (side) => side !== undefined,
      );
      const bases = { baseVersao: null, baseLocal: null, baseRemote: null };
      if (local !== undefined) {
        const pair = { ...local, ...bases, remoteText: remote.text, remoteFingerprint: remote.fingerprint };
        entries.push([remote.key, differences(db, cpfCnpjRaiz, comparable, pair)]);
      }
      localKeys.delete(remote.key);
      if (localKeys.size === 0) break;
    }
    if ((records += 1) % RECORDS_PER_TURN === 0) yield '';
  }
  yield JSON.stringify(entries);
}
