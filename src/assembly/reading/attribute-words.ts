/** Names of the attributes of an NCM and of their values, for a table of products. */
import { PreparedTables } from '../../catalogue/attribute/activation/prepared-tables.ts';
import { AttributeTableStore } from '../../catalogue/attribute/table/store.ts';
import { attributeHeading, attributeText } from '../../catalogue/product/values.ts';
import type { AttributeWords } from '../../catalogue/product/table.ts';
import type { Db } from '../../db/open.ts';

/** `versao`: version of the table. Without one, only codes are returned. */
export function attributeWords(db: Db, versao: string | undefined): AttributeWords {
  const store = new AttributeTableStore(db);
  const tableId = versao === undefined ? undefined : store.findByVersao(versao)?.id;
  const prepared = new PreparedTables(store);
  const slotOf = (ncm: string | null, codigo: string) =>
    tableId === undefined || ncm === null
      ? undefined
      : prepared.find(tableId, ncm)?.scope.byCode.get(codigo)?.attribute;
  const partOf = (whole: ReturnType<typeof slotOf>, part: string) =>
    whole?.subattributes?.byCode.get(part)?.attribute;
  return {
    headingOf: (ncm, codigo, part) => {
      const whole = slotOf(ncm, codigo);
      if (whole === undefined) return part === undefined ? codigo : `${codigo}/${part}`;
      const named = { codigo, name: whole.detail.nomeApresentacao };
      if (part === undefined) return attributeHeading(named);
      return attributeHeading(named, {
        codigo: part,
        name: partOf(whole, part)?.detail.nomeApresentacao ?? part,
      });
    },
    textOf: (ncm, valor, codigo, part) => {
      const whole = slotOf(ncm, codigo);
      return attributeText(valor, (part === undefined ? whole : partOf(whole, part))?.detail);
    },
  };
}
