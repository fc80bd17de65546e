/**
 * What each attribute table did to a company's products when it came into force, or since: which the system deactivated,
 * and which of those are active again. A deactivation carries its moment, and one sweep at a time deactivates: it is
 * of the last one that had begun then.
 */
import type { Db } from '../../db/open.ts';
import { keyIn } from '../versioned/model.ts';
import type { TableEffect } from './model.ts';

export const TABLE_EFFECTS = {
  /** `deactivated_by` as the index has it. */
  fallenBefore: `SELECT v.record_id AS product, v.deactivated_at AS at, p.situacao = 'ATIVADO' AS isActive
    FROM product_version v INDEXED BY product_version_by_system JOIN product p ON p.id = v.record_id
    WHERE v.record_id > @first AND v.record_id < @last AND v.deactivated_by = 'sistema'`,
  sweepAt: `SELECT activation_id FROM attribute_sweep INDEXED BY attribute_sweep_that_deactivated
    WHERE deactivated > 0 AND begun_at <= @at ORDER BY begun_at DESC, id DESC LIMIT 1`,
  activation: `SELECT t.id, t.versao, a.on_day AS inForceOn
    FROM attribute_activation a JOIN attribute_table t ON t.id = a.table_id WHERE a.id = @activationId`,
} as const;

/** A version of a product that the system deactivated. */
export interface Fallen {
  readonly product: number;
  readonly at: number;
  /** 1 where the product is active now. */
  readonly isActive: 0 | 1;
}

/** Rows after which others may have their turn. */
const STRETCH = 1000;

/** `current` are the products that are deactivated still; the others are looked for. */
export function* tableEffects(
  db: Db,
  companyId: number,
  current: readonly Fallen[],
): Generator<undefined, TableEffect[]> {
  const ofCompany = { first: keyIn(companyId, 0), last: keyIn(companyId + 1, 0) };
  const before = db.prepare<[object], Fallen>(TABLE_EFFECTS.fallenBefore).iterate(ofCompany);
  const activationAt = remembered(db);
  // Each product once, however often it fell under the same table.
  const products = new Map<number, Map<number, 0 | 1>>();
  let seen = 0;
  for (const some of [current, before])
    for (const { product, at, isActive } of some) {
      const activationId = activationAt(at);
      if (activationId !== undefined)
        products.set(activationId, (products.get(activationId) ?? new Map()).set(product, isActive));
      if (++seen % STRETCH === 0) yield undefined;
    }
  const find = db.prepare<[object], Pick<TableEffect, 'id' | 'versao' | 'inForceOn'>>(
    TABLE_EFFECTS.activation,
  );
  return [...products]
    .toSorted(([one], [other]) => other - one)
    .flatMap(([activationId, fell]) => {
      const table = find.get({ activationId });
      if (table === undefined) return [];
      const active = [...fell.values()].filter((isActive) => isActive === 1).length;
      return [{ ...table, deactivated: fell.size, active }];
    });
}

/** Which activation a deactivation is of; those of one transaction have the same moment. */
function remembered(db: Db): (at: number) => number | undefined {
  const sweepAt = db.prepare<[object], number>(TABLE_EFFECTS.sweepAt).pluck();
  const known = new Map<number, number | undefined>();
  return (at) => {
    if (!known.has(at)) known.set(at, sweepAt.get({ at }));
    return known.get(at);
  };
}
