/**
 * Orders the operations like the specification, under its section names; the additions of this product
 * follow.
 */
import type { Document, ListedOperation } from './document.ts';

/** Sections of the specification, in its order. */
const SECTIONS = [
  'Produtos',
  'Operadores estrangeiros',
  'Vínculos de fabricantes e produtores',
  'Assinaturas de eventos',
  'Autenticação',
  'Eventos',
];

/** Operation names in the order of its tables. */
const OPERATIONS = [
  ...['listProducts', 'batchProducts', 'includeProduct', 'newProductVersion', 'getProductVersion'],
  ...['deactivateProduct', 'exportProducts'],
  ...['listForeignOperators', 'batchForeignOperators', 'includeForeignOperator', 'newForeignOperatorVersion'],
  ...['newRetroactiveForeignOperatorVersion', 'getForeignOperatorVersion', 'rectifyForeignOperator'],
  ...['deactivateForeignOperator', 'exportForeignOperators'],
  ...['batchLinks', 'linkManufacturer', 'unlinkManufacturer', 'exportLinks'],
  ...['subscribe', 'listSubscriptions', 'changeSubscription', 'unsubscribe', 'listFailures'],
];

export interface Section {
  readonly name: string;
  /** Origin of its operations. */
  readonly about: string;
  /** Operations in the order of the specification; empty for sections that it lacks. */
  readonly specified: readonly ListedOperation[];
  readonly added: readonly ListedOperation[];
}

export function sectionsOf(document: Document, entries: readonly ListedOperation[]): readonly Section[] {
  const listed = document.tags?.map(({ name }) => name) ?? [];
  return [...new Set([...SECTIONS, ...listed, ...entries.map(({ tag }) => tag)])]
    .map((name) => {
      const own = entries.filter(({ tag }) => tag === name);
      return {
        name,
        about: document.tags?.find((tag) => tag.name === name)?.description ?? '',
        specified: own
          .filter(({ id }) => OPERATIONS.includes(id))
          .toSorted(
            (listedOperation, other) => OPERATIONS.indexOf(listedOperation.id) - OPERATIONS.indexOf(other.id),
          ),
        added: own.filter(({ id }) => !OPERATIONS.includes(id)),
      };
    })
    .filter(({ specified, added }) => specified.length + added.length > 0);
}
