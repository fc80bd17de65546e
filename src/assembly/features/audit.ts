/** Audit: the writer stores each change with its transaction, and this feature reports it. */
import type { Feature } from '../feature.ts';
import type { AppContext } from '../app-context.ts';

export const openAudit = ({ reads }: AppContext): Feature => ({
  lateOperations: ({ auditRoutes }) => auditRoutes(reads),
});
