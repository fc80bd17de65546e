/**
 * Lists the features of the product and connects them. Each file of `features/` assembles one feature from its
 * routes, services and stores.
 */
import type { ImportRunnerParts } from '../catalogue/import/runner.ts';
import { openAudit } from './features/audit.ts';
import { openBackup } from './features/backup.ts';
import { openEmail } from './features/email.ts';
import { openCatalogue } from './features/catalogue.ts';
import { openImport } from './features/import.ts';
import { applierOfInstructions, openBulkChange } from './features/bulk-change.ts';
import { SheetStore } from '../catalogue/sheet/store.ts';
import { openSheet } from './features/sheet.ts';
import { catalogueRules } from '../catalogue/rules.ts';
import type { Feature } from './feature.ts';
import { type AppContextOptions, openAppContext } from './app-context.ts';
import { openHealth } from './features/health.ts';
import { closeAll } from './lifecycle.ts';
import { openProposal, recordApplier } from './features/proposal.ts';
import { openNomenclature } from './features/nomenclature.ts';
import { openIdempotency } from './features/idempotency.ts';
import { type NotificationParts, openNotification } from './features/notification.ts';
import { openSupervision } from './features/supervision.ts';
import { replicaFeature } from './features/replica.ts';
import { RemoteStore } from '../remote/store.ts';
import { openRemote } from './features/remote.ts';
import { COMMAND_LINE, localOperator } from '../session/model.ts';
import { PERSONAL_OPENERS } from '../session/registry.ts';
import { logAccountChange } from '../session/account-log.ts';
import { type SessionParts, openSession } from './features/session.ts';

export type CoreParts = AppContextOptions &
  Partial<Pick<SessionParts, 'onAccountChanged' | 'origins' | 'ownSecrets' | 'openProvider'>> &
  Omit<NotificationParts, 'notify'>;

export type Core = ReturnType<typeof openCore>;

/**
 * Opens all features on a data folder. A server starts them. A command calls their services without starting them.
 */
export function openCore(parts: CoreParts) {
  const appContext = openAppContext(parts);
  const rules = catalogueRules(appContext.settings);
  const email = openEmail(appContext);
  const notification = openNotification(appContext, rules, { ...parts, notify: email.notify });
  const session = openSession(appContext, {
    ...parts,
    rules,
    onAccountChanged: parts.onAccountChanged ?? ((change) => logAccountChange(appContext.log, change)),
    onCompanyRemoved: (cpfCnpjRaiz) => remote.onCompanyRemoved(cpfCnpjRaiz),
    onUserRemoved: (tx, documento, actor) => notification.subscriptions.endAllOf(tx, documento, actor),
    recordsOf: (cpfCnpjRaiz) => catalogue.recordsOf(cpfCnpjRaiz),
    queueInvitation: email.queueInvitation,
  });
  const nomenclature = openNomenclature(appContext);
  const catalogue = openCatalogue(
    appContext,
    rules,
    notification.events,
    (documento) => session.store.findUser(documento)?.nome,
    nomenclature.service,
    email.notify,
  );
  const idempotency = openIdempotency(appContext);
  const sheetStore = new SheetStore(appContext.db);
  const remoteStore = new RemoteStore(appContext.db);
  const callerOf: ImportRunnerParts['callerOf'] = (documento, perfil, key) =>
    documento === '' || documento === COMMAND_LINE
      ? localOperator(new Set(session.accounts.listCompanies().map(({ cpfCnpjRaiz }) => cpfCnpjRaiz)))
      : session.store.findCaller(documento, perfil, key === PERSONAL_OPENERS.provider.name);
  const imports = openImport(appContext, {
    notify: email.notify,
    catalogue,
    idempotency,
    otherWaitingWork: () => remoteStore.listWaiting(),
    otherNeededFiles: () => [
      ...sheetStore.listFiles(),
      ...remoteStore.listFiles(),
      ...remoteStore.listKeptFiles(),
    ],
    dryRunApplierOf: (tipo) => recordApplier(catalogue, tipo),
    applierOfInstructions: applierOfInstructions(catalogue, (instructions) =>
      remote.fetchApplierOf(instructions),
    ),
    sheets: () => sheet.imports,
    callerOf,
  });
  const bulkChange = openBulkChange(appContext, catalogue, imports, idempotency);
  const sheet = openSheet(appContext, {
    changes: bulkChange.changes,
    rules,
    idempotency,
    store: sheetStore,
    folder: imports.upload.folder,
    waiting: imports.upload.waiting,
    imports: imports.service,
    guideOf: (...request) => catalogue.attributes.guideOf(...request),
  });
  const proposal = openProposal(appContext, {
    catalogue,
    imports: imports.service,
    sheets: sheet.imports,
    changes: bulkChange.changes,
    idempotency,
    nameOf: (documento) => session.store.findUser(documento)?.nome,
  });
  const remote = openRemote(appContext, {
    notify: email.notify,
    rules,
    idempotency,
    store: remoteStore,
    catalogue,
    imports,
    callerOf,
    requireCompanies: (...request) => session.accounts.requireCompanies(...request),
  });
  const backup = openBackup(appContext);
  const features: readonly Feature[] = [
    // The replica comes first: if the other machine has taken over, it stops the start before any other feature.
    replicaFeature(appContext.replica, appContext.partner),
    { prepare: () => appContext.sealUpdater.inspect() },
    backup,
    session.signIn,
    catalogue.product,
    catalogue.operator,
    catalogue.link,
    catalogue.concessionAct,
    catalogue.summary,
    catalogue.deadline,
    imports,
    bulkChange,
    sheet,
    proposal,
    remote,
    catalogue.attribute,
    nomenclature,
    notification.subscription,
    notification.failure,
    notification.event,
    notification.delivery,
    notification.deletion,
    email,
    session.administration,
    openSupervision(appContext, backup.backups),
    openAudit(appContext, rules),
    openHealth(
      appContext,
      { ...catalogue.attribute.fetched, nomenclature: nomenclature.fetched },
      backup.backups,
    ),
    { lateOperations: ({ fidelityRoutes }) => fidelityRoutes() },
  ];
  const close = async (): Promise<void> => {
    await closeAll(features);
    await appContext.leave();
  };
  return {
    ...appContext,
    session,
    catalogue,
    nomenclature: nomenclature.service,
    nomenclatureOrigin: nomenclature.origin,
    imports,
    sheets: sheet.imports,
    remote,
    notification,
    email,
    backups: backup.backups,
    features,
    jobs: features.flatMap(({ jobs = [] }) => jobs),
    close,
    [Symbol.asyncDispose]: close,
  };
}
