/** Deadlines: future requirements on products, reported on request, and to companies some days before. */
import type { Feature } from '../feature.ts';
import type { CatalogueContext } from './catalogue-context.ts';
import { WarningStore } from '../../catalogue/attribute/deadline/warning-store.ts';
import { WARNING_HOUR, createDeadlineWarnings } from '../../catalogue/attribute/deadline/warnings.ts';
import { SessionStore } from '../../session/store.ts';
import { FolderMarks } from '../../db/folder-mark.ts';

export function openDeadline(appContext: CatalogueContext): Feature {
  const { db, reads, rules, clock, writer, settings, events } = appContext;
  const warnings = createDeadlineWarnings({
    reads,
    writer,
    clock,
    store: new WarningStore(db),
    marks: new FolderMarks(db),
    days: settings['prazos.avisos'],
    publish: (tx, { kind, ...warning }) =>
      events.deadlineNears(tx, { ...warning, isCertain: kind === 'certain' }),
  });
  return {
    lateOperations: ({ deadlineRoutes }) =>
      deadlineRoutes({ reads, rules, clock, listCompanies: new SessionStore(db).listCompanies }),
    jobs: [
      {
        name: 'prazos',
        about: 'Avisa as empresas do que vai ser exigido de produtos a que falta.',
        pattern: `0 ${WARNING_HOUR} * * *`,
        atStart: () => warnings.hasMissedRun(),
        runOnce: () => warnings.runOnce(),
      },
    ],
  };
}
