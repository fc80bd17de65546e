/** Concurrent decisions about a proposal, and decisions during the loss of a right (contract section 27). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Reply } from '../../support/app.ts';
import { inOneGroup } from '../../support/one-group.ts';
import { ended } from '../sheet/support.ts';
import {
  APPROVER,
  AUTHOR,
  COMPANY,
  IMPORTS,
  type Office,
  codeOf,
  decide,
  eventsOf,
  include,
  openOffice,
  productOf,
  proposalOf,
  propose,
  proposed,
  simulate,
} from './support.ts';

let office: Office;
beforeEach(async () => {
  office = await openOffice();
});
afterEach(() => office.server.close());

describe('concurrent requests', () => {
  test('one of two decisions counts, of any kind, and the rows are written at most once', async () => {
    const { author, approver, other } = office;
    for (const [first, second] of [
      ['approve', 'approve'],
      ['approve', 'withdraw'],
      ['withdraw', 'approve'],
      ['approve', 'reject'],
      ['reject', 'approve'],
      ['reject', 'withdraw'],
    ] as const) {
      const codigo = await include(approver);
      const id = await proposed(author, [[codigo, 'Verde']]);
      const senderOf = (decision: string, decider: Office['author']) =>
        decision === 'withdraw' ? author : decider;
      const replies = await Promise.all([
        decide(senderOf(first, approver), id, first),
        decide(senderOf(second, other), id, second),
      ]);
      const statuses = replies.map(({ status }) => status);
      expect(statuses.filter((status) => status < 300)).toHaveLength(1);
      const [, code] = codeOf(replies[statuses.indexOf(422)] as Reply);
      expect(['CATP-ER1041', 'CATP-ER1047']).toContain(code);
      const { state, importId } = await proposalOf(approver, id);
      const winner = [first, second][statuses.findIndex((status) => status < 300)];
      expect(state).toBe({ approve: 'approved', reject: 'rejected', withdraw: 'withdrawn' }[winner ?? first]);
      if (importId !== null) await waitForEnd(importId);
      const executedImports = (await approver.call('GET', IMPORTS)).json.filter(
        ({ proposal }: { readonly proposal: number | null }) => proposal === id,
      );
      expect(executedImports).toHaveLength(state === 'approved' ? 1 : 0);
      expect((await productOf(approver, codigo)).versao).toBe(state === 'approved' ? '2' : '1');
    }
  });

  const waitForEnd = async (id: number): Promise<void> => {
    for (;;) {
      const { state } = (await office.approver.call('GET', `${IMPORTS}/${id}`)).json;
      if (state === 'done') return;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  };

  test('two proposals of one dry run create one', async () => {
    const { author, approver } = office;
    const id = await simulate(author, [[await include(approver), 'Verde']]);
    const replies = await Promise.all([propose(author, id), propose(author, id)]);
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 422]);
  });

  test('one of a proposal and an execution by its author succeeds', async () => {
    const { approver } = office;
    const codigo = await include(approver);
    const id = await simulate(approver, [[codigo, 'Verde']]);
    const replies = await Promise.all([propose(approver, id), approver.call('POST', IMPORTS, { from: id })]);
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 422]);
    const later = await simulate(approver, [[codigo, 'Azul']]);
    await ended(approver, await approver.call('POST', IMPORTS, { from: later }));
    expect(codeOf(await propose(approver, later))).toEqual([422, 'CATP-ER1041']);
  });

  test('an approver who loses the right while the rows are read decides nothing', async () => {
    const { author, approver, give } = office;
    const codigo = await include(approver);
    const id = await proposed(author, [[codigo, 'Verde']]);
    const [reply] = await Promise.all([decide(approver, id, 'approve'), give(APPROVER, 'leitura')]);
    const { state } = await proposalOf(approver, id);
    expect([reply.status, state]).toEqual(reply.status === 202 ? [202, 'approved'] : [403, 'awaiting']);
    const job = reply.status === 202 ? (await ended(office.other, reply)).job : undefined;
    const version = await productOf(office.other, codigo);
    if (job === undefined || job.failed === 1) expect(version.versao).toBe('1');
  });
});

describe('a right that ends while a decision waits for the writer', () => {
  /** Sends both at once; the writer applies the end of the right first or last. */
  const race = async <T>(
    order: 'first' | 'last',
    end: () => Promise<unknown>,
    decision: () => Promise<T>,
  ) => {
    if (order === 'last') return (await Promise.all([decision(), end()]))[0];
    return (await Promise.all([end(), decision()]))[1];
  };

  test.each(['first', 'last'] as const)('%s: a rejection counts completely or not at all', async (order) => {
    const { author, approver, other, give } = office;
    const id = await proposed(author, [[await include(approver), 'Verde']]);
    const reply = await race(
      order,
      () => give(APPROVER, 'leitura'),
      () => decide(approver, id, 'reject'),
    );
    const { state, decidedBy } = await proposalOf(other, id);
    expect([reply.status, state, decidedBy]).toEqual(
      reply.status === 204 ? [204, 'rejected', APPROVER] : [403, 'awaiting', null],
    );
    expect((await eventsOf(office)).at(-1)).toMatchObject({
      situacao: reply.status === 204 ? 'RECUSADA' : 'AGUARDANDO',
    });
    // After the answer to the end of the right, no decision is accepted.
    expect((await decide(approver, id, 'reject')).status).toBe(403);
    expect((await proposalOf(other, id)).decidedBy).toBe(reply.status === 204 ? APPROVER : null);
  });

  test.each(['approve', 'reject', 'withdraw'] as const)(
    'first in one commit: %s decides nothing; last, it decides',
    async (decision) => {
      const { author, approver, other, admin } = office;
      const codigo = await include(approver);
      const ids = [await proposed(author, [[codigo, 'Verde']]), await proposed(author, [[codigo, 'Azul']])];
      const documento = decision === 'withdraw' ? AUTHOR : APPROVER;
      const client = decision === 'withdraw' ? author : approver;
      const representation = { documento, cpfCnpjRaiz: COMPANY, perfil: 'IMPEXP' };
      const end = () => admin.call('DELETE', '/appliance/api/representations', representation);
      const [endReply, lateDecision] = await inOneGroup(office.server, end, () =>
        decide(client, ids[0] ?? 0, decision),
      );
      expect([endReply.status, [403, 404].includes(lateDecision.status)]).toEqual([204, true]);
      expect(await proposalOf(other, ids[0] ?? 0)).toMatchObject({ state: 'awaiting', decidedBy: null });
      await admin.call('POST', '/appliance/api/representations', { ...representation, papel: 'aprovacao' });
      const [earlyDecision, lateEnd] = await inOneGroup(
        office.server,
        () => decide(client, ids[1] ?? 0, decision),
        end,
      );
      expect([earlyDecision.status, lateEnd.status]).toEqual([decision === 'approve' ? 202 : 204, 204]);
      expect(await proposalOf(other, ids[1] ?? 0)).toMatchObject({ decidedBy: documento });
    },
  );

  test.each(['first', 'last'] as const)('%s: a withdrawal counts completely or not at all', async (order) => {
    const { author, approver, admin } = office;
    const id = await proposed(author, [[await include(approver), 'Verde']]);
    const representation = { documento: AUTHOR, cpfCnpjRaiz: COMPANY, perfil: 'IMPEXP' };
    const reply = await race(
      order,
      () => admin.call('DELETE', '/appliance/api/representations', representation),
      () => decide(author, id, 'withdraw'),
    );
    const { state, decidedBy } = await proposalOf(approver, id);
    expect([state, decidedBy]).toEqual(reply.status === 204 ? ['withdrawn', AUTHOR] : ['awaiting', null]);
    const lateStatus = (await decide(author, id, 'withdraw')).status;
    expect([403, 404]).toContain(lateStatus);
    expect((await proposalOf(approver, id)).state).toBe(state);
  });
});
