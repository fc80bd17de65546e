/** Audit: the writer stores each change with its transaction, and this feature reports it. */
import type { Feature } from '../feature.ts';
import type { AppContext } from '../app-context.ts';
import { auditRoutes } from '../../audit/routes.ts';

export const openAudit = ({ reads }: AppContext): Feature => ({ operations: () => auditRoutes(reads) });
