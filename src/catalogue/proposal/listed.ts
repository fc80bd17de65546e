/** Converts a stored proposal to the form that its readers receive. */
import { momentText } from '../../validation/calendar.ts';
import type { ListedProposal, Proposal } from './model.ts';

/** `nameOf`: returns the name of a user. */
export function toListedProposal(
  proposal: Proposal,
  nameOf: (documento: string) => string | undefined,
): ListedProposal {
  const { id, tipo, kind, fileName, documento, note, total, created, newVersion } = proposal;
  const { deactivated, failed, state, decidedBy, decidedAt, reason, importId } = proposal;
  return {
    id,
    cpfCnpjRaiz: proposal.company,
    tipo,
    kind,
    fileName,
    by: documento,
    byName: nameOf(documento) ?? null,
    at: momentText(proposal.proposedAt),
    note,
    total,
    created,
    newVersion,
    deactivated,
    failed,
    state,
    decidedBy,
    decidedByName: (decidedBy !== null && nameOf(decidedBy)) || null,
    decidedAt: decidedAt === null ? null : momentText(decidedAt),
    reason,
    importId,
  };
}
