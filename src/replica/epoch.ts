/**
 * Epoch of the two machines (contract section 26). A takeover increases it, so a machine that was away
 * learns that its data is no longer current.
 */
import { join } from 'node:path';
import type { EpochMs } from '../clock.ts';
import { EPOCH, FolderMarks, WRITER } from '../db/folder-mark.ts';
import type { Db } from '../db/open.ts';
import type { Transaction } from '../db/writer.ts';
import { OperatorError } from '../errors.ts';
import { readSmallText } from '../system/bounded-file.ts';
import { systemCode } from '../system/errors.ts';
import { placeFile } from '../system/sync-folder.ts';
import { instantOf, momentText } from '../validation/calendar.ts';
import { formatValue } from '../validation/format-value.ts';

export interface Epoch {
  readonly number: number;
  /**
   * The time of the takeover. `null`: the first epoch. It distinguishes two disconnected machines that both
   * took over.
   */
  readonly since: EpochMs | null;
  /** A hash of the folder's writer id. Absent: the other version is older and has none. */
  readonly writer?: string;
}

/** The epoch that the other machine reports. */
export type EpochReport =
  | { readonly kind: 'epoch'; readonly epoch: Epoch }
  /** `Catp-Epoch` holds `text`, which is no epoch, so it may be newer. */
  | { readonly kind: 'unreadable'; readonly text: string };

/** The greatest epoch (contract section 16). */
const EPOCH_MAX = 999_999_999;

/** The epoch of a database without a takeover. */
export const FIRST: Epoch = { number: 1, since: null };
const WRITER_HASH_LETTERS = 16;

export class Epochs {
  readonly #marks: FolderMarks;

  constructor(db: Db) {
    this.#marks = new FolderMarks(db);
  }

  /** Returns the epoch in the database with the current writer. */
  get current(): Epoch {
    const mark = this.#marks.find(EPOCH);
    const epoch = mark === undefined ? FIRST : (JSON.parse(mark) as Epoch); // written by `raise`
    const writer = this.#marks.find(WRITER);
    return writer === undefined ? epoch : { ...epoch, writer: writerHash(writer) };
  }

  /** Starts the next epoch in this transaction. Throws like `nextNumber`. */
  raise(tx: Transaction, by: string, theirs: StoredReport | undefined): Epoch {
    const { current } = this;
    const before = current.number;
    const next: Epoch = { number: nextNumber(current, theirs), since: tx.now };
    this.#marks.put(EPOCH, JSON.stringify(next));
    const [previousText, nextText] = [String(before), String(next.number)];
    tx.record({
      by,
      action: 'SUBSTITUICAO',
      kind: 'epoca',
      key: nextText,
      before: previousText,
      after: nextText,
    });
    return next;
  }
}

/**
 * Returns an epoch above those of both machines. Throws an `OperatorError` when it exceeds `EPOCH_MAX` or
 * the other epoch is unreadable.
 */
export function nextNumber(ours: Epoch, theirs: StoredReport | undefined): number {
  if (theirs?.kind === 'damaged') throw new OperatorError(damagedText(theirs.path));
  const reported = theirs?.kind === 'epoch' ? theirs.epoch.number : 0;
  const next = Math.max(ours.number, reported) + 1;
  if (next <= EPOCH_MAX) return next;
  const remedy =
    ours.number >= EPOCH_MAX
      ? 'Um banco não chega lá por tomadas: restaure um backup de antes (catp restore).'
      : `Quem a disse foi a outra máquina. Se o endereço de replica.par não era o dela, apague ${REPORT_FILE} da pasta e tome o lugar outra vez.`;
  throw new OperatorError(
    `A época ${next - 1} é a última: uma época vai de 1 a ${EPOCH_MAX}, e esta tomada precisaria de uma maior. A época não mudou. ${remedy}`,
  );
}

/** Hashes the writer id, because /readyz must not publish it. */
const writerHash = (id: string): string =>
  new Bun.CryptoHasher('sha256').update(id).digest('hex').slice(0, WRITER_HASH_LETTERS);

/**
 * A stored report that superseded this machine. `ours`: the epoch of this machine at that time; a takeover
 * makes the report obsolete.
 */
export type StoredReport =
  | Extract<EpochReport, { kind: 'epoch' }>
  | (Extract<EpochReport, { kind: 'unreadable' }> & { readonly ours: number })
  /** The file at `path` holds no valid report. */
  | { readonly kind: 'damaged'; readonly path: string };

/** File that holds the report. It is outside the database, which accepts no more writes at that time. */
const REPORT_FILE = 'catp.superseded';

/** Stores a report for the next start, when the other machine may not answer. */
export const storeReport = (folder: string, report: Exclude<StoredReport, { kind: 'damaged' }>): void =>
  placeFile(join(folder, REPORT_FILE), JSON.stringify(report.kind === 'epoch' ? report.epoch : report));

/** Reads the stored report. `undefined`: no other machine has superseded this one. */
export function storedReportIn(folder: string): StoredReport | undefined {
  const path = join(folder, REPORT_FILE);
  let text: string;
  try {
    text = readSmallText(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const report = JSON.parse(text) as Epoch | Extract<StoredReport, { kind: 'unreadable' }>; // by `storeReport`
    if ('kind' in report) return report;
    if (isEpochText(String(report.number))) return { kind: 'epoch', epoch: report };
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error;
  }
  return { kind: 'damaged', path };
}

const damagedText = (path: string): string =>
  `O arquivo ${path} diz que outra máquina tomou o lugar desta, e está danificado: não se sabe em que época ela está. Veja no /readyz dela o cabeçalho Catp-Epoch. Se ela não existe mais, apague o arquivo e rode catp takeover.`;

const isEpochText = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text);

/** Returns the epoch headers, which are the same in every answer of /readyz, even one without details. */
export const epochHeaders = ({ number, since, writer }: Epoch): Readonly<Record<string, string>> => ({
  'Catp-Epoch': String(number),
  ...(since !== null && { 'Catp-Epoch-Since': momentText(since) }),
  ...(writer !== undefined && { 'Catp-Writer': writer }),
});

/**
 * Reads the epoch headers. `undefined`: the answer has no `Catp-Epoch`, because it comes from an older
 * version or another server.
 */
export function epochIn(headers: Readonly<Record<string, unknown>>): EpochReport | undefined {
  const { 'catp-epoch': number, 'catp-epoch-since': since, 'catp-writer': writer } = headers;
  if (number === undefined) return undefined;
  if (typeof number !== 'string' || !isEpochText(number))
    return { kind: 'unreadable', text: formatValue(number) };
  return {
    kind: 'epoch',
    epoch: {
      number: Number(number),
      since: (typeof since === 'string' && instantOf(since)) || null,
      ...(typeof writer === 'string' && /^[\da-f]{16}$/.test(writer) && { writer }),
    },
  };
}

/** Returns why `theirs` supersedes `ours`, in Portuguese. `undefined`: it does not. */
export const supersededBy = (theirs: EpochReport, ours: Epoch): string | undefined =>
  theirs.kind === 'epoch' ? supersededByEpoch(theirs.epoch, ours) : unreadableText(theirs.text);

/** Returns the same for a stored report. */
export function supersededByStored(kept: StoredReport, ours: Epoch): string | undefined {
  if (kept.kind === 'damaged') return damagedText(kept.path);
  return kept.kind === 'unreadable' && kept.ours < ours.number ? undefined : supersededBy(kept, ours);
}

/** Returns the Portuguese message about an unreadable epoch. */
export const unreadableText = (text: string): string =>
  `A outra máquina diz em Catp-Epoch ${text}, que não é uma época (um inteiro de 1 a ${EPOCH_MAX}): não se sabe se ela tomou o lugar desta. Confira em replica.par o endereço e a versão dela; se é esta que fica, rode nela catp takeover.`;

function supersededByEpoch(theirs: Epoch, ours: Epoch): string | undefined {
  if (theirs.number > ours.number) {
    const sinceText = theirs.since === null ? '' : ` em ${momentText(theirs.since)}`;
    return `Esta instância foi substituída${sinceText}; traga-a como seguidora. A outra máquina está na época ${theirs.number}, e esta na ${ours.number}: o que se gravasse aqui se perderia.`;
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
