/** Readers of every kind of read in the Workers. */
import { auditText } from '../../audit/reading.ts';
import { trailText } from '../../audit/complete-check.ts';
import { auditTableTexts } from '../../audit/table.ts';
import { operatorPageText } from '../../catalogue/foreign-operator/listing.ts';
import { operatorTableTexts } from '../../catalogue/foreign-operator/table.ts';
import { linkPageText } from '../../catalogue/manufacturer-link/listing.ts';
import { linkTableTexts } from '../../catalogue/manufacturer-link/table.ts';
import { type DueProductsRead, dueProductTexts } from '../../catalogue/product/due-page.ts';
import { type ProductPageRead, productPageTexts } from '../../catalogue/product/page.ts';
import { type ProductTableRead, productTableTexts } from '../../catalogue/product/table.ts';
import { deliveryTableTexts } from '../../notification/delivery/history/table.ts';
import { lackingTexts } from '../../catalogue/attribute/deadline/lacking.ts';
import { deadlineDaysTexts } from '../../catalogue/attribute/deadline/days.ts';
import { deadlineTableTexts, deadlineTexts } from '../../catalogue/attribute/deadline/page.ts';
import { attributeWords } from './attribute-words.ts';
import { Impact, type ImpactRead } from '../../catalogue/attribute/activation/impact.ts';
import {
  tableChangeTexts,
  tableHistoryTexts,
  tableVersionTexts,
} from '../../catalogue/attribute/serving/history.ts';
import {
  attributeLookUpTexts,
  attributesFileTexts,
  tableFileTexts,
} from '../../catalogue/attribute/serving/table-texts.ts';
import { tableLoadTexts } from '../../catalogue/attribute/table/reading.ts';
import { lossTexts } from '../../catalogue/attribute/table/loss.ts';
import { ncmTexts } from '../../catalogue/attribute/serving/ncm-search.ts';
import { LISTINGS } from './listings.ts';
import { type SheetRowsRead, sheetRowTexts } from '../../catalogue/sheet/rows.ts';
import { type ReasonsRead, reasonTexts } from '../../catalogue/import/reasons.ts';
import { reasonWords } from '../../catalogue/sheet/reason-words.ts';
import { catalogueAttention } from './catalogue-attention.ts';
import { failedImportsOf } from './failed-imports.ts';
import { proposalTexts, rejectedProposals, waitingProposals } from './proposals.ts';
import { mendingReasons, resolveFilter } from './to-mend.ts';
import { knownAttributes } from './known-attributes.ts';
import { undoRowTexts } from '../../catalogue/import/undo-rows.ts';
import { type FailedRowsRead, failedRowTexts } from '../../catalogue/sheet/failed.ts';
import { ImportStore } from '../../catalogue/import/store.ts';
import { resultsOf } from '../../catalogue/import/results.ts';
import { importTableTexts } from '../../catalogue/import/table.ts';
import { type SheetInspectionRead, sheetInspectionTexts } from '../../catalogue/sheet/inspection.ts';
import { attributesOn } from './attributes-on.ts';
import {
  type AttentionRead,
  type AttentionSources,
  type DismissibleRead,
  type LoweredRead,
  attentionTexts,
  dismissibleTexts,
  loweredTexts,
} from '../../catalogue/summary/attention.ts';
import type { SearchRead } from '../../catalogue/search/model.ts';
import { searchTexts } from '../../catalogue/search/search-list-query.ts';
import { summaryTexts } from '../../catalogue/summary/page.ts';
import { comparisonTexts } from '../../remote/compare/compare.ts';
import { decidedTexts } from '../../remote/compare/decided.ts';
import { fetchedTexts } from '../../remote/fetch/items.ts';
import { remoteFileTexts } from '../../remote/files.ts';
import { divergenceTexts } from '../../remote/divergence-notice.ts';
import { recordPageText, recordTableTexts } from '../../remote/records.ts';
import { remoteAttention } from '../../remote/standing/attention.ts';
import { standingAt } from '../../remote/standing/service.ts';
import { damageTexts } from '../../doctor/damage.ts';
import type { Db } from '../../db/open.ts';
import { subscriptionAttention } from '../../notification/delivery/history/attention.ts';
import { deliverySummaryTexts } from '../../notification/delivery/history/summary.ts';
import { nomenclatureComparisonTexts } from '../../nomenclature/comparison.ts';
import { nomenclatureTexts } from '../../nomenclature/reading.ts';
import type { Texts } from '../../reading/read-scheduler.ts';
import { SessionStore } from '../../session/store.ts';
import { isPacked, packXlsx } from '../../sheet/packed.ts';

const READERS = {
  ...LISTINGS,
  *productPage(db: Db, read: ProductPageRead) {
    const { cpfCnpjRaiz, atRemote } = read.filter;
    const { filter } = yield* resolveFilter(db, read.filter);
    const remoteStateOf = atRemote && standingAt(db, cpfCnpjRaiz, atRemote.remote);
    yield* productPageTexts(db, { ...read, filter }, remoteStateOf);
  },
  dueProducts: (db: Db, read: DueProductsRead) =>
    dueProductTexts(db, read, function* resolve(filter) {
      return (yield* resolveFilter(db, filter)).filter;
    }),
  operatorPage: operatorPageText,
  linkPage: linkPageText,
  async *productTable(db: Db, read: ProductTableRead) {
    const { filter, fills } = yield* resolveFilter(db, read.filter);
    yield* productTableTexts(db, { ...read, filter }, attributeWords(db, read.table), fills);
  },
  mending: mendingReasons,
  deadlines: deadlineTexts,
  deadlineDays: deadlineDaysTexts,
  deadlineTable: deadlineTableTexts,
  lacking: lackingTexts,
  operatorTable: operatorTableTexts,
  linkTable: linkTableTexts,
  summary: summaryTexts,
  attention: (db: Db, read: AttentionRead) => attentionTexts(db, read, attentionSources(db, read)),
  dismissible: (db: Db, read: DismissibleRead) => dismissibleTexts(read, attentionSources(db, read)),
  loweredAttention: (db: Db, read: LoweredRead) =>
    loweredTexts(
      db,
      read,
      attentionSources(db, { ...read, documento: null, decidableCompanies: [], administrador: false }),
    ),
  proposals: proposalTexts,
  search: (db: Db, read: SearchRead) => searchTexts(db, read, new SessionStore(db).listCompanies()),
  undoRows: undoRowTexts,
  importReasons: (db: Db, read: ReasonsRead) =>
    reasonTexts(db, read, reasonWords(read, knownAttributes(db, read.day))),
  importTable: importTableTexts,
  sheetFailed: (db: Db, read: FailedRowsRead) =>
    failedRowTexts(read, () => resultsOf(new ImportStore(db), read.id)),
  sheetRows: (_db: Db, read: SheetRowsRead) => sheetRowTexts(read),
  sheetInspection: (db: Db, read: SheetInspectionRead) => sheetInspectionTexts(db, read, attributesOn(db)),
  comparison: comparisonTexts,
  fetched: fetchedTexts,
  decidedPairs: decidedTexts,
  remoteRecords: recordPageText,
  remoteRecordTable: recordTableTexts,
  remoteFiles: remoteFileTexts,
  remoteNews: divergenceTexts,
  impact: (db: Db, { impact, form }: ImpactRead) => new Impact(db, impact).text(form),
  tableFile: tableFileTexts,
  tableVersions: tableVersionTexts,
  tableHistory: tableHistoryTexts,
  tableChanges: tableChangeTexts,
  tableLoad: tableLoadTexts,
  attributesFile: attributesFileTexts,
  attributeLookUp: attributeLookUpTexts,
  tableLoss: lossTexts,
  ncms: ncmTexts,
  nomenclature: nomenclatureTexts,
  nomenclatureComparison: nomenclatureComparisonTexts,
  deliverySummary: deliverySummaryTexts,
  deliveryTable: deliveryTableTexts,
  damage: damageTexts,
  audit: auditText,
  trail: trailText,
  auditTable: auditTableTexts,
};

type Readers = typeof READERS;
/**
 * The union of all reads. A reader whose name differs from its `kind` is missing in it, so its callers do
 * not compile.
 */
export type AnyReadRequest = {
  [Kind in keyof Readers]: Extract<Parameters<Readers[Kind]>[1], { readonly kind: Kind }>;
}[keyof Readers];

export function textsOf(db: Db, request: AnyReadRequest): Texts {
  const texts = (READERS[request.kind] as (db: Db, request: AnyReadRequest) => ReaderTexts)(db, request);
  return isPacked(request) ? packXlsx(texts, request.packing) : texts;
}

type ReaderTexts = Iterator<string, unknown, undefined> | AsyncIterator<string, unknown, undefined>;

function attentionSources(
  db: Db,
  read: Pick<AttentionRead, 'administrador' | 'decidableCompanies' | 'today'> & {
    /** `null`: no user, so that no subscription and no import is listed. */
    readonly documento: string | null;
  },
): AttentionSources {
  const accounts = new SessionStore(db);
  const ofCatalogue = catalogueAttention(db, read);
  const ofRemotes = remoteAttention(db);
  const ofProposals = waitingProposals(db);
  const ofAuthor = rejectedProposals(db);
  const ofUser = read.documento === null ? [] : subscriptionAttention(db, read.documento);
  return {
    companies: () => accounts.listCompanies(),
    companyName: (cpfCnpjRaiz) => accounts.findCompany(cpfCnpjRaiz)?.nome,
    *attentionItems(cpfCnpjRaiz) {
      const proposals = read.decidableCompanies.includes(cpfCnpjRaiz)
        ? ofProposals(cpfCnpjRaiz, read.documento)
        : [];
      const rejected = read.documento === null ? [] : ofAuthor(cpfCnpjRaiz, read.documento);
      return [
        ...(yield* ofCatalogue(cpfCnpjRaiz)),
        ...ofRemotes(cpfCnpjRaiz),
        ...proposals,
        ...rejected,
        ...ofUser,
      ];
    },
    subscriptions: () => subscriptionAttention(db, null),
    proposals: (cpfCnpjRaiz) => ofProposals(cpfCnpjRaiz, null),
    failedImports: failedImportsOf(db, read.documento ?? ''),
  };
}
