/** What a changed product is in the result of a batch or an import. */
import type { AppliedItem } from '../batch.ts';
import { versionText } from '../version.ts';
import type { ChangedProduct } from './changes.ts';

export function toApplied(product: ChangedProduct, outcome: AppliedItem['outcome']): AppliedItem {
  return { codigo: String(product.codigo), versao: versionText(product), outcome };
}
