/** Appliers of sheet rows: patches for products, items for all other kinds. */
import type { ItemApplier } from '../../catalogue/batch.ts';
import { COLUMNS } from '../../catalogue/sheet/kinds.ts';
import type { SheetInstructions } from '../../catalogue/sheet/instructions.ts';
import { type StoredProduct, type ProductFinder, productRows } from '../../catalogue/sheet/product-rows.ts';
import { type LinkRow, linkRows } from '../../catalogue/sheet/link-rows.ts';
import { type StoredRecord, recordRows } from '../../catalogue/sheet/record-rows.ts';
import { type PrintedOperator, printRecord } from '../../catalogue/foreign-operator/record.ts';
import { type LinkRequest, toLink } from '../../catalogue/manufacturer-link/model.ts';
import { contentOf } from '../../catalogue/product/record.ts';
import { versionText } from '../../catalogue/version.ts';
import { numberInCompany, situacaoOf } from '../../catalogue/versioned/model.ts';
import type { Catalogue } from './catalogue.ts';
import type { ZipInstructions } from '../../catalogue/import/model.ts';
import { zippedApplier } from '../../catalogue/sheet/zipped-sheets.ts';
import { importAppliers } from './import.ts';

export function sheetRows(catalogue: Catalogue, instructions: SheetInstructions): ItemApplier {
  const { product, operator, link, concessionAct } = catalogue;
  const columns = COLUMNS[instructions.tipo];
  switch (instructions.tipo) {
    case 'produto':
      return productRows(
        {
          patches: product.patches,
          items: product.items,
          schemas: product.schemas,
          attributesOfNcm: (...query) => catalogue.attributes.attributesOfNcm(...query),
          products: productFinder(catalogue),
        },
        instructions,
      );
    case 'operador-estrangeiro':
      return recordRows(
        {
          columns,
          items: operator.items,
          find: (cpfCnpjRaiz, key, text) => {
            const { store } = operator;
            const operators =
              key === 'codigo'
                ? [store.find(cpfCnpjRaiz, text)]
                : store.listWithInternalCode(cpfCnpjRaiz, text);
            return operators.flatMap((one) => (one === undefined ? [] : [itemOf(cpfCnpjRaiz, one)]));
          },
          findAt: (cpfCnpjRaiz, { codigo, codigoPais }, number) => {
            const key = { cpfCnpjRaiz, codigo, codigoPais };
            const version = operator.lookUp.getVersion(key, operator.lookUp.get(key), number);
            return itemOf(cpfCnpjRaiz, { ...version, codigo, codigoPais, situacao: situacaoOf(version) });
          },
        },
        instructions,
      );
    case 'fabricante':
      return linkRows(
        {
          items: link.items,
          products: productFinder(catalogue),
          isLinked: (cpfCnpjRaiz, row) => link.changes.isLinked(cpfCnpjRaiz, linkOf(row)),
          findOperators: (cpfCnpjRaiz, text, codigoPais) => {
            const head = operator.store.findHead(cpfCnpjRaiz, text);
            if (head !== undefined) return [{ ...head, codigo: text }];
            const named = operator.store.listActiveWithName(cpfCnpjRaiz, text);
            const countryMatches = named.filter((one) => one.codigoPais === codigoPais);
            return countryMatches.length > 0 ? countryMatches : named;
          },
        },
        instructions,
      );
    case 'ato-concessorio':
      return recordRows({ columns, items: concessionAct.items }, instructions);
  }
}

/** Returns the applier of a zip with sheets. */
export function zipRows(
  catalogue: Catalogue,
  { tipo, sheets }: ZipInstructions<SheetInstructions>,
): ItemApplier {
  const appliers = new Map(
    sheets.map(({ member, order: instructions }) => [member, sheetRows(catalogue, instructions)]),
  );
  return zippedApplier(appliers, importAppliers(catalogue)[tipo]);
}

function productFinder(catalogue: Catalogue): ProductFinder {
  const { store } = catalogue.product;
  return {
    find: (cpfCnpjRaiz, codigo) => foundProduct(catalogue, cpfCnpjRaiz, codigo),
    knownCodes: (cpfCnpjRaiz, codes) => store.listUsedCodes(cpfCnpjRaiz, codes),
    hasCodesWithZeros: (cpfCnpjRaiz) => store.hasCodesWithZeros(cpfCnpjRaiz),
    withInternalCodes: (cpfCnpjRaiz, codes) =>
      store
        .listWithInternalCodes(cpfCnpjRaiz, codes)
        .map(({ id, situacao }) => ({ codigo: numberInCompany(id), situacao })),
  };
}

function foundProduct(
  { product }: Catalogue,
  cpfCnpjRaiz: string,
  codigo: number,
): StoredProduct | undefined {
  const record = product.store.find(cpfCnpjRaiz, codigo);
  return record && { ...contentOf(record), codigo, situacao: record.situacao, versao: versionText(record) };
}

const itemOf = (cpfCnpjRaiz: string, operator: PrintedOperator): StoredRecord => {
  const {
    seq: _seq,
    dataReferencia: _day,
    ...item
  } = JSON.parse(printRecord.text(operator, { cpfCnpjRaiz, seq: 1 })) as {
    readonly seq: number;
    readonly dataReferencia: null;
  } & StoredRecord;
  return item;
};

/** Returns the link of a row, which may be incomplete: its schema reports the missing members. */
const linkOf = (row: LinkRow) =>
  toLink({ ...row, codigoProduto: Number(row['codigoProduto']) } as LinkRequest);
