/** Everything that is read in the Workers, kind by kind. */
import type { AuditRead } from '../../audit/model.ts';
import { auditText } from '../../audit/reading.ts';
import { type TrailRead, trailText } from '../../audit/whole.ts';
import { type AuditTableRead, auditTableTexts } from '../../audit/table.ts';
import { type OperatorTableRead, operatorTableTexts } from '../../catalogue/foreign-operator/table.ts';
import { type LinkTableRead, linkTableTexts } from '../../catalogue/manufacturer-link/table.ts';
import { type ProductTableRead, productTableTexts } from '../../catalogue/product/table.ts';
import { type DeliveryTableRead, deliveryTableTexts } from '../../notification/delivery/history/table.ts';
import { attributeWords } from './attribute-words.ts';
import { Impact, type ImpactRead } from '../../catalogue/attribute/activation/impact.ts';
import { type NcmsRead, ncmTexts } from '../../catalogue/attribute/serving/ncm-search.ts';
import { type ListingRequest, listingChunks } from './listings.ts';
import { type SheetRowsRead, sheetRowTexts } from '../../catalogue/sheet/rows.ts';
import { type UndoRowsRead, undoRowTexts } from '../../catalogue/import/undo-rows.ts';
import { type SheetLookRead, sheetLookTexts } from '../../catalogue/sheet/look.ts';
import { attributesOn } from './attributes-on.ts';
import { type AttentionRead, attentionTexts } from '../../catalogue/summary/attention.ts';
import type { SearchRead } from '../../catalogue/search/model.ts';
import { searchTexts } from '../../catalogue/search/search-list-query.ts';
import { type PageRead, pageTexts } from './pages.ts';
import { type DamageRead, damageTexts } from '../../doctor/damage.ts';
import type { Db } from '../../db/open.ts';
import {
  type DeliverySummaryRead,
  deliverySummaryTexts,
} from '../../notification/delivery/history/summary.ts';
import type { Texts } from '../../reading/turns.ts';
import { SessionStore } from '../../session/store.ts';

export type KnownRead =
  | ListingRequest
  | ImpactRead
  | PageRead
  | AttentionRead
  | SearchRead
  | SheetLookRead
  | SheetRowsRead
  | UndoRowsRead
  | NcmsRead
  | DeliverySummaryRead
  | DamageRead
  | AuditRead
  | TrailRead
  | ProductTableRead
  | OperatorTableRead
  | LinkTableRead
  | AuditTableRead
  | DeliveryTableRead;

export function textsOf(db: Db, request: KnownRead): Texts {
  switch (request.kind) {
    case 'impact':
      return new Impact(db, request.impact).text(request.form);
    case 'ncms':
      return ncmTexts(db, request);
    case 'deliverySummary':
      return deliverySummaryTexts(db, request);
    case 'audit':
      return auditText(db, request);
    case 'trail':
      return trailText(db, request);
    case 'sheetRows':
      return sheetRowTexts(request);
    case 'undoRows':
      return undoRowTexts(db, request);
    case 'sheetLook':
      return sheetLookTexts(db, request, attributesOn(db));
    case 'damage':
      return damageTexts(db, request);
    case 'productTable':
      return productTableTexts(db, request, attributeWords(db, request.table));
    case 'operatorTable':
      return operatorTableTexts(db, request);
    case 'linkTable':
      return linkTableTexts(db, request);
    case 'auditTable':
      return auditTableTexts(db, request);
    case 'deliveryTable':
      return deliveryTableTexts(db, request);
    case 'search':
      return searchTexts(db, request);
    case 'attention':
      return attentionTexts(db, request, companyNames(db));
    case 'productPage':
    case 'operatorPage':
    case 'linkPage':
    case 'duplicates':
    case 'summary':
      return pageTexts(db, request);
    default:
      return listingChunks(db, request);
  }
}

function companyNames(db: Db): (cpfCnpjRaiz: string) => string | undefined {
  const accounts = new SessionStore(db);
  return (cpfCnpjRaiz) => accounts.findCompany(cpfCnpjRaiz)?.nome;
}
