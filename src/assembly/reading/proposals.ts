/**
 * Reads proposals in a Worker: their list, and the attention items of those that wait or were rejected
 * (contract section 27).
 */
import type { Db } from '../../db/open.ts';
import { arrayText } from '../../reading/stream.ts';
import { SessionStore } from '../../session/store.ts';
import { dayOf } from '../../validation/calendar.ts';
import { withCount } from '../../validation/text.ts';
import type { ProposalsRead } from '../../catalogue/proposal/model.ts';
import { ProposalStore } from '../../catalogue/proposal/store.ts';
import type { AttentionItem } from '../../catalogue/summary/attention-item.ts';
import { toListedProposal } from '../../catalogue/proposal/listed.ts';

export function proposalTexts(db: Db, { choice }: ProposalsRead): Generator<string, void, undefined> {
  const users = new SessionStore(db);
  return arrayText(
    new ProposalStore(db)
      .list(choice)
      .map((proposal) => toListedProposal(proposal, (documento) => users.findUser(documento)?.nome)),
  );
}

/** Returns a function that lists the item of a company. Own proposals of `documento` are left out. */
export function waitingProposals(db: Db): (cpfCnpjRaiz: string, documento: string | null) => AttentionItem[] {
  const store = new ProposalStore(db);
  return (cpfCnpjRaiz, documento) => {
    const { count, oldest } = store.countAwaiting(cpfCnpjRaiz, documento ?? '');
    if (count === 0 || oldest === null) return [];
    return [
      {
        kind: 'propostas',
        count,
        day: dayOf(oldest),
        href: `/aprovar?cpfCnpjRaiz=${cpfCnpjRaiz}`,
        tone: 'warning',
        message: `${withCount(count, 'proposta espera', 'propostas esperam')} uma decisão. Veja o que mudaria, e aprove ou recuse.`,
      },
    ];
  };
}

/** Items of one company, the newest proposals; each is dismissed alone. */
const REJECTED_MAX = 20;

/** Returns a function that lists an item for each rejected proposal of `documento`. */
export function rejectedProposals(db: Db): (cpfCnpjRaiz: string, documento: string) => AttentionItem[] {
  const store = new ProposalStore(db);
  const users = new SessionStore(db);
  return (cpfCnpjRaiz, documento) =>
    store
      .listRejected(cpfCnpjRaiz, documento, REJECTED_MAX)
      .map(({ id, fileName, decidedBy, decidedAt, reason }) => ({
        kind: 'recusadas',
        id: `${id}`,
        count: 1,
        ...(decidedAt !== null && { day: dayOf(decidedAt) }),
        href: `/importar/${id}?cpfCnpjRaiz=${cpfCnpjRaiz}`,
        tone: 'warning',
        message: `Sua proposta ${id} (${fileName}) foi recusada por ${users.findUser(decidedBy ?? '')?.nome ?? decidedBy}: ${reason} Corrija e proponha de novo, ou dispense.`,
      }));
}
