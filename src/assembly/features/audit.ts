/** Who changed what: kept by the writer with each transaction (ground.ts), told here. */
import type { Feature } from '../feature.ts';
import type { Ground } from '../ground.ts';
import { auditRoutes } from '../../audit/routes.ts';

export const openAudit = ({ reads }: Ground): Feature => ({ operations: () => auditRoutes(reads) });
