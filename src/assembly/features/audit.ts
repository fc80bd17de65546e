/** Audit: the writer stores each change with its transaction, and this feature reports it. */
import type { Feature } from '../feature.ts';
import type { CatalogueRules } from '../../validation/company.ts';
import type { AppContext } from '../app-context.ts';

export const openAudit = ({ reads }: AppContext, rules: CatalogueRules): Feature => ({
  lateOperations: ({ auditRoutes }) => auditRoutes(reads, rules),
});
