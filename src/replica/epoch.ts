/**
 * Which machine's turn it is (contract section 26): counted up where another takes over, so that one that was away finds out
 * that what it has is not what counts any more.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EpochMs } from '../clock.ts';
import { EPOCH, FolderMarks, WRITER } from '../db/folder-mark.ts';
import type { Db } from '../db/open.ts';
import type { Transaction } from '../db/writer.ts';
import { systemCode } from '../system/errors.ts';
import { placeFile } from '../system/sync-folder.ts';
import { instantOf, momentText } from '../validation/calendar.ts';

export interface Epoch {
  readonly number: number;
  /** When it was taken over; `null`: never, it is the first. Two machines that are cut off may both take over: this tells them apart. */
  readonly since: EpochMs | null;
  /** A hash of the folder's writer id; absent: an older version, which has none. */
  readonly writer?: string;
}

/** The epoch of a database that no takeover ever counted. */
export const FIRST: Epoch = { number: 1, since: null };
const WRITER_HASH_LETTERS = 16;

export class Epochs {
  readonly #marks: FolderMarks;

  constructor(db: Db) {
    this.#marks = new FolderMarks(db);
  }

  /** The epoch in the database, with the writer of now. */
  get current(): Epoch {
    const mark = this.#marks.find(EPOCH);
    const epoch = mark === undefined ? FIRST : (JSON.parse(mark) as Epoch); // of `raise`
    const writer = this.#marks.find(WRITER);
    return writer === undefined ? epoch : { ...epoch, writer: writerHash(writer) };
  }

  /** The next one, from this transaction on, above what is known of the other machine's. */
  raise(tx: Transaction, by: string, theirs = 0): Epoch {
    const before = this.current.number;
    const next: Epoch = { number: Math.max(before, theirs) + 1, since: tx.now };
    this.#marks.put(EPOCH, JSON.stringify(next));
    const [was, is] = [String(before), String(next.number)];
    tx.record({ by, action: 'SUBSTITUICAO', kind: 'epoca', key: is, before: was, after: is });
    return next;
  }
}

/** The id itself is nobody's business on /readyz. */
const writerHash = (id: string): string =>
  new Bun.CryptoHasher('sha256').update(id).digest('hex').slice(0, WRITER_HASH_LETTERS);

/** What the other machine told when it had taken over; outside the database, to which nothing is written any more by then. */
const HEARD_FILE = 'catp.superseded';

/** Kept over a restart, at which the other may not answer: whose turn is over does not forget it. */
export const keepHeard = (folder: string, theirs: Epoch): void =>
  placeFile(join(folder, HEARD_FILE), JSON.stringify(theirs));

/** `undefined`: nobody has ever told this machine that its turn is over. */
export function heardIn(folder: string): Epoch | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, HEARD_FILE), 'utf8')) as Epoch; // of `keepHeard`
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The same in every answer of /readyz, also where nothing else is told. */
export const epochHeaders = ({ number, since, writer }: Epoch): Readonly<Record<string, string>> => ({
  'Catp-Epoch': String(number),
  ...(since !== null && { 'Catp-Epoch-Since': momentText(since) }),
  ...(writer !== undefined && { 'Catp-Writer': writer }),
});

/** `undefined`: whoever answered is none of us, or an older build. */
export function epochIn(headers: Readonly<Record<string, unknown>>): Epoch | undefined {
  const { 'catp-epoch': number, 'catp-epoch-since': since, 'catp-writer': writer } = headers;
  if (typeof number !== 'string' || !/^[1-9]\d{0,8}$/.test(number)) return undefined;
  return {
    number: Number(number),
    since: (typeof since === 'string' && instantOf(since)) || null,
    ...(typeof writer === 'string' && /^[\da-f]{16}$/.test(writer) && { writer }),
  };
}

/** Why what stands in `ours` counts no more, where the other machine is in `theirs`; in Portuguese. */
export function supersededBy(theirs: Epoch, ours: Epoch): string | undefined {
  if (theirs.number > ours.number) {
    const since = theirs.since === null ? '' : ` em ${momentText(theirs.since)}`;
    return `Esta instância foi substituída${since}; traga-a como seguidora. A outra máquina está na época ${theirs.number}, e esta na ${ours.number}: o que se gravasse aqui se perderia.`;
  }
  if (theirs.number < ours.number) return undefined;
  if (theirs.since !== ours.since)
    return `As duas máquinas tomaram a época ${ours.number}, cada uma por si: ${DECIDE}`;
  const isSameWriter =
    theirs.writer === undefined || ours.writer === undefined || theirs.writer === ours.writer;
  return isSameWriter
    ? undefined
    : `A outra máquina atende na mesma época ${ours.number}, com outra pasta que também grava: ${DECIDE}`;
}

const DECIDE =
  'cada uma pode ter gravações que a outra não tem. Decida qual fica e rode nela catp takeover; traga a outra como seguidora.';
