/** The product as a kind of record with versions (contract section 5): drafts, and no retroactive versions. */
import { notFound, unprocessable } from '../../errors.ts';
import { violated } from '../codes.ts';
import type { CatalogueEvents } from '../event.ts';
import { versionText } from '../version.ts';
import type { Place, Records, VersionedKind } from '../versioned/kind.ts';
import { placeOf, situacaoOf } from '../versioned/model.ts';
import { CODIGO_MAX, type ProductColumns, type ProductContent } from './model.ts';
import { columnsOf } from './record.ts';
import type { ProductRules } from './rules.ts';
import type { ProductStore } from './store.ts';

export type ProductKind = VersionedKind<Place, number, ProductContent, ProductColumns>;

export function productKind(store: ProductStore, rules: ProductRules, events: CatalogueEvents): ProductKind {
  return {
    store: store.versions,
    records: records(store),
    rules,
    hasRetroactiveVersions: false,
    deactivatesAnyVersion: false,
    columnsOf,
    called: ({ codigo }) => `produto ${codigo}`,
    unknown: ({ cpfCnpjRaiz, codigo }) =>
      notFound(`Não existe produto com o código ${codigo} no catálogo de ${cpfCnpjRaiz}.`),
    changed: (deed, { cpfCnpjRaiz, codigo }, version, operacao) => {
      const record = { codigo, versao: versionText(version), situacao: situacaoOf(version) };
      events.productChanged(deed, cpfCnpjRaiz, record, operacao);
    },
  };
}

const records = (store: ProductStore): Records<Place, number, ProductColumns> => ({
  find: ({ cpfCnpjRaiz, codigo }) => store.find(cpfCnpjRaiz, codigo),
  next: ({ cpfCnpjRaiz }) => {
    const slot = store.nextSlot(cpfCnpjRaiz);
    const codigo = placeOf(slot.id);
    const isUsedUp = placeOf(slot.id - 1) === CODIGO_MAX;
    if (isUsedUp) {
      const message = `codigo: o catálogo de ${cpfCnpjRaiz} já usou o último código de produto, ${CODIGO_MAX}.`;
      throw unprocessable([violated('numbersUsedUp', null, message)]);
    }
    return { key: { cpfCnpjRaiz, codigo }, slot };
  },
  reserve: ({ cpfCnpjRaiz, codigo }) => store.slotOf(cpfCnpjRaiz, codigo),
  insert: (slot, _key, version, now) => store.insert(slot, version, now),
  contentChanged: (before, after) => store.replaceInternalCodes(before, after),
});
