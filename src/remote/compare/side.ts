/** Common form in which the records of both sides are read and compared. */
import type { MemberText } from '../../catalogue/record.ts';
import type { Db } from '../../db/open.ts';
import type { PairedKind, SendingRules, Side } from './model.ts';

/** Defines a kind of records: how each side is read, and what may be sent. */
export interface Comparable {
  readonly kind: PairedKind;
  /** Yields the local records, or the one with `key`. `undefined`: other reads may run. */
  readonly readLocal: (db: Db, cpfCnpjRaiz: string, key?: string) => Iterable<Side | undefined>;
  /** Converts an item of a file. `undefined`: it has no code. */
  readonly readRemote: (item: Readonly<Record<string, unknown>>) => Side | undefined;
  /** Sorts of words that make pairs, in order. */
  readonly sorts: readonly string[];
  /** True when a remote record with the code and the content of a local one matches it. */
  readonly pairsByCode: boolean;
  readonly members: (text: string) => ReadonlyMap<string, MemberText>;
  /** Returns the text of a local version, which may be a past one. */
  readonly version: (db: Db, cpfCnpjRaiz: string, key: string, versao: string) => string | undefined;
  /** Returns why this content cannot be sent. `undefined`: it can be sent. */
  readonly unsendableReason: (text: string, rules: SendingRules) => string | undefined;
  /** Returns why the local record cannot be a new version of the remote one. `undefined`: it can. */
  readonly conflictReason?: (localText: string, remoteText: string) => string | undefined;
  /** True when the remote accepts two records with the same content. */
  readonly allowsIdentical: boolean;
}

/** The bits that a JavaScript number holds exactly. */
const FINGERPRINT_BITS = 52;

export const fingerprintOf = (value: unknown): number =>
  Number(BigInt.asUintN(FINGERPRINT_BITS, BigInt(Bun.hash(JSON.stringify(value)))));
