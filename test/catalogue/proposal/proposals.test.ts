/** A dry run is proposed, decided by another person, and executed as it was shown (contract section 27). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  APPROVER,
  AUTHOR,
  COMPANY,
  IMPORTS,
  OTHER_COMPANY,
  type Office,
  PRODUCT,
  PRODUCTS,
  PROPOSALS,
  approved,
  codeOf,
  decide,
  include,
  item,
  openOffice,
  productOf,
  proposalOf,
  propose,
  proposed,
  simulate,
  upload,
} from './support.ts';

let office: Office;
beforeAll(async () => {
  office = await openOffice({ settings: { ambiente: 'producao' } });
});
afterAll(() => office.server.close());

const jobOf = async (id: number) => (await office.approver.call('GET', `${IMPORTS}/${id}`)).json;

describe('a proposal', () => {
  test('makes the dry run wait, and is listed with its counts for all users with the company', async () => {
    const { author, approver, reader } = office;
    const codigo = await include(approver);
    const id = await simulate(author, [
      [codigo, 'Verde'],
      [999_999, 'Nada'],
    ]);
    const reply = await propose(author, id, { note: 'Conferido com a nota.' });
    expect([reply.status, reply.json]).toEqual([202, { id }]);
    expect(await jobOf(id)).toMatchObject({
      state: 'awaiting',
      simular: true,
      proposal: null,
      proposedBy: null,
    });
    const expectedEntry = {
      id,
      cpfCnpjRaiz: COMPANY,
      tipo: 'produto',
      kind: 'planilha',
      fileName: 'planilha.csv',
      by: AUTHOR,
      byName: 'Bia',
      at: expect.stringContaining('2026-01-15T'),
      note: 'Conferido com a nota.',
      total: 2,
      created: 0,
      newVersion: 1,
      deactivated: 0,
      failed: 1,
      state: 'awaiting',
      decidedBy: null,
      decidedByName: null,
      decidedAt: null,
      reason: null,
      importId: null,
    };
    for (const client of [author, approver, reader])
      expect(await proposalOf(client, id)).toEqual(expectedEntry);
    const rows = (await approver.call('GET', `${IMPORTS}/${id}/results`)).json;
    expect(rows[0].changes).toEqual([
      { member: 'descricao', heading: 'Descrição', before: 'Caixa plástica', after: 'Verde' },
    ]);
  });

  test('is not listed for other users, public agents and administrators', async () => {
    const { server, admin } = office;
    for (const client of [admin, await server.as('estranho'), await server.as('publico')])
      expect((await client.call('GET', PROPOSALS)).json).toEqual([]);
    const stranger = await server.as('estranho');
    expect((await stranger.call('GET', `${PROPOSALS}?cpfCnpjRaiz=${COMPANY}`)).status).toBe(403);
    expect((await admin.call('GET', `${PROPOSALS}?cpfCnpjRaiz=${COMPANY}`)).status).toBe(403);
    const agent = await server.as('publico');
    expect((await agent.call('GET', `${PROPOSALS}?cpfCnpjRaiz=${COMPANY}`)).json).toEqual([]);
    expect((await server.anybody.call('GET', PROPOSALS)).status).toBe(401);
  });

  test('is filtered by company, state and record', async () => {
    const { author, approver } = office;
    const codigo = await include(approver);
    const id = await proposed(author, [[codigo, 'Verde']]);
    const ids = async (query: string): Promise<number[]> =>
      (await approver.call('GET', `${PROPOSALS}?${query}`)).json.map(
        (one: { readonly id: number }) => one.id,
      );
    expect(await ids(`cpfCnpjRaiz=${COMPANY}&state=awaiting`)).toContain(id);
    expect(await ids(`cpfCnpjRaiz=${OTHER_COMPANY}`)).toEqual([]);
    expect(await ids('state=approved')).not.toContain(id);
    expect(await ids(`tipo=produto&codigo=${codigo}`)).toEqual([id]);
    expect(await ids(`tipo=fabricante&codigo=${codigo}`)).toEqual([]);
    expect(await ids('limit=1')).toEqual([id]);
    await proposed(author, [[codigo, 'Azul']]);
    expect(await ids(`id=${id}`)).toEqual([id]);
    expect(await ids(`id=${id}&state=approved`)).toEqual([]);
    expect(await ids(`id=${id}&cpfCnpjRaiz=${OTHER_COMPANY}`)).toEqual([]);
    for (const query of ['limit=0', 'limit=1001', 'state=open', 'cpfCnpjRaiz=1', 'id=0', 'id=x'])
      expect((await approver.call('GET', `${PROPOSALS}?${query}`)).status).toBe(400);
    expect((await approver.call('GET', `${PROPOSALS}?limit=1000`)).status).toBe(200);
  });

  test('has a note of 1 to 500 characters', async () => {
    const codigo = await include(office.approver);
    const id = await simulate(office.author, [[codigo, 'Verde']]);
    const longNote = await propose(office.author, id, { note: 'x'.repeat(501) });
    expect([longNote.status, longNote.json.detail[0].path]).toEqual([400, '/note']);
    expect((await propose(office.author, id, { more: 1 })).status).toBe(400);
    expect((await propose(office.author, id, { note: 'x'.repeat(500) })).status).toBe(202);
    const secondId = await simulate(office.author, [[codigo, 'Azul']]);
    expect((await propose(office.author, secondId, { note: 'x' })).status).toBe(202);
    // A note is optional, and an empty optional text counts as none.
    const third = await simulate(office.author, [[codigo, 'Amarelo']]);
    expect((await propose(office.author, third, { note: '' })).status).toBe(202);
    expect(await proposalOf(office.author, third)).toMatchObject({ note: null });
  });

  test('is 403 with leitura, which still simulates', async () => {
    const { reader, approver } = office;
    const id = await simulate(reader, [[await include(approver), 'Verde']]);
    const { status, text } = await propose(reader, id);
    const lacks = 'Seu papel para esta empresa é leitura; isto pede preenchimento. Peça a quem o tem: ';
    expect([status, text]).toEqual([403, expect.stringContaining(lacks)]);
    expect(await proposalOf(approver, id)).toBeUndefined();
    expect(await jobOf(id)).toMatchObject({ state: 'done' });
  });

  test('belongs to the owner of the dry run only', async () => {
    const { author, approver, other, server } = office;
    const id = await simulate(author, [[await include(approver), 'Verde']]);
    expect((await propose(approver, id)).status).toBe(403);
    expect((await propose(other, id)).json.message).toContain('só ele pode propô-la');
    expect((await propose(await server.as('estranho'), id)).status).toBe(404);
    expect((await propose(author, 999_999)).status).toBe(404);
    expect((await propose(server.anybody, id)).status).toBe(401);
  });

  test('of an import that is no dry run, changes nothing, or lost its rows is 422 with the reason', async () => {
    const { author, approver } = office;
    const codigo = await include(approver);
    const same = await simulate(author, [[codigo, 'Caixa plástica']]);
    expect((await propose(author, same)).json.message).toContain('nenhuma de suas linhas mudaria algo');
    expect(codeOf(await propose(author, same))).toEqual([422, 'CATP-ER1046']);
    const deletedId = await simulate(author, [[codigo, 'Verde']]);
    expect((await author.call('DELETE', `${IMPORTS}/${deletedId}/results`)).status).toBe(204);
    expect((await propose(author, deletedId)).json.message).toContain('seus resultados foram apagados');
    const written = await upload(office.author, [item(1, { situacao: 'RASCUNHO' })], { simular: 'false' });
    expect((await propose(author, written.id)).json.message).toContain('não é uma simulação');
    const emptyUpload = await upload(office.author, []);
    expect(codeOf(await propose(author, emptyUpload.id))).toEqual([422, 'CATP-ER1046']);
  });

  test('with rows of two companies is 422', async () => {
    const { author, give } = office;
    await give(AUTHOR, 'preenchimento', OTHER_COMPANY);
    const { id } = await upload(office.author, [item(1), item(2, { cpfCnpjRaiz: OTHER_COMPANY })]);
    expect((await propose(author, id)).json.message).toContain('são de várias empresas');
  });

  test('is 422 the second time, also after a decision', async () => {
    const { author, approver } = office;
    const id = await proposed(author, [[await include(approver), 'Verde']]);
    expect(codeOf(await propose(author, id))).toEqual([422, 'CATP-ER1045']);
    expect((await decide(author, id, 'withdraw')).status).toBe(204);
    expect(codeOf(await propose(author, id))).toEqual([422, 'CATP-ER1047']);
  });

  test('is made once with one idempotency key', async () => {
    const { author, approver } = office;
    const id = await simulate(author, [[await include(approver), 'Verde']]);
    const send = () =>
      author.call('POST', `${IMPORTS}/${id}/propose`, {}, { 'Idempotency-Key': `propose-${id}` });
    expect([(await send()).json, (await send()).json]).toEqual([{ id }, { id }]);
  });
});

describe('an approval', () => {
  test('writes exactly the rows, with the approver as their maker and the author as their proposer', async () => {
    const { author, approver } = office;
    const codigo = await include(approver);
    const id = await proposed(author, [[codigo, 'Verde']]);
    const { id: importId, job } = await approved(approver, id);
    expect(job).toMatchObject({
      state: 'done',
      kind: 'planilha',
      newVersion: 1,
      madeBy: APPROVER,
      proposal: id,
      proposedBy: AUTHOR,
    });
    expect(await productOf(approver, codigo)).toMatchObject({ versao: '2', descricao: 'Verde' });
    const path = `/appliance/api/products/${COMPANY}/${codigo}/versions`;
    expect((await approver.call('GET', path)).json).toMatchObject([
      { versao: '1', madeBy: APPROVER, proposedBy: null, proposedByName: null },
      { versao: '2', madeBy: APPROVER, proposedBy: AUTHOR, proposedByName: 'Bia' },
    ]);
    expect(await proposalOf(author, id)).toMatchObject({
      state: 'approved',
      decidedBy: APPROVER,
      decidedByName: 'Maria Demonstração',
      importId,
    });
    expect(await jobOf(id)).toMatchObject({ state: 'done' });
  });

  test('names both users in each entry of the audit, which lists entries by proposal', async () => {
    const { author, approver } = office;
    const codigo = await include(approver);
    const id = await proposed(author, [[codigo, 'Verde']]);
    const { id: importId } = await approved(approver, id);
    const page = await office.admin.call('GET', `/appliance/api/audit?proposal=${id}`);
    const entries = page.json.items.map(({ action, subject, actor, proposedBy, proposal }: Entry) => ({
      action,
      subject,
      by: [actor, proposedBy, proposal],
    }));
    expect(entries.toReversed()).toEqual(
      [
        ['INCLUSAO', `importacao ${importId}`],
        ['APROVACAO', `importacao ${id}`],
        ['NOVA_VERSAO', `produto ${COMPANY}/${codigo}`],
        ['CONCLUSAO', `importacao ${importId}`],
      ].map(([action, subject]) => ({ action, subject, by: [APPROVER, AUTHOR, id] })),
    );
  });

  test('skips a record that changed since, with the error mudouDepois in its row', async () => {
    const { author, approver, other } = office;
    const [first, second] = [await include(approver), await include(approver)];
    const id = await proposed(author, [
      [first, 'Verde'],
      [second, 'Verde'],
    ]);
    await other.call('PUT', `${PRODUCTS}/${COMPANY}/${second}`, { ...PRODUCT, descricao: 'Azul' });
    const { job, rows } = await approved(approver, id);
    expect(job).toMatchObject({ newVersion: 1, failed: 1 });
    expect(rows[1].errors[0]).toContain('mudouDepois');
    expect(await productOf(approver, first)).toMatchObject({ descricao: 'Verde' });
    expect(await productOf(approver, second)).toMatchObject({ descricao: 'Azul' });
  });

  test('of 3 000 rows skips a record that another user changes at the same time, and writes every other row', async () => {
    const { author, approver, other } = office;
    const codes: number[] = [];
    for (let n = 0; n < 3000; n += 1) codes.push(await include(approver));
    const id = await proposed(
      author,
      codes.map((codigo) => [codigo, 'Verde'] as const),
    );
    const changedCodes = codes.filter((_, at) => at % 300 === 150);
    const change = (codigo: number) =>
      other.call('PUT', `${PRODUCTS}/${COMPANY}/${codigo}`, { ...PRODUCT, descricao: 'Azul' });
    const approval = approved(approver, id);
    for (const codigo of changedCodes) expect((await change(codigo)).status).toBe(200);
    const { job } = await approval;
    expect(job.newVersion + job.failed).toBe(codes.length);
    expect(job.failed).toBeLessThanOrEqual(changedCodes.length);
    const products = (await approver.call('GET', `${PRODUCTS}?cpfCnpjRaiz=${COMPANY}`)).json;
    const codesWith = (text: string): number[] =>
      products
        .filter(
          ({ codigo, descricao }: typeof PRODUCT & { codigo: number }) =>
            codigo >= (codes[0] ?? 0) && descricao === text,
        )
        .map(({ codigo }: { codigo: number }) => codigo);
    expect(codesWith('Azul')).toEqual(changedCodes);
    expect(codesWith('Verde')).toEqual(codes.filter((codigo) => !changedCodes.includes(codigo)));
  });

  test('does not write a row that failed in the dry run, also when it would succeed now', async () => {
    const { author, approver } = office;
    const codigo = await include(approver);
    const id = await proposed(author, [
      [codigo, 'Verde'],
      [codigo + 1, 'Verde'],
    ]);
    expect(await include(approver)).toBe(codigo + 1);
    const { job, rows } = await approved(approver, id);
    expect(job).toMatchObject({ newVersion: 1, failed: 1 });
    expect(rows[1].errors[0]).toContain('mudouDepois');
    expect(await productOf(approver, codigo + 1)).toMatchObject({ versao: '1' });
  });

  test('of the own proposal is 403 with any right, and without the right to approve', async () => {
    const { author, approver, reader, server, give } = office;
    const codigo = await include(approver);
    const ownProposal = await proposed(approver, [[codigo, 'Verde']]);
    for (const decision of ['approve', 'reject'] as const)
      expect((await decide(approver, ownProposal, decision)).json).toMatchObject({
        status: 403,
        message: expect.stringContaining('é sua, e outra pessoa'),
      });
    for (const client of [author, reader, await server.as('publico')])
      for (const decision of ['approve', 'reject'] as const)
        expect((await decide(client, ownProposal, decision)).status).toBe(403);
    expect((await decide(await server.as('estranho'), ownProposal, 'approve')).status).toBe(404);
    await give(AUTHOR, 'aprovacao', OTHER_COMPANY);
    for (const decision of ['approve', 'reject'] as const)
      expect((await decide(author, ownProposal, decision)).json.message).toContain(
        'Seu papel para esta empresa é preenchimento; isto pede aprovacao.',
      );
    await give(AUTHOR, 'preenchimento', OTHER_COMPANY);
    expect((await approved(office.other, ownProposal)).job).toMatchObject({
      newVersion: 1,
      proposedBy: APPROVER,
    });
  });

  test('is done once with one idempotency key', async () => {
    const { author, approver } = office;
    const id = await proposed(author, [[await include(approver), 'Verde']]);
    const send = () =>
      approver.call('POST', `${IMPORTS}/${id}/approve`, {}, { 'Idempotency-Key': `approve-${id}` });
    const first = await send();
    expect(first.status).toBe(202);
    expect((await send()).json).toEqual(first.json);
  });
});

interface Entry {
  readonly action: string;
  readonly subject: string;
  readonly actor: string;
  readonly proposedBy: string | null;
  readonly proposal: number | null;
}
