/** How records of a kind are read and compared, whichever side they are of. */
import type { MemberText } from '../../catalogue/record.ts';
import type { Db } from '../../db/open.ts';
import type { PairedKind, SendingRules, Side } from './model.ts';

/** What is known of a kind of records: how those of both sides are read, and what may be sent. */
export interface Comparable {
  readonly kind: PairedKind;
  /** Our records, or the one of a key; `undefined` where others may have their turn. */
  readonly ours: (db: Db, cpfCnpjRaiz: string, key?: string) => Iterable<Side | undefined>;
  /** An item of a file, which is an object; `undefined` where it has no code. */
  readonly theirs: (item: Readonly<Record<string, unknown>>) => Side | undefined;
  /** Of whose words pairs are made, one sort after the other. */
  readonly sorts: readonly string[];
  /** Whether a record there with the code and the content of one of ours is that one. */
  readonly pairsByCode: boolean;
  readonly members: (text: string) => ReadonlyMap<string, MemberText>;
  /** A version of ours that may be a past one. */
  readonly version: (db: Db, cpfCnpjRaiz: string, key: string, versao: string) => string | undefined;
  /** Why it cannot be sent, by its content alone. */
  readonly lack: (text: string, rules: SendingRules) => string | undefined;
  /** Why ours can be no new version of the one there. */
  readonly clash?: (text: string, there: string) => string | undefined;
  /** Whether the rules may forbid a second identical one. */
  readonly mayRepeat: boolean;
}

/** As many bits as a JavaScript number holds exactly. */
const FINGERPRINT_BITS = 52;

export const fingerprint = (value: unknown): number =>
  Number(BigInt.asUintN(FINGERPRINT_BITS, BigInt(Bun.hash(JSON.stringify(value)))));
