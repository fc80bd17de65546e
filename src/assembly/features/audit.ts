/** Who changed what: kept by the writer with each transaction (ground.ts), told here. */
import type { Feature } from '../feature.ts';
import type { AppContext } from '../app-context.ts';
import { auditRoutes } from '../../audit/routes.ts';

export const openAudit = ({ reads }: AppContext): Feature => ({ operations: () => auditRoutes(reads) });
