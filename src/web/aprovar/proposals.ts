/** Proposals as the pages show them. */
import type { Proposal } from '../api/answers.ts';
import { withCount, momentText, numberText } from '../words.ts';

export const PROPOSALS = '/appliance/api/proposals';

/** Returns the counts of a proposal: `2 seriam incluídos, 1 seria desativado`. */
export function countsText({ created, newVersion, deactivated, failed }: Proposal): string {
  const parts = [
    created > 0 && withCount(created, 'seria incluído', 'seriam incluídos'),
    newVersion > 0 && withCount(newVersion, 'seria alterado', 'seriam alterados'),
    deactivated > 0 && withCount(deactivated, 'seria desativado', 'seriam desativados'),
    failed > 0 && withCount(failed, 'linha com erro fica de fora', 'linhas com erro ficam de fora'),
  ];
  return parts.filter((part) => part !== false).join(', ');
}

export const personText = (name: string | null, documento: string): string => name ?? numberText(documento);

/** Returns the state of a proposal as a sentence. */
export function stateText(proposal: Proposal): string {
  const { state, by, byName, at, decidedBy, decidedByName, decidedAt, reason } = proposal;
  if (state === 'awaiting')
    return `Proposta por ${personText(byName, by)} em ${momentText(at)}; espera uma decisão.`;
  const decider = decidedBy === null ? 'pelo sistema' : `por ${personText(decidedByName, decidedBy)}`;
  const word = { approved: 'Aprovada', rejected: 'Recusada', withdrawn: 'Retirada' }[state];
  return `${word} ${decider}${decidedAt === null ? '' : ` em ${momentText(decidedAt)}`}${reason === null ? '.' : `: ${reason}`}`;
}
