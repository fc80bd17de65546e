/** A stored table as a whole again. */
import type { AttributeTable } from '../words/model.ts';
import type { AttributeTableStore, StoredTable } from './store.ts';

export function wholeTable(store: AttributeTableStore, { id, versao }: StoredTable): AttributeTable {
  return {
    versao,
    listaNcm: [...store.iteratePairs(id)],
    detalhesAtributos: [...store.iterateDetails(id)],
  };
}
