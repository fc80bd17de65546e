/** The list of figures, in the order in which they are measured. */
import type { Figure } from './figure.ts';
import { asOf } from './figures/as-of.ts';
import { backupReads } from './figures/backup-reads.ts';
import { bytesPerProduct } from './figures/bytes-per-product.ts';
import { compareRemote } from './figures/compare-remote.ts';
import { deadlines } from './figures/deadlines.ts';
import { deliver } from './figures/deliver.ts';
import { exportProducts } from './figures/export-products.ts';
import { filterProducts } from './figures/filter-products.ts';
import { filterText } from './figures/filter-text.ts';
import { getProduct } from './figures/get-product.ts';
import { getProductTls } from './figures/get-product-tls.ts';
import { idle } from './figures/idle.ts';
import { importProducts } from './figures/import-products.ts';
import { importSheet } from './figures/import-sheet.ts';
import { isolate } from './figures/isolate.ts';
import { listProducts } from './figures/list-products.ts';
import { nomenclature } from './figures/nomenclature.ts';
import { oneTakesAll } from './figures/one-takes-all.ts';
import { pocketbase } from './figures/pocketbase.ts';
import { postProduct } from './figures/post-product.ts';
import { sheetsBeside } from './figures/sheets-beside.ts';
import { start } from './figures/start.ts';
import { tenMillion } from './figures/ten-million.ts';
import { workList } from './figures/work-list.ts';

export const FIGURES: readonly Figure[] = [
  postProduct,
  pocketbase,
  getProduct,
  getProductTls,
  listProducts,
  filterProducts,
  filterText,
  asOf,
  deadlines,
  workList,
  nomenclature,
  compareRemote,
  importProducts,
  importSheet,
  exportProducts,
  backupReads,
  deliver,
  isolate,
  oneTakesAll,
  sheetsBeside,
  start,
  idle,
  bytesPerProduct,
  tenMillion,
];
