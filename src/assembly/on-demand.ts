/**
 * The parts of a server that its start does not need: the routes that few clients use, the document and the
 * ledger. One import loads them all with the first request that no route of the start answers.
 */
import { auditRoutes } from '../audit/routes.ts';
import { deadlineRoutes } from '../catalogue/attribute/deadline/routes.ts';
import { ncmRoutes } from '../catalogue/attribute/ncm-routes.ts';
import { attributeRoutes } from '../catalogue/attribute/routes.ts';
import { concessionActRoutes } from '../catalogue/concession-act/routes.ts';
import { operatorBrowsingRoutes } from '../catalogue/foreign-operator/browsing-routes.ts';
import { subdivisionRoutes } from '../catalogue/foreign-operator/subdivision-routes.ts';
import { reasonsRoutes } from '../catalogue/import/reasons-routes.ts';
import { importRoutes } from '../catalogue/import/routes.ts';
import { undoRoutes } from '../catalogue/import/undo-routes.ts';
import { linkBrowsingRoutes } from '../catalogue/manufacturer-link/browsing-routes.ts';
import { changeRoutes } from '../catalogue/bulk-change/routes.ts';
import { mendingRoutes } from '../catalogue/mending/routes.ts';
import { productBrowsingRoutes } from '../catalogue/product/browsing-routes.ts';
import { draftRoutes } from '../catalogue/product/draft-routes.ts';
import { dueRoutes } from '../catalogue/product/due-routes.ts';
import { productFormRoutes } from '../catalogue/product/form-routes.ts';
import { proposalRoutes } from '../catalogue/proposal/routes.ts';
import { searchRoutes } from '../catalogue/search/routes.ts';
import { sheetRoutes } from '../catalogue/sheet/routes.ts';
import { templateRoutes } from '../catalogue/sheet/template/routes.ts';
import { summaryRoutes } from '../catalogue/summary/routes.ts';
import { PROBLEM_LISTS } from '../docs/codes.ts';
import { emailRoutes } from '../email/routes.ts';
import { LEDGER } from '../fidelity/ledger.ts';
import { fidelityRoutes } from '../fidelity/routes.ts';
import { servedDocument } from '../http/document-routes.ts';
import { nomenclatureRoutes } from '../nomenclature/routes.ts';
import { deliveryRoutes } from '../notification/delivery/history/routes.ts';
import { CALLBACKS } from '../notification/event/callbacks.ts';
import { eventRoutes } from '../notification/event/routes.ts';
import { providerRoutes } from '../oidc/routes.ts';
import { comparisonRoutes } from '../remote/comparison-routes.ts';
import { remoteRoutes } from '../remote/routes.ts';
import { runRoutes } from '../remote/run/routes.ts';
import { standingRoutes } from '../remote/standing/routes.ts';
import { accountRoutes } from '../session/account-routes.ts';
import { groupRoutes } from '../session/group-routes.ts';
import { identityRoutes } from '../session/identity-routes.ts';
import { meRoutes } from '../session/me-routes.ts';
import { passwordRoutes } from '../session/password-routes.ts';
import { sessionRoutes } from '../session/session-routes.ts';
import { supervisionRoutes } from '../supervision/routes.ts';

export const ON_DEMAND = {
  auditRoutes,
  deadlineRoutes,
  ncmRoutes,
  attributeRoutes,
  concessionActRoutes,
  operatorBrowsingRoutes,
  subdivisionRoutes,
  reasonsRoutes,
  importRoutes,
  undoRoutes,
  linkBrowsingRoutes,
  changeRoutes,
  mendingRoutes,
  productBrowsingRoutes,
  draftRoutes,
  dueRoutes,
  productFormRoutes,
  proposalRoutes,
  searchRoutes,
  sheetRoutes,
  templateRoutes,
  summaryRoutes,
  PROBLEM_LISTS,
  CALLBACKS,
  emailRoutes,
  LEDGER,
  fidelityRoutes,
  servedDocument,
  nomenclatureRoutes,
  deliveryRoutes,
  eventRoutes,
  providerRoutes,
  comparisonRoutes,
  remoteRoutes,
  runRoutes,
  standingRoutes,
  accountRoutes,
  groupRoutes,
  identityRoutes,
  sessionRoutes,
  meRoutes,
  passwordRoutes,
  supervisionRoutes,
};

export type OnDemand = typeof ON_DEMAND;
