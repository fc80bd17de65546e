/** Rejections and withdrawals of proposals (contract section 27). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  APPROVER,
  AUTHOR,
  COMPANY,
  OTHER_COMPANY,
  type Office,
  approved,
  codeOf,
  decide,
  include,
  openOffice,
  productOf,
  proposalOf,
  proposed,
  simulate,
} from './support.ts';

let office: Office;
beforeAll(async () => {
  office = await openOffice({ settings: { ambiente: 'producao' } });
});
afterAll(() => office.server.close());
describe('a rejection and a withdrawal', () => {
  test('a rejection has a reason, which the author sees; nothing is written', async () => {
    const { author, approver } = office;
    const codigo = await include(approver);
    const id = await proposed(author, [[codigo, 'Verde']]);
    const refusals = [
      [{}, '/reason', 'membro obrigatório ausente; informe um texto: um motivo de 1 a 500 caracteres'],
      [
        { reason: '' },
        '/reason',
        'membro obrigatório ausente; informe um texto: um motivo de 1 a 500 caracteres',
      ],
      [{ note: 'Falta a nota.' }, '/note', 'reason: membro obrigatório ausente'],
      [{ reason: ' \t\n' }, '/reason', 'aceita um motivo de 1 a 500 caracteres, que não seja só de espaços'],
      [{ reason: 'x'.repeat(501) }, '/reason', 'aceita de 1 a 500 caracteres'],
      [{ reason: 'ok', more: 1 }, '/more', 'Membro desconhecido'],
    ] as const;
    for (const [body, path, message] of refusals) {
      const { status, json } = await decide(approver, id, 'reject', body);
      expect([status, json.detail[0].path, JSON.stringify(json)]).toEqual([
        400,
        path,
        expect.stringContaining(message),
      ]);
    }
    expect(await proposalOf(author, id)).toMatchObject({ state: 'awaiting', reason: null });
    expect((await decide(approver, id, 'reject', { reason: 'Falta a nota.' })).status).toBe(204);
    expect(await proposalOf(author, id)).toMatchObject({
      state: 'rejected',
      decidedBy: APPROVER,
      reason: 'Falta a nota.',
      importId: null,
    });
    expect(await productOf(approver, codigo)).toMatchObject({ versao: '1' });
    for (const reason of ['x', 'x'.repeat(500)]) {
      const next = await proposed(author, [[codigo, 'Azul']]);
      expect((await decide(approver, next, 'reject', { reason })).status).toBe(204);
      expect(await proposalOf(author, next)).toMatchObject({ reason });
    }
  });

  test('only the author withdraws, also with leitura, but not without the company', async () => {
    const { author, approver, give, admin } = office;
    await give(AUTHOR, 'preenchimento', OTHER_COMPANY);
    const codigo = await include(approver);
    const [first, second] = [
      await proposed(author, [[codigo, 'Verde']]),
      await proposed(author, [[codigo, 'Azul']]),
    ];
    expect((await decide(approver, first, 'withdraw')).json.message).toContain('só ele pode retirá-la');
    await give(AUTHOR, 'leitura');
    expect((await decide(author, first, 'withdraw')).status).toBe(204);
    expect(await proposalOf(approver, first)).toMatchObject({ state: 'withdrawn', decidedBy: AUTHOR });
    const representation = { documento: AUTHOR, cpfCnpjRaiz: COMPANY, perfil: 'IMPEXP' };
    expect((await admin.call('DELETE', '/appliance/api/representations', representation)).status).toBe(204);
    expect((await decide(author, second, 'withdraw')).status).toBe(404);
    expect(await proposalOf(author, second)).toBeUndefined();
    expect((await approved(approver, second)).job).toMatchObject({ newVersion: 1, proposedBy: AUTHOR });
    await give(AUTHOR, 'preenchimento');
  });

  test('a second decision is 422 and has the first one; a decision about no proposal is 422 too', async () => {
    const { author, approver, other } = office;
    const codigo = await include(approver);
    const proposalId = await proposed(author, [[codigo, 'Verde']]);
    await decide(approver, proposalId, 'reject');
    const done = await proposed(author, [[codigo, 'Verde']]);
    await approved(approver, done);
    for (const [id, words] of [
      [proposalId, 'já foi recusada por Maria Demonstração'],
      [done, 'já foi aprovada por Maria Demonstração'],
    ] as const)
      for (const [client, decision] of [
        [other, 'approve'],
        [other, 'reject'],
        [author, 'withdraw'],
      ] as const) {
        const reply = await decide(client, id, decision);
        expect(codeOf(reply)).toEqual([422, 'CATP-ER1047']);
        expect(reply.json.message).toContain(words);
      }
    const dryRunId = await simulate(author, [[codigo, 'Azul']]);
    expect((await decide(approver, dryRunId, 'approve')).json.message).toContain('não foi proposta');
    expect((await decide(approver, 999_999, 'reject')).status).toBe(404);
  });
});
