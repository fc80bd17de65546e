/** Walks the whole chain, and finds the first place where an entry was changed or is missing (contract section 16). */
import type { EpochMs } from '../clock.ts';
import type { Db } from '../db/open.ts';
import { momentText } from '../validation/calendar.ts';
import { NO_HASH, hashOf, isSame, sealOf } from './seal.ts';
import { AuditStore, type Page, findTrail } from './store.ts';

export interface Verified {
  /** Entries up to the fault, all of them where there is none. */
  readonly entries: number;
  readonly first: EpochMs | undefined;
  readonly last: EpochMs | undefined;
  /** Of the last page, in hexadecimal: it stands for all of them. */
  readonly hash: string;
  /** What is wrong at the first place where anything is, in Portuguese. */
  readonly fault: { readonly seq: number; readonly message: string } | undefined;
}

/** `key`: without it the seal is not looked at. On a connection that sees one moment. */
export function verifyAudit(db: Db, key: Uint8Array | undefined): Verified {
  let [first, last]: Page[] = [];
  const found = (fault: Verified['fault']): Verified => ({
    entries: last?.lastSeq ?? 0,
    first: first?.at,
    last: last?.at,
    hash: Buffer.from(last?.hash ?? NO_HASH).toString('hex'),
    fault,
  });
  const trail = findTrail(db);
  if (trail !== 'there') return found(trail === 'gone' ? GONE : undefined);
  const store = new AuditStore(db);
  let oldest = Number.MAX_SAFE_INTEGER;
  for (const page of store.pages()) {
    const fault = faultOf(page, last);
    if (fault !== undefined) return found(fault);
    first ??= page;
    oldest = Math.min(oldest, page.at);
    last = page;
  }
  return found((last && faultOfEnd(last, key)) ?? faultOfBeginning(store, first, oldest));
}

type Fault = NonNullable<Verified['fault']>;

const GONE: Fault = { seq: 1, message: 'A trilha foi apagada por inteiro: falta a tabela em que ela fica.' };

function faultOf(page: Page, before: Page | undefined): Fault | undefined {
  const { firstSeq, lastSeq, hash } = page;
  const expected = (before?.lastSeq ?? 0) + 1;
  if (firstSeq > expected) return missing(expected, firstSeq - 1, before);
  if (firstSeq < expected)
    return { seq: firstSeq, message: `${called(firstSeq, lastSeq)} foi alterada: seu número se repete.` };
  if (lastSeq >= firstSeq && isSame(hash, hashOf(before?.hash ?? NO_HASH, page))) return undefined;
  return {
    seq: firstSeq,
    message: `${called(firstSeq, lastSeq)}, de ${momentOrNothing(page.at)}, foi alterada${before === undefined ? '' : `, ou o fecho da entrada ${before.lastSeq}, antes dela`}.`,
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
  if (brokenAt === null) return undefined;
  return {
    seq: brokenAt,
    message: `Antes da entrada ${brokenAt} a trilha foi alterada por fora do catp: ali podem faltar entradas, e as anteriores podem ser outras.`,
  };
}

/** Whoever removes all of it lets it begin anew; the products were there before. */
function faultOfBeginning(store: AuditStore, first: Page | undefined, oldest: EpochMs): Fault | undefined {
  if (!store.isAnyRegisteredBefore(oldest)) return undefined;
  const message =
    first === undefined
      ? 'A trilha foi apagada por inteiro: está vazia, e há produtos registrados desde que ela existe.'
      : `O começo da trilha foi apagado: a entrada 1 é de ${momentOrNothing(first.at)}, e há produtos registrados antes, desde que ela existe.`;
  return { seq: 1, message };
}

function missing(from: number, to: number, before: Page | undefined): Fault {
  const what = from === to ? `Falta a entrada ${from}` : `Faltam as entradas ${from} a ${to}`;
  const where =
    before === undefined
      ? 'no começo da trilha'
      : `depois da ${before.lastSeq}, de ${momentOrNothing(before.at)}`;
  return { seq: from, message: `${what}, ${where}.` };
}

const called = (first: number, last: number): string =>
  last > first ? `Uma das entradas ${first} a ${last}, gravadas juntas` : `A entrada ${first}`;

/** Somebody may have written anything there. */
const momentOrNothing = (at: EpochMs): string => {
  const LAST_MOMENT = 8.64e15;
  return Math.abs(at) < LAST_MOMENT ? momentText(at) : `um momento impossível (${at})`;
};
