/**
 * All attributes of a table, for example the one in force on a day, for reads in a Worker without an NCM.
 */
import type { Day } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import { ActivationStore } from '../../catalogue/attribute/activation/activation-store.ts';
import { AttributeTableStore } from '../../catalogue/attribute/table/store.ts';
import type { KnownAttribute, KnownAttributes } from '../../catalogue/sheet/reason-words.ts';

export function knownAttributes(db: Db, day: Day): KnownAttributes {
  return attributesIn(db, () => new ActivationStore(db).list().find(({ onDay }) => onDay <= day)?.tableId);
}

/** `tableOf`: returns the table id. `undefined`: no table. */
export function attributesIn(db: Db, tableOf: () => number | undefined): KnownAttributes {
  let cached: ReadonlyMap<string, KnownAttribute> | undefined;
  return () => (cached ??= attributesOf(db, tableOf()));
}

function attributesOf(db: Db, tableId: number | undefined): ReadonlyMap<string, KnownAttribute> {
  const attributes = new Map<string, KnownAttribute>();
  /** A conditional attribute belongs to the compound of the attribute that it depends on. */
  const add = (detail: KnownAttribute['detail'], compound?: string): void => {
    const { codigo, condicionados, listaSubatributos } = detail;
    if (compound === undefined || !attributes.has(codigo))
      attributes.set(codigo, compound === undefined ? { detail } : { detail, compound });
    for (const { atributo } of condicionados) add(atributo, compound);
    for (const part of listaSubatributos) add(part, codigo);
  };
  if (tableId !== undefined)
    for (const detail of new AttributeTableStore(db).iterateDetails(tableId)) add(detail);
  return attributes;
}
