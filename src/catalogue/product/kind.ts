/** Product as a kind of record with versions (contract section 5): drafts, and no retroactive versions. */
import { notFound, unprocessable } from '../../errors.ts';
import { violated } from '../codes.ts';
import type { CatalogueEvents } from '../event.ts';
import { versionText } from '../version.ts';
import type { Records, VersionedKind } from '../versioned/kind.ts';
import { numberInCompany, situacaoOf } from '../versioned/model.ts';
import type { ProductCodeStore } from './code-store.ts';
import { CODIGO_MAX, type ProductTypes } from './model.ts';
import { columnsOf, contentOf } from './record.ts';
import type { ProductRules } from './rules.ts';
import type { ProductStore } from './store.ts';

export function productKind(
  store: ProductStore,
  codes: ProductCodeStore,
  rules: ProductRules,
  events: CatalogueEvents,
): VersionedKind<ProductTypes> {
  return {
    store: store.versions,
    records: records(store, codes),
    rules,
    hasRetroactiveVersions: false,
    deactivatesAnyVersion: false,
    columnsOf,
    contentOf,
    subject: 'produto',
    nameInSentence: ({ codigo }) => `produto ${codigo}`,
    unknownKey: ({ cpfCnpjRaiz, codigo }) =>
      notFound(`Não existe produto com o código ${codigo} no catálogo de ${cpfCnpjRaiz}.`, {
        member: 'codigo',
      }),
    publishChange: (actorTx, { cpfCnpjRaiz, codigo }, version, operacao) => {
      const record = { codigo, versao: versionText(version), situacao: situacaoOf(version) };
      events.productChanged(actorTx, cpfCnpjRaiz, record, operacao);
    },
  };
}

const records = (store: ProductStore, codes: ProductCodeStore): Records<ProductTypes> => ({
  find: ({ cpfCnpjRaiz, codigo }) => store.find(cpfCnpjRaiz, codigo),
  next: ({ cpfCnpjRaiz }) => {
    const reservedKey = codes.next(cpfCnpjRaiz);
    if (reservedKey !== undefined)
      return { key: { cpfCnpjRaiz, codigo: numberInCompany(reservedKey.id) }, reservedKey };
    const message = `codigo: o catálogo de ${cpfCnpjRaiz} já usou todos os códigos de produto, de 1 a ${CODIGO_MAX}.`;
    throw unprocessable([violated('numbersUsedUp', null, message)]);
  },
  reserve: ({ cpfCnpjRaiz, codigo }) => codes.reserve(cpfCnpjRaiz, codigo),
  insert: (slot, _key, version, now) => store.insert(slot, version, now),
  contentChanged: (before, after) => store.replaceInternalCodes(before, after),
});
