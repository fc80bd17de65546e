/** Standings of products at the remotes of their company, for other features. */
import type { RemoteFilter } from '../../catalogue/product/filter.ts';
import type { Db } from '../../db/open.ts';
import { refuseRemote } from '../codes.ts';
import { RemoteStore } from '../store.ts';
import { momentText } from '../../validation/calendar.ts';
import { formatValue } from '../../validation/format-value.ts';
import { codeOfKey } from '../forms.ts';
import type { RecordAtRemote } from './model.ts';
import { type Standing, Standings } from './standing.ts';

/** Returns the standings at each compared remote of a company, by the name of the remote. */
export function standingsByRemote(db: Db, cpfCnpjRaiz: string): ReadonlyMap<string, Standings> {
  const byRemote = new Map<string, Standings>();
  for (const { id, name, companies } of new RemoteStore(db).list()) {
    const standings = companies.includes(cpfCnpjRaiz) ? Standings.find(db, id, cpfCnpjRaiz) : undefined;
    if (standings !== undefined) byRemote.set(name, standings);
  }
  return byRemote;
}

/** Returns one row for each remote with which the product has been compared. */
export const rowsOf = (db: Db, cpfCnpjRaiz: string, codigo: number): RecordAtRemote[] =>
  [...standingsByRemote(db, cpfCnpjRaiz)].flatMap(([remote, standings]) => {
    const standing = standings.find(codigo);
    return standing === undefined ? [] : [rowOf(remote, standing)];
  });

/**
 * Returns the standings at one remote that has the company. `undefined`: they have never been compared.
 * Throws 422.
 */
function standingsAt(db: Db, name: string, cpfCnpjRaiz: string): Standings | undefined {
  const remote = new RemoteStore(db).find(name);
  if (remote?.companies.includes(cpfCnpjRaiz) !== true)
    return refuseRemote(
      'companyElsewhere',
      'remote',
      `recebido ${formatValue(name)}; não existe remoto com esse nome que tenha a empresa ${cpfCnpjRaiz}.`,
    );
  return Standings.find(db, remote.id, cpfCnpjRaiz);
}

/**
 * Yields the codes of the products with this standing. `undefined`: no restriction. `''`: other reads may
 * run. Throws 422.
 */
export function* codesInState(
  db: Db,
  cpfCnpjRaiz: string,
  { remote, state }: RemoteFilter,
): Generator<string, ReadonlySet<number> | undefined> {
  const standings = standingsAt(db, remote, cpfCnpjRaiz);
  if (state === undefined) return undefined;
  return standings === undefined ? new Set() : yield* standings.codesIn(state);
}

/** Returns a function that returns the standing of each product of a page. Throws 422. */
export function standingAt(db: Db, cpfCnpjRaiz: string, remote: string): (codigo: number) => object | null {
  const standings = standingsAt(db, remote, cpfCnpjRaiz);
  return (codigo) => {
    const standing = standings?.find(codigo);
    return standing === undefined ? null : standingOf(standing);
  };
}

function rowOf(remote: string, standing: Standing): RecordAtRemote {
  const { reason, comparison, run } = standing;
  return { remote, ...standingOf(standing), reason, comparison, run };
}

/** Returns the response form of a standing. */
const standingOf = ({ remoteKey, remoteVersao, state, since }: Standing) => ({
  remoteCodigo: remoteKey === null ? null : codeOfKey('produto', remoteKey),
  remoteVersao,
  state,
  since: momentText(since),
});
