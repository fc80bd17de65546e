/**
 * Foreign operator as a kind of record with versions (contract sections 4 and 6): retroactive versions, no
 * drafts.
 */
import { notFound } from '../../errors.ts';
import { formatValue } from '../../validation/format-value.ts';
import type { CatalogueEvents } from '../event.ts';
import { versionText } from '../version.ts';
import type { Records, VersionedKind } from '../versioned/kind.ts';
import { situacaoOf } from '../versioned/model.ts';
import { numeroIn, numeroMadeHere, operatorCodigo } from './codigo.ts';
import type { OperatorTypes } from './model.ts';
import type { OperatorRules } from './rules.ts';
import { columnsOf, contentOf } from './record.ts';
import type { Operator, OperatorStore } from './store.ts';

export function operatorKind(
  store: OperatorStore,
  rules: OperatorRules,
  events: CatalogueEvents,
): VersionedKind<OperatorTypes> {
  return {
    store: store.versions,
    records: records(store),
    rules,
    hasRetroactiveVersions: true,
    deactivatesAnyVersion: true,
    columnsOf,
    contentOf,
    subject: 'operador',
    nameInSentence: ({ codigo }) => `operador ${codigo}`,
    unknownKey: ({ cpfCnpjRaiz, codigoPais, codigo }) =>
      notFound(
        `Não existe operador estrangeiro com o código ${formatValue(codigo)} e o país ${codigoPais} no catálogo de ${cpfCnpjRaiz}.`,
        { member: 'codigo' },
      ),
    otherPlace: ({ codigoPais }, record) => {
      const stored = (record as Operator).codigoPais; // the type that `records` returns
      return stored === codigoPais ? undefined : { path: '/codigoPais', location: `com o país ${stored}` };
    },
    publishChange: (actorTx, { cpfCnpjRaiz, codigoPais, codigo }, version, operacao) => {
      const record = { codigo, codigoPais, versao: versionText(version), situacao: situacaoOf(version) };
      events.operatorChanged(actorTx, cpfCnpjRaiz, record, operacao);
    },
  };
}

const records = (store: OperatorStore): Records<OperatorTypes> => ({
  find: ({ cpfCnpjRaiz, codigo }) => store.find(cpfCnpjRaiz, codigo),
  next: (place) => {
    const codigo = operatorCodigo(store.nextNumero(place.cpfCnpjRaiz, operatorCodigo));
    return { key: { ...place, codigo }, reservedKey: store.nextSlot(place.cpfCnpjRaiz) };
  },
  reserve: ({ cpfCnpjRaiz, codigo }) => {
    const numero = numeroMadeHere(codigo);
    if (numero !== undefined) store.reserveNumero(cpfCnpjRaiz, numero);
    return store.nextSlot(cpfCnpjRaiz);
  },
  insert: (slot, { codigo, codigoPais }, version, now) =>
    store.insert(slot, { codigo, codigoPais, numero: numeroIn(codigo) }, version, now),
});
