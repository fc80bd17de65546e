/**
 * Counts what each attribute table did to a company's products when it came into force and later: the
 * products that the system deactivated, and those of them that are active again. Only one sweep runs at a
 * time, so a deactivation belongs to the last sweep that started before it.
 */
import type { Db } from '../../db/open.ts';
import { keyIn } from '../versioned/model.ts';
import type { TableEffect } from './model.ts';

export const TABLE_EFFECTS = {
  /** `deactivated_by` as in the index. */
  fallenBefore: `SELECT v.record_id AS product, v.deactivated_at AS at, p.situacao = 'ATIVADO' AS isActive
    FROM product_version v INDEXED BY product_version_by_system JOIN product p ON p.id = v.record_id
    WHERE v.record_id > @first AND v.record_id < @last AND v.deactivated_by = 'sistema'`,
  sweepAt: `SELECT activation_id FROM attribute_sweep INDEXED BY attribute_sweep_that_deactivated
    WHERE deactivated > 0 AND begun_at <= @at ORDER BY begun_at DESC, id DESC LIMIT 1`,
  activation: `SELECT t.id, t.versao, a.on_day AS inForceOn
    FROM attribute_activation a JOIN attribute_table t ON t.id = a.table_id WHERE a.id = @activationId`,
} as const;

/** Version of a product that the system deactivated. */
export interface SystemDeactivation {
  readonly product: number;
  readonly at: number;
  /** 1 if the product is active now. */
  readonly isActive: 0 | 1;
}

/** Number of rows before other reads may run. */
const ROWS_PER_TURN = 1000;

/** `current`: the products that are still deactivated. Past versions are read from the database. */
export function* tableEffects(
  db: Db,
  companyId: number,
  current: readonly SystemDeactivation[],
): Generator<undefined, TableEffect[]> {
  const activationAt = cachedActivations(db);
  // Each product counts once per table, for any number of deactivations.
  const products = new Map<number, Map<number, 0 | 1>>();
  let count = 0;
  for (const { product, at, isActive } of allDeactivations(db, companyId, current)) {
    const activationId = activationAt(at);
    if (activationId !== undefined)
      products.set(activationId, (products.get(activationId) ?? new Map()).set(product, isActive));
    if (++count % ROWS_PER_TURN === 0) yield undefined;
  }
  const find = db.prepare<[object], Pick<TableEffect, 'id' | 'versao' | 'inForceOn'>>(
    TABLE_EFFECTS.activation,
  );
  return [...products]
    .toSorted(([a], [b]) => b - a)
    .flatMap(([activationId, deactivatedProducts]) => {
      const table = find.get({ activationId });
      if (table === undefined) return [];
      const active = [...deactivatedProducts.values()].filter((isActive) => isActive === 1).length;
      return [{ ...table, deactivated: deactivatedProducts.size, active }];
    });
}

/**
 * Yields the deactivations of current versions, then those of past ones. The query of the past ones begins after
 * the last current one: a read that stops earlier has no open query.
 */
function* allDeactivations(
  db: Db,
  companyId: number,
  current: readonly SystemDeactivation[],
): Generator<SystemDeactivation> {
  yield* current;
  const ofCompany = { first: keyIn(companyId, 0), last: keyIn(companyId + 1, 0) };
  yield* db.prepare<[object], SystemDeactivation>(TABLE_EFFECTS.fallenBefore).iterate(ofCompany);
}

/**
 * Returns the activation that caused a deactivation; deactivations in one transaction have the same time.
 */
function cachedActivations(db: Db): (at: number) => number | undefined {
  const sweepAt = db.prepare<[object], number>(TABLE_EFFECTS.sweepAt).pluck();
  const cache = new Map<number, number | undefined>();
  return (at) => {
    if (!cache.has(at)) cache.set(at, sweepAt.get({ at }));
    return cache.get(at);
  };
}
