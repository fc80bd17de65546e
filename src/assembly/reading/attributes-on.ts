/** Attributes of an NCM in the table in force on a day, for reads in a Worker. */
import type { Db } from '../../db/open.ts';
import { ActivationStore } from '../../catalogue/attribute/activation/activation-store.ts';
import { attributesOfNcm } from '../../catalogue/attribute/activation/ncm-attributes.ts';
import { PreparedTables } from '../../catalogue/attribute/activation/prepared-tables.ts';
import { AttributeTableStore } from '../../catalogue/attribute/table/store.ts';
import type { AttributesOn } from '../../catalogue/sheet/inspection.ts';

export const attributesOn =
  (db: Db): AttributesOn =>
  (day) => {
    const activation = new ActivationStore(db).list().find(({ onDay }) => onDay <= day);
    if (activation === undefined) return undefined;
    const prepared = new PreparedTables(new AttributeTableStore(db));
    return (ncm) => {
      const rules = prepared.find(activation.tableId, ncm);
      return rules && attributesOfNcm(rules, day, 'AMBOS');
    };
  };
