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
import { OperatorError } from '../errors.ts';
import { systemCode } from '../system/errors.ts';
import { placeFile } from '../system/sync-folder.ts';
import { instantOf, momentText } from '../validation/calendar.ts';
import { shown } from '../validation/shown.ts';

export interface Epoch {
  readonly number: number;
  /** When it was taken over; `null`: never, it is the first. Two machines that are cut off may both take over: this tells them apart. */
  readonly since: EpochMs | null;
  /** A hash of the folder's writer id; absent: an older version, which has none. */
  readonly writer?: string;
}

/** What the other machine says of its epoch. */
export type EpochReport =
  | { readonly kind: 'epoch'; readonly epoch: Epoch }
  /** `Catp-Epoch` holds `text`, which is no epoch: nobody can tell that it is not newer. */
  | { readonly kind: 'unreadable'; readonly text: string };

/** The greatest epoch that there is (contract section 16). */
const EPOCH_MAX = 999_999_999;

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

  /** Makes the next epoch, from this transaction on. Throws as `nextNumber` does. */
  raise(tx: Transaction, by: string, theirs: KeptReport | undefined): Epoch {
    const { current } = this;
    const before = current.number;
    const next: Epoch = { number: nextNumber(current, theirs), since: tx.now };
    this.#marks.put(EPOCH, JSON.stringify(next));
    const [was, is] = [String(before), String(next.number)];
    tx.record({ by, action: 'SUBSTITUICAO', kind: 'epoca', key: is, before: was, after: is });
    return next;
  }
}

/** Returns the epoch above both machines' own. Throws an `OperatorError` where that would be above `EPOCH_MAX`, or theirs cannot be read. */
export function nextNumber(ours: Epoch, theirs: KeptReport | undefined): number {
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

/** The id itself is nobody's business on /readyz. */
const writerHash = (id: string): string =>
  new Bun.CryptoHasher('sha256').update(id).digest('hex').slice(0, WRITER_HASH_LETTERS);

/** A report that ended this machine's turn. `ours`: the epoch of this machine then; a takeover leaves it behind. */
export type KeptReport =
  | Extract<EpochReport, { kind: 'epoch' }>
  | (Extract<EpochReport, { kind: 'unreadable' }> & { readonly ours: number })
  /** The file at `path` holds no report. */
  | { readonly kind: 'damaged'; readonly path: string };

/** Holds such a report; outside the database, to which nothing is written any more by then. */
const REPORT_FILE = 'catp.superseded';

/** Keeps a report over a restart, at which the other machine may not answer. */
export const keepReport = (folder: string, report: Exclude<KeptReport, { kind: 'damaged' }>): void =>
  placeFile(join(folder, REPORT_FILE), JSON.stringify(report.kind === 'epoch' ? report.epoch : report));

/** `undefined`: no other machine ever ended the turn of this one. */
export function keptReportIn(folder: string): KeptReport | undefined {
  const path = join(folder, REPORT_FILE);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const kept = JSON.parse(text) as Epoch | Extract<KeptReport, { kind: 'unreadable' }>; // of `keepReport`
    if ('kind' in kept) return kept;
    if (isEpochNumber(String(kept.number))) return { kind: 'epoch', epoch: kept };
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error;
  }
  return { kind: 'damaged', path };
}

const damagedText = (path: string): string =>
  `O arquivo ${path} diz que outra máquina tomou o lugar desta, e está danificado: não se sabe em que época ela está. Veja no /readyz dela o cabeçalho Catp-Epoch. Se ela não existe mais, apague o arquivo e rode catp takeover.`;

const isEpochNumber = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text);

/** The same in every answer of /readyz, also where nothing else is told. */
export const epochHeaders = ({ number, since, writer }: Epoch): Readonly<Record<string, string>> => ({
  'Catp-Epoch': String(number),
  ...(since !== null && { 'Catp-Epoch-Since': momentText(since) }),
  ...(writer !== undefined && { 'Catp-Writer': writer }),
});

/** `undefined`: the answer has no `Catp-Epoch`, as that of an older version, or of another server. */
export function epochIn(headers: Readonly<Record<string, unknown>>): EpochReport | undefined {
  const { 'catp-epoch': number, 'catp-epoch-since': since, 'catp-writer': writer } = headers;
  if (number === undefined) return undefined;
  if (typeof number !== 'string' || !isEpochNumber(number))
    return { kind: 'unreadable', text: shown(number) };
  return {
    kind: 'epoch',
    epoch: {
      number: Number(number),
      since: (typeof since === 'string' && instantOf(since)) || null,
      ...(typeof writer === 'string' && /^[\da-f]{16}$/.test(writer) && { writer }),
    },
  };
}

/** Returns why what stands in `ours` counts no more, where the other machine reports `theirs`; in Portuguese. */
export const supersededBy = (theirs: EpochReport, ours: Epoch): string | undefined =>
  theirs.kind === 'epoch' ? supersededByEpoch(theirs.epoch, ours) : unreadableText(theirs.text);

/** Returns the same for a report of before. */
export function supersededByKept(kept: KeptReport, ours: Epoch): string | undefined {
  if (kept.kind === 'damaged') return damagedText(kept.path);
  return kept.kind === 'unreadable' && kept.ours < ours.number ? undefined : supersededBy(kept, ours);
}

/** In Portuguese. */
export const unreadableText = (text: string): string =>
  `A outra máquina diz em Catp-Epoch ${text}, que não é uma época (um inteiro de 1 a ${EPOCH_MAX}): não se sabe se ela tomou o lugar desta. Confira em replica.par o endereço e a versão dela; se é esta que fica, rode nela catp takeover.`;

function supersededByEpoch(theirs: Epoch, ours: Epoch): string | undefined {
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
