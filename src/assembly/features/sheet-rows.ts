/** Who applies the rows of a sheet: to products by patches, to all else as items. */
import type { ItemApplier } from '../../catalogue/batch.ts';
import { COLUMNS } from '../../catalogue/sheet/kinds.ts';
import type { SheetOrder } from '../../catalogue/sheet/order.ts';
import { type FoundProduct, productRows } from '../../catalogue/sheet/product-rows.ts';
import { type RecordItem, recordRows } from '../../catalogue/sheet/record-rows.ts';
import { printRecord } from '../../catalogue/foreign-operator/record.ts';
import type { Operator } from '../../catalogue/foreign-operator/store.ts';
import { type LinkRequest, toLink } from '../../catalogue/manufacturer-link/model.ts';
import { contentOf } from '../../catalogue/product/record.ts';
import { versionText } from '../../catalogue/version.ts';
import { placeOf } from '../../catalogue/versioned/model.ts';
import type { Catalogue } from './catalogue.ts';

export function sheetRows(catalogue: Catalogue, order: SheetOrder): ItemApplier {
  const { product, operator, link, concessionAct } = catalogue;
  const columns = COLUMNS[order.tipo];
  switch (order.tipo) {
    case 'produto':
      return productRows(
        {
          ...{ patches: product.patches, items: product.items, schemas: product.schemas },
          namedBy: (...asked) => catalogue.attributes.namedBy(...asked),
          products: {
            find: (cpfCnpjRaiz, codigo) => foundProduct(catalogue, cpfCnpjRaiz, codigo),
            withInternalCodes: (cpfCnpjRaiz, codes) =>
              product.store
                .listWithInternalCodes(cpfCnpjRaiz, codes)
                .map(({ id, situacao }) => ({ codigo: placeOf(id), situacao })),
          },
        },
        order,
      );
    case 'operador-estrangeiro':
      return recordRows(
        {
          ...{ columns, items: operator.items },
          find: (cpfCnpjRaiz, key, text) => {
            const found =
              key === 'codigo'
                ? operator.store.find(cpfCnpjRaiz, text)
                : operator.store.findByInternalCode(cpfCnpjRaiz, text);
            return found && itemOf(cpfCnpjRaiz, found);
          },
        },
        order,
      );
    case 'fabricante':
      return recordRows(
        {
          ...{ columns, items: link.items },
          isThere: (cpfCnpjRaiz, item) => link.changes.isLinked(cpfCnpjRaiz, linkOf(item)),
          named: (cpfCnpjRaiz, member, text) =>
            member !== 'codigoOperadorEstrangeiro' || operator.store.findHead(cpfCnpjRaiz, text)
              ? undefined
              : operator.store.findByName(cpfCnpjRaiz, text)?.codigo,
        },
        order,
      );
    case 'ato-concessorio':
      return recordRows({ columns, items: concessionAct.items }, order);
  }
}

function foundProduct({ product }: Catalogue, cpfCnpjRaiz: string, codigo: number): FoundProduct | undefined {
  const found = product.store.find(cpfCnpjRaiz, codigo);
  return found && { ...contentOf(found), codigo, situacao: found.situacao, versao: versionText(found) };
}

const itemOf = (cpfCnpjRaiz: string, operator: Operator): RecordItem => {
  const {
    seq: _seq,
    dataReferencia: _day,
    ...item
  } = JSON.parse(printRecord.text(operator, { cpfCnpjRaiz, seq: 1 })) as {
    readonly seq: number;
    readonly dataReferencia: null;
  } & RecordItem;
  return item;
};

/** As far as it is one: what it lacks is told by its schema. */
const linkOf = (item: RecordItem) =>
  toLink({ ...item, codigoProduto: Number(item['codigoProduto']) } as LinkRequest);
