/** Chooses the table that judges the products to correct, and judges them; runs on a read connection. */
import type { Day } from '../../../clock.ts';
import type { Db } from '../../../db/open.ts';
import { type Problem, unprocessable } from '../../../errors.ts';
import { violated } from '../../codes.ts';
import { type ToMendFilter, tableToMend } from '../../product/filter.ts';
import type { PrintedProduct } from '../../product/record.ts';
import { AttributeTableStore } from '../table/store.ts';
import { ActivationStore } from './activation-store.ts';
import { PreparedTables } from './prepared-tables.ts';
import { futureActivationsOf, problemsUnder } from './scan.ts';

/**
 * Returns the requested table with its future first day, or with today; by default the table in force today.
 * `undefined`: no table is in force. Throws 422.
 */
export function standardOf(db: Db, request: ToMendFilter): { tableId: number; day: Day } | undefined {
  const { day } = request;
  const activations = new ActivationStore(db).list();
  const tableId = tableToMend(request);
  if (tableId === undefined) {
    const inForce = activations.find(({ onDay }) => onDay <= day);
    return inForce && { tableId: inForce.tableId, day };
  }
  const table = new AttributeTableStore(db).find(tableId);
  if (table === undefined) throw unknownTable(`não existe tabela de atributos com o id ${tableId}`);
  // If the rows of the table are deleted, every NCM would count as unknown.
  if (!table.isWhole)
    throw unknownTable(`da tabela de atributos ${table.versao} só está guardado o que ela mudou`);
  const futureActivations = activations.findLast(
    (activation) => activation.tableId === tableId && activation.onDay > day,
  );
  return { tableId, day: futureActivations?.onDay ?? day };
}

const unknownTable = (fact: string) =>
  unprocessable([violated('unknownTable', 'toMend', `${fact}; as carregadas estão na lista de tabelas.`)]);

/** Returns a function that lists the problems of a product, active or not. Throws 422. */
export function judgeOf(db: Db, request: ToMendFilter): (product: PrintedProduct) => readonly Problem[] {
  const standard = standardOf(db, request);
  if (standard === undefined) return () => [];
  const prepared = new PreparedTables(new AttributeTableStore(db));
  const futureActivations = futureActivationsOf(new ActivationStore(db).list(), standard);
  return (product) => {
    const { ncm } = product;
    return ncm === null ? [] : problemsUnder(prepared, standard, futureActivations, { ...product, ncm });
  };
}
