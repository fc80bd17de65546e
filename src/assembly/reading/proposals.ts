/** Reads proposals in a Worker: their list, and the attention item of those that wait (contract section 27). */
import type { Db } from '../../db/open.ts';
import { arrayText } from '../../reading/stream.ts';
import { SessionStore } from '../../session/store.ts';
import { dayOf } from '../../validation/calendar.ts';
import { counted } from '../../validation/text.ts';
import type { ProposalsRead } from '../../catalogue/proposal/model.ts';
import { ProposalStore } from '../../catalogue/proposal/store.ts';
import type { Matter } from '../../catalogue/summary/matter.ts';
import { toListedProposal } from '../../catalogue/proposal/listed.ts';

export function proposalTexts(db: Db, { choice }: ProposalsRead): Generator<string, void, undefined> {
  const users = new SessionStore(db);
  return arrayText(
    new ProposalStore(db)
      .list(choice)
      .map((one) => toListedProposal(one, (documento) => users.findUser(documento)?.nome)),
  );
}

/** Returns a function that lists the item of a company. Own proposals of `documento` are left out. */
export function waitingProposals(db: Db): (cpfCnpjRaiz: string, documento: string | null) => Matter[] {
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
        message: `${counted(count, 'proposta espera', 'propostas esperam')} uma decisão. Veja o que mudaria, e aprove ou recuse.`,
      },
    ];
  };
}
