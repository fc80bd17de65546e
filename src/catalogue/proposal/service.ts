/**
 * Decides about proposals (contract section 27). Each decision is one transaction with its event: of two
 * simultaneous decisions, the second sees the first.
 */
import { type Actor, membersChanged } from '../../change.ts';
import { type Clock, DAY_MS } from '../../clock.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { forbidden, unprocessable } from '../../errors.ts';
import type { AlsoWrite } from '../../idempotency/service.ts';
import type { QuotaOwner } from '../../fair-shares.ts';
import { requireRight } from '../../session/guard.ts';
import { type Caller, SYSTEM } from '../../session/model.ts';
import type { Expected } from '../brake.ts';
import { violated } from '../codes.ts';
import type { CatalogueEvents, ChangedProposal } from '../event.ts';
import type { ImportJob } from '../import/model.ts';
import type { ImportService } from '../import/service.ts';
import { importChange } from '../import/trail.ts';
import type { Approvals } from './approvals.ts';
import { DECISION_DAYS, type Decision, type Proposal, type ProposalState } from './model.ts';
import { proposable } from './proposable.ts';
import type { ProposalStore } from './store.ts';

const SITUACAO_OF = {
  awaiting: 'AGUARDANDO',
  approved: 'APROVADA',
  rejected: 'RECUSADA',
  withdrawn: 'RETIRADA',
} as const satisfies Record<ProposalState, ChangedProposal['situacao']>;

const ACTION_OF = { approved: 'APROVACAO', rejected: 'RECUSA', withdrawn: 'RETIRADA' } as const;

export type ProposalService = ReturnType<typeof createProposalService>;

export function createProposalService({
  imports,
  approvals,
  store,
  events,
  writer,
  clock,
  nameOf,
}: {
  readonly imports: ImportService;
  readonly approvals: Approvals;
  readonly store: ProposalStore;
  readonly events: CatalogueEvents;
  readonly writer: Writer;
  readonly clock: Clock;
  /** Returns the name of a user. */
  readonly nameOf: (documento: string) => string | undefined;
}) {
  /** Proposes a dry run of the caller. Throws 403, 404, 422. */
  async function propose(
    caller: Caller,
    id: number,
    note: string | undefined,
    alsoWrite?: AlsoWrite,
  ): Promise<number> {
    const job = imports.find(caller, id);
    requireAuthor(
      caller,
      job.documento,
      `A importação ${id} foi pedida por outro usuário; só ele pode propô-la.`,
    );
    proposable(imports, job);
    await writer.write((tx) => {
      proposeIn(tx, caller, proposable(imports, imports.find(caller, id)), note);
      alsoWrite?.(tx, id);
    });
    return id;
  }

  /** Proposes a dry run in a transaction. Throws 403, 422. */
  function proposeIn(
    tx: Transaction,
    caller: Caller,
    { id, company }: ImportJob & { readonly company: string },
    note: string | undefined,
  ): void {
    requireRight(caller, company, 'preenchimento');
    imports.family.refuseCarriedOut(id);
    if (!store.insert(id, { company, by: caller.documento, note }, tx.now)) throw alreadyDecided(id);
    record(tx, caller, id, 'PROPOSTA', 'done');
  }

  /** Carries out a proposal. Returns the id of the import. Throws 403, 404, 422, 503. */
  function approve(
    caller: Caller,
    quotaOwner: QuotaOwner,
    id: number,
    expected: Expected,
    alsoWrite?: AlsoWrite,
  ): Promise<number> {
    const { job, proposal } = awaitingProposal(caller, id, 'aprovar');
    return approvals.start(caller, quotaOwner, job, {
      proposal: { id, by: proposal.documento },
      expected,
      decide: (tx, newId) => {
        requireDecider(caller, proposal, 'aprovar'); // the right may have ended while the rows were read
        decide(tx, caller, id, { state: 'approved' });
        alsoWrite?.(tx, newId);
      },
    });
  }

  /** Throws 403, 404, 422. */
  async function reject(caller: Caller, id: number, reason: string): Promise<void> {
    await writer.write((tx) => {
      awaitingProposal(caller, id, 'recusar');
      decide(tx, caller, id, { state: 'rejected', reason });
    });
  }

  /** Throws 403 for anybody but the author, 404, 422. */
  async function withdraw(caller: Caller, id: number): Promise<void> {
    await writer.write((tx) => {
      imports.find(caller, id);
      requireAuthor(
        caller,
        requireAwaiting(id, store.find(id)).documento,
        `A proposta ${id} é de outro usuário; só ele pode retirá-la. Quem tem o papel aprovacao pode recusá-la.`,
      );
      decide(tx, caller, id, { state: 'withdrawn' });
    });
  }

  /** Withdraws the proposals that nobody decided in time. */
  async function runOnce(): Promise<{ readonly withdrawn: number }> {
    const before = clock.now() - DECISION_DAYS * DAY_MS;
    const reason = `Ninguém decidiu em ${DECISION_DAYS} dias.`;
    let withdrawn = 0;
    while (store.findOverdue(before) !== undefined) {
      withdrawn += await writer.write((tx) => {
        const id = store.findOverdue(before);
        if (id !== undefined) decide(tx, SYSTEM, id, { state: 'withdrawn', reason });
        return id === undefined ? 0 : 1;
      });
    }
    return { withdrawn };
  }

  function awaitingProposal(
    caller: Caller,
    id: number,
    verb: string,
  ): { job: ImportJob; proposal: Proposal } {
    const job = imports.find(caller, id);
    const proposal = store.find(id);
    if (proposal !== undefined) requireDecider(caller, proposal, verb);
    return { job, proposal: requireAwaiting(id, proposal) };
  }

  function requireDecider(caller: Caller, { id, company, documento }: Proposal, verb: string): void {
    requireRight(caller, company, 'aprovacao');
    if (documento === caller.documento)
      throw forbidden(
        `A proposta ${id} é sua, e outra pessoa com o papel aprovacao a decide; você não pode ${verb} o que propôs. Retire-a, se desistiu dela.`,
      );
  }

  function requireAwaiting(id: number, proposal: Proposal | undefined): Proposal {
    if (proposal?.state !== 'awaiting') throw alreadyDecided(id);
    return proposal;
  }

  /** Throws 422 if there is a decision already; that decision stays. */
  function decide(
    tx: Transaction,
    by: Actor & (Caller | string),
    id: number,
    { state, reason }: { readonly state: Decision; readonly reason?: string },
  ): void {
    const decider = typeof by === 'string' ? null : by.documento;
    if (!store.decide(id, { state, by: decider, reason: reason ?? null }, tx.now)) throw alreadyDecided(id);
    record(tx, by, id, ACTION_OF[state], 'awaiting');
  }

  /** Writes the audit entry and the event of a change. */
  function record(
    tx: Transaction,
    by: Actor,
    id: number,
    action: 'PROPOSTA' | 'APROVACAO' | 'RECUSA' | 'RETIRADA',
    before: string,
  ): void {
    const proposal = store.find(id);
    if (proposal === undefined) throw new Error(`Proposal ${id} is missing after it was written.`);
    const { company, state, documento, decidedBy, reason, total } = proposal;
    const actor =
      action === 'PROPOSTA' || typeof by === 'string' ? by : { ...by, proposal: { id, by: documento } };
    tx.record(importChange(id, action, actor, membersChanged({ state: before }, { state })));
    events.proposalChanged(tx, {
      cpfCnpjRaiz: company,
      id,
      situacao: SITUACAO_OF[state],
      itens: total,
      autor: documento,
      decisor: decidedBy,
      motivo: reason,
    });
  }

  function alreadyDecided(id: number) {
    const proposal = store.find(id);
    return unprocessable([violated('alreadyDecided', null, decidedText(id, proposal, nameOf))]);
  }

  return { propose, proposeIn, approve, reject, withdraw, runOnce };
}

function decidedText(
  id: number,
  proposal: Proposal | undefined,
  nameOf: (documento: string) => string | undefined,
): string {
  if (proposal === undefined)
    return `A importação ${id} não foi proposta, e não há o que decidir; proponha a simulação antes.`;
  const { state, decidedBy, importId } = proposal;
  if (state === 'awaiting') return `A importação ${id} já foi proposta, e espera uma decisão.`;
  const by = decidedBy === null ? '' : ` por ${nameOf(decidedBy) ?? decidedBy}`;
  switch (state) {
    case 'approved':
      return `A proposta ${id} já foi aprovada${by}; acompanhe a importação ${importId ?? ''}.`;
    case 'rejected':
      return `A proposta ${id} já foi recusada${by}; para propor de novo, simule de novo.`;
    case 'withdrawn':
      return `A proposta ${id} já foi retirada${by}; para propor de novo, simule de novo.`;
  }
}

function requireAuthor(caller: Caller, author: string, sentence: string): void {
  if (author !== caller.documento) throw forbidden(sentence);
}
