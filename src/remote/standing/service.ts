/** Where products stand at the remotes of their company, for the rest of the product. */
import type { AskedElsewhere } from '../../catalogue/product/filter.ts';
import type { Db } from '../../db/open.ts';
import { refuseRemote } from '../codes.ts';
import { RemoteStore } from '../store.ts';
import { shown } from '../../validation/shown.ts';
import type { RecordAtRemote } from './model.ts';
import { rowOf, standingOf } from './shown.ts';
import { Standings } from './standing.ts';

/** The standings at each remote of a company that has been compared, by the name of the remote. */
export function standingsByRemote(db: Db, cpfCnpjRaiz: string): ReadonlyMap<string, Standings> {
  const found = new Map<string, Standings>();
  for (const { id, name, companies } of new RemoteStore(db).list()) {
    const standings = companies.includes(cpfCnpjRaiz) ? Standings.find(db, id, cpfCnpjRaiz) : undefined;
    if (standings !== undefined) found.set(name, standings);
  }
  return found;
}

/** One row for each remote with which a product has been compared. */
export const rowsOf = (db: Db, cpfCnpjRaiz: string, codigo: number): RecordAtRemote[] =>
  [...standingsByRemote(db, cpfCnpjRaiz)].flatMap(([remote, standings]) => {
    const standing = standings.of(codigo);
    return standing === undefined ? [] : [rowOf(remote, standing)];
  });

/** Those at one remote, which has the company; `undefined`: they have never been compared. Throws 422. */
function standingsAt(db: Db, name: string, cpfCnpjRaiz: string): Standings | undefined {
  const remote = new RemoteStore(db).find(name);
  if (remote?.companies.includes(cpfCnpjRaiz) !== true)
    return refuseRemote(
      'companyElsewhere',
      'remote',
      `recebido ${shown(name)}; não existe remoto com esse nome que tenha a empresa ${cpfCnpjRaiz}.`,
    );
  return Standings.find(db, remote.id, cpfCnpjRaiz);
}

/**
 * The codes of the products that stand there so; `undefined`: all may. `''` where others may have their turn. Throws 422.
 */
export function* codesStanding(
  db: Db,
  cpfCnpjRaiz: string,
  { remote, state }: AskedElsewhere,
): Generator<string, ReadonlySet<number> | undefined> {
  const standings = standingsAt(db, remote, cpfCnpjRaiz);
  if (state === undefined) return undefined;
  return standings === undefined ? new Set() : yield* standings.codesIn(state);
}

/** What is told of each product of a page. Throws 422. */
export function standingAt(db: Db, cpfCnpjRaiz: string, remote: string): (codigo: number) => object | null {
  const standings = standingsAt(db, remote, cpfCnpjRaiz);
  return (codigo) => {
    const standing = standings?.of(codigo);
    return standing === undefined ? null : standingOf(standing);
  };
}
