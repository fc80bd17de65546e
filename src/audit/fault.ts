/** Describes a fault at one position of the trail, in Portuguese. */
import type { EpochMs } from '../clock.ts';
import { momentText } from '../validation/calendar.ts';
import { SEAL_FILE } from '../db/folder.ts';
import type { OuterSealState } from './outer-seal.ts';
import { isSame } from './seal.ts';
import type { AuditStore, End } from './store.ts';

export interface Fault {
  readonly seq: number;
  readonly message: string;
}

/** An earlier state of the trail: its last entry at that time, and the hash of the page. */
export interface Witness {
  readonly name: string;
  readonly seq: number;
  readonly hash: Uint8Array;
}

/** Returns the first position at which the trail differs from an earlier state. */
export function faultOfWitness({ name, seq, hash }: Witness, store: AuditStore): Fault | undefined {
  const lastSeq = store.findEnd()?.lastSeq ?? 0;
  if (seq > lastSeq)
    return { seq: lastSeq + 1, message: `${missing(lastSeq + 1, seq)}, que ${name} conhece.` };
  if (seq === 0 || isSame(hash, store.hashAt(seq))) return undefined;
  return { seq, message: `A entrada ${seq}, ou outra antes dela, não é a que ${name} conhece.` };
}

/**
 * Returns the contradiction between the outer seal and a trail. `later`: the seal as read after the trail.
 */
export function faultOfOuter(
  outer: OuterSealState,
  end: Pick<End, 'lastSeq' | 'sealed'>,
  store: AuditStore,
  later = outer,
): Fault | undefined {
  const seq = end.lastSeq + 1;
  if (outer === 'missing' || later === 'missing')
    return {
      seq,
      message: `Falta ${SEAL_FILE}, o selo fora do banco: depois da entrada ${end.lastSeq} podem faltar outras.`,
    };
  if (outer === 'strange' || later === 'strange')
    return {
      seq,
      message: `${SEAL_FILE}, o selo fora do banco, não foi feito com as chaves desta pasta ou foi alterado: depois da entrada ${end.lastSeq} podem faltar outras.`,
    };
  if (later.seq < (end.sealed ?? 0))
    return {
      seq,
      message: `${SEAL_FILE} é um de antes, da entrada ${later.seq}; o último era da ${end.sealed} ou de uma depois: depois da entrada ${end.lastSeq} podem faltar outras.`,
    };
  return faultOfWitness({ name: SEAL_FILE, ...outer }, store);
}

/**
 * Returns true when a restored folder cannot have this seal. It has none until its first start, so a seal
 * that covers more than the trail, or is damaged, belongs to the previous trail of the folder.
 */
export const isOfAnotherTrail = (
  outer: OuterSealState | undefined,
  { lastSeq }: Pick<End, 'lastSeq'>,
): boolean => outer === 'strange' || (typeof outer === 'object' && outer.seq > lastSeq);

/** Returns the fault that every page records after the first one was detected. */
export const faultOfBreak = (brokenAt: number): Fault => ({
  seq: brokenAt,
  message: `Antes da entrada ${brokenAt} a trilha foi alterada por fora do catp: ali podem faltar entradas, e as anteriores podem ser outras.`,
});

export const missing = (from: number, to: number): string =>
  from === to ? `Falta a entrada ${from}` : `Faltam as entradas ${from} a ${to}`;

const LAST_MOMENT = 8.64e15;

/** Handles any value: the stored one may have been changed. */
export const momentOrNothing = (at: EpochMs): string =>
  Math.abs(at) < LAST_MOMENT ? momentText(at) : `um momento impossível (${at})`;
