/** A proposal waits unchanged, is announced, and ends after 90 days (contract section 27). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '../../../src/clock.ts';
import { CELLS_QUERIES } from '../../../src/catalogue/import/cells-store.ts';
import { PROPOSAL_QUERIES } from '../../../src/catalogue/proposal/store.ts';
import { START, type Reply } from '../../support/app.ts';
import { ended, importRows } from '../sheet/support.ts';
import {
  APPROVER,
  AUTHOR,
  COMPANY,
  IMPORTS,
  type Office,
  PRODUCT,
  PRODUCTS,
  PROPOSALS,
  approved,
  codeOf,
  decide,
  eventsOf,
  include,
  item,
  openOffice,
  productOf,
  proposalOf,
  propose,
  proposed,
  upload,
} from './support.ts';

let office: Office;
beforeEach(async () => {
  office = await openOffice();
});
afterEach(() => office.server.close());

const attentionOf = async (client: Office['author'], itemKind = 'propostas') => {
  const [{ items }] = (await client.call('GET', `/appliance/api/attention?cpfCnpjRaiz=${COMPANY}`)).json;
  return items.filter(({ kind }: { readonly kind: string }) => kind === itemKind);
};

describe('a waiting proposal', () => {
  test('cannot be run, corrected, cancelled or deleted by any user', async () => {
    const { author, approver, admin } = office;
    const codigo = await include(approver);
    const id = await proposed(author, [
      [codigo, 'Verde'],
      [999_999, 'Nada'],
    ]);
    const waitingRefusal = [422, 'CATP-ER1045'] as const;
    expect(codeOf(await approver.call('POST', IMPORTS, { from: id }))).toEqual(waitingRefusal);
    const correction = { set: [{ member: 'codigo', value: `${codigo}` }] };
    expect(codeOf(await approver.call('POST', `${IMPORTS}/${id}/corrections`, correction))).toEqual(
      waitingRefusal,
    );
    expect(codeOf(await author.call('DELETE', `${IMPORTS}/${id}`))).toEqual(waitingRefusal);
    for (const client of [author, admin])
      expect(codeOf(await client.call('DELETE', `${IMPORTS}/${id}/results`))).toEqual(waitingRefusal);
    expect((await approver.call('GET', `${IMPORTS}/${id}/results`)).json).toHaveLength(2);
    expect((await decide(author, id, 'withdraw')).status).toBe(204);
    expect((await author.call('DELETE', `${IMPORTS}/${id}/results`)).status).toBe(204);
  });

  test('does not expire; after the decision it is kept like any import', async () => {
    const { author, approver, server } = office;
    const id = await proposed(author, [[await include(approver), 'Verde']]);
    const { retention } = server.app.core.imports;
    const statesAt = async (day: number): Promise<unknown[]> => {
      server.clock.moveTo(START + day * DAY_MS);
      await retention.runOnce();
      const all = (await (await server.as('demo')).call('GET', PROPOSALS)).json;
      return all.map(({ state }: { readonly state: string }) => state);
    };
    expect(await statesAt(89.5)).toEqual(['awaiting']);
    expect((await decide(await server.as('demo'), id, 'reject')).status).toBe(204);
    expect(await statesAt(178)).toEqual(['rejected']);
    expect(await statesAt(180)).toEqual([]);
  });

  test('is withdrawn by the system after 90 days, and not before', async () => {
    const { author, approver, server } = office;
    const id = await proposed(author, [[await include(approver), 'Verde']]);
    const job = server.app.core.jobs.find(({ name }) => name === 'propostas-vencidas');
    server.clock.moveTo(START + 90 * DAY_MS - 1);
    expect(await job?.runOnce()).toEqual({ withdrawn: 0 });
    expect(await proposalOf(await server.as('demo'), id)).toMatchObject({ state: 'awaiting' });
    server.clock.moveTo(START + 90 * DAY_MS);
    expect(await job?.runOnce()).toEqual({ withdrawn: 1 });
    const laterClient = await server.as('demo');
    expect(await proposalOf(laterClient, id)).toMatchObject({
      state: 'withdrawn',
      decidedBy: null,
      decidedByName: null,
      reason: 'Ninguém decidiu em 90 dias.',
    });
    expect((await decide(laterClient, id, 'approve')).json.message).toContain('já foi retirada; para propor');
    office = { ...office, admin: await server.as('admin') };
    expect((await eventsOf(office)).at(-1)).toMatchObject({
      situacao: 'RETIRADA',
      decisor: null,
      motivo: 'Ninguém decidiu em 90 dias.',
    });
  });

  test('is kept over a restart, and can be decided after it', async () => {
    const { author, approver, server } = office;
    const codigo = await include(approver);
    const id = await proposed(author, [[codigo, 'Verde']]);
    const file = await upload(author, [item(1, { denominacao: 'Do arquivo' })]);
    await propose(author, file.id);
    await server.close({ keepFolder: true });
    office = await openOffice({ folder: server.folder, clock: server.clock });
    expect((await approved(office.approver, id)).job).toMatchObject({ newVersion: 1 });
    expect((await approved(office.approver, file.id)).job).toMatchObject({ created: 1 });
    expect(await productOf(office.approver, codigo)).toMatchObject({ descricao: 'Verde' });
  });
});

describe('the stored rows of a company', () => {
  const sheetOf = (texts: readonly string[]): readonly (readonly string[])[] => [
    ['NCM', 'Nome', 'Modalidade', 'Descrição'],
    ...texts.map((text, at) => ['39269090', `Caixa ${at}`, 'IMPORTACAO', text]),
  ];

  test('include those of waiting proposals, which are never removed; a file without its rows cannot be proposed', async () => {
    await office.server.close();
    office = await openOffice({ settings: { 'planilha.guardadas': '6000' } });
    const { author, approver, server } = office;
    const big = 'x'.repeat(1900);
    const first = await importRows(author, sheetOf([big]), { simular: true });
    expect((await propose(author, first.id)).status).toBe(202);
    const second = await importRows(author, sheetOf([big]), { simular: true });
    const third = await importRows(author, sheetOf([big]), { simular: true });
    expect((await propose(author, second.id)).json.message).toContain('suas linhas não são mais guardadas');
    expect((await propose(author, third.id)).status).toBe(202);
    expect(
      codeOf(third.started.status === 202 ? await sentTooMuch(sheetOf([big, big])) : third.started),
    ).toEqual([422, 'CATP-ER1042']);
    expect((await approved(approver, first.id)).job).toMatchObject({ created: 1 });
    expect(readdirSync(join(server.folder, 'imports')).length).toBeGreaterThan(0);
  });

  const sentTooMuch = async (rows: readonly (readonly string[])[]): Promise<Reply> =>
    (await importRows(office.author, rows, { simular: true })).started;

  test('the file of a dry run is deleted with its import', async () => {
    const { author, server } = office;
    const form = new FormData();
    form.append('file', new File([JSON.stringify([{ seq: 1, cpfCnpjRaiz: COMPANY, ...PRODUCT }])], 'a.json'));
    form.append('tipo', 'produto');
    form.append('simular', 'true');
    const { id } = await ended(author, await author.call('POST', IMPORTS, form));
    const files = () => readdirSync(join(server.folder, 'imports')).length;
    expect(files()).toBe(1);
    expect((await author.call('DELETE', `${IMPORTS}/${id}/results`)).status).toBe(204);
    expect(files()).toBe(0);
  });
});

describe('the notifications of a proposal', () => {
  test('are one event of the company for each change, in its order', async () => {
    const { author, approver, admin } = office;
    const codigo = await include(approver);
    const ids = [
      await proposed(author, [[codigo, 'Verde']]),
      await proposed(author, [[codigo, 'Azul']]),
      await proposed(author, [[codigo, 'Preta']]),
    ];
    await decide(approver, ids[0] ?? 0, 'reject', { reason: 'Não é verde.' });
    await decide(author, ids[1] ?? 0, 'withdraw');
    await approved(approver, ids[2] ?? 0);
    const proposalMembers = { cpfCnpjRaiz: COMPANY, itens: 1, autor: AUTHOR };
    const waitingEvent = { ...proposalMembers, situacao: 'AGUARDANDO', decisor: null, motivo: null };
    expect(await eventsOf(office)).toEqual([
      ...ids.map((id) => ({ ...waitingEvent, id })),
      { ...proposalMembers, id: ids[0], situacao: 'RECUSADA', decisor: APPROVER, motivo: 'Não é verde.' },
      { ...proposalMembers, id: ids[1], situacao: 'RETIRADA', decisor: AUTHOR, motivo: null },
      { ...proposalMembers, id: ids[2], situacao: 'APROVADA', decisor: APPROVER, motivo: null },
    ]);
    const [event] = (await admin.call('GET', '/appliance/api/events?evento=catp-proposta')).json;
    expect(event).toMatchObject({ destinatarioTipo: 'CNPJ', destinatarioId: `${COMPANY}000195` });
  });

  test('request a decision of the approvers, not of the author; a dismissal lasts until there are more', async () => {
    const { author, approver, other, reader } = office;
    const codigo = await include(approver);
    const id = await proposed(author, [[codigo, 'Verde']]);
    await proposed(approver, [[codigo, 'Azul']]);
    expect(await attentionOf(approver)).toEqual([
      {
        kind: 'propostas',
        count: 1,
        href: `/aprovar?cpfCnpjRaiz=${COMPANY}`,
        tone: 'warning',
        day: '2026-01-15',
        message: '1 proposta espera uma decisão. Veja o que mudaria, e aprove ou recuse.',
      },
    ]);
    expect(await attentionOf(other)).toMatchObject([{ count: 2 }]);
    for (const client of [author, reader]) expect(await attentionOf(client)).toEqual([]);
    const dismissal = { cpfCnpjRaiz: COMPANY, kind: 'propostas' };
    expect((await other.call('POST', '/appliance/api/attention/dismissals', dismissal)).status).toBe(204);
    for (const client of [other, reader, approver]) expect(await attentionOf(client)).toEqual([]);
    await proposed(author, [[codigo, 'Preta']]);
    expect(await attentionOf(other)).toMatchObject([{ count: 3 }]);
    await decide(other, id, 'reject');
    expect(await attentionOf(other)).toEqual([]);
  });

  test('show the author each rejected proposal until it is dismissed or deleted', async () => {
    const { author, approver, other } = office;
    const codigo = await include(approver);
    const ids = [
      await proposed(author, [[codigo, 'Verde']]),
      await proposed(author, [[codigo, 'Azul']]),
      await proposed(author, [[codigo, 'Preta']]),
    ] as const;
    for (const id of ids.slice(0, 2)) await decide(approver, id, 'reject');
    await decide(author, ids[2], 'withdraw');
    const rejectionItems = (client: Office['author']) => attentionOf(client, 'recusadas');
    expect(await rejectionItems(author)).toEqual([
      expect.objectContaining({ id: `${ids[1]}` }),
      {
        kind: 'recusadas',
        id: `${ids[0]}`,
        count: 1,
        href: `/importar/${ids[0]}?cpfCnpjRaiz=${COMPANY}`,
        tone: 'warning',
        day: '2026-01-15',
        message: `Sua proposta ${ids[0]} (planilha.csv) foi recusada por Maria Demonstração: Falta a nota. Corrija e proponha de novo, ou dispense.`,
      },
    ]);
    for (const client of [approver, other]) expect(await rejectionItems(client)).toEqual([]);
    const dismissal = { cpfCnpjRaiz: COMPANY, kind: 'recusadas', id: `${ids[0]}` };
    const DISMISSALS = '/appliance/api/attention/dismissals';
    expect((await other.call('POST', DISMISSALS, dismissal)).status).toBe(404);
    expect((await author.call('POST', DISMISSALS, dismissal)).status).toBe(204);
    expect(await rejectionItems(author)).toMatchObject([{ id: `${ids[1]}` }]);
    expect(await rejectionItems(approver)).toEqual([]);
    expect(await rejectionItems(author)).toMatchObject([{ id: `${ids[1]}` }]);
    await author.call('DELETE', `${IMPORTS}/${ids[1]}/results`);
    expect(await rejectionItems(author)).toEqual([]);
  });
});

describe('an import that changes the identity of many products', () => {
  test('waits for the number, with its proposal', async () => {
    const { author, approver } = office;
    const cells = [['Código do produto', 'NCM', 'Denominação']];
    for (let n = 0; n < 6; n += 1)
      cells.push([`${await include(approver, { denominacao: `Peça ${n}` })}`, '73181500', `Outra ${n}`]);
    const order = { simular: true, key: 'codigo', expected: 6 };
    const { id, started } = await importRows(author, cells, order);
    expect(started.status).toBe(202);
    await propose(author, id);
    const braked = await decide(approver, id, 'approve');
    expect(codeOf(braked)).toEqual([422, 'APPL-ER0450']);
    expect((await proposalOf(approver, id)).state).toBe('awaiting');
    expect((await approved(approver, id, { expected: 6 })).job).toMatchObject({ newVersion: 6 });
  });
});

test('the history of a record in a public operation names no proposal', async () => {
  const codigo = await include(office.approver);
  await office.approver.call('PUT', `${PRODUCTS}/${COMPANY}/${codigo}`, { ...PRODUCT, descricao: 'Azul' });
  const history = await office.approver.call('GET', `/appliance/api/products/${COMPANY}/${codigo}/versions`);
  expect(history.json[1]).toMatchObject({ proposedBy: null, proposedByName: null });
});

test('the queries use their indexes', () => {
  const { db } = office.server.app.core;
  const values = { companies: '[]', id: null, state: null, tipo: null, codigo: null, limit: 1 };
  const plan = (sql: string, ...parameters: unknown[]): string =>
    (db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...(parameters as [])) as { readonly detail: string }[])
      .map(({ detail }) => detail)
      .join('; ');
  expect(plan(PROPOSAL_QUERIES.list, values)).toContain('proposal_of_company');
  expect(plan(PROPOSAL_QUERIES.awaiting, COMPANY, AUTHOR)).toContain('proposal_awaiting');
  expect(plan(PROPOSAL_QUERIES.rejected, COMPANY, AUTHOR, 1)).toContain('proposal_of_company');
  expect(plan(PROPOSAL_QUERIES.overdue, 0)).toContain('proposal_awaiting');
  expect(plan(CELLS_QUERIES.unfinishedOf, COMPANY)).toContain('import_cells_kept');
});
