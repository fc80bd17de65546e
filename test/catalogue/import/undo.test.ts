/** The undo of an import (contract section 24): each row with a change, except records that changed since. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { ITEM_CHANGES_QUERY } from '../../../src/catalogue/import/applied-change-store.ts';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { keepEvents } from '../../support/subscribed.ts';
import { openImports } from './support.ts';
import { COMPANY, IMPORTS, PLAIN, importerOf, item } from './undo-support.ts';

let server: TestApp;
let demo: Client;
let by: ReturnType<typeof importerOf>;

beforeEach(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
  by = importerOf(demo);
});

afterEach(() => server.close());

describe('an import of a file of products', () => {
  test('is undone row by row: created records are deactivated, changed ones get their earlier content', async () => {
    const codigo = await by.include({ ...PLAIN, descricao: 'Azul' });
    const { id, rows } = await by.importFile([
      item({ denominacao: 'Nova' }),
      item({ seq: 2, codigo, descricao: 'Verde', codigosInterno: ['A'] }),
      item({ seq: 3, codigo: 99_999 }),
    ]);
    const createdCode = Number(rows[0].codigo);
    const undo = await by.undo(id);
    expect(undo.job).toMatchObject({
      tipo: 'produto',
      modo: 'lote',
      simular: false,
      changesMany: false,
      undoes: id,
      state: 'done',
      total: 2,
      newVersion: 1,
      deactivated: 1,
      failed: 0,
      fileName: `Desfaz a importação ${id}`,
    });
    expect(undo.rows).toMatchObject([
      {
        codigo: String(codigo),
        versao: '3',
        outcome: 'newVersion',
        name: 'Caixa',
        changes: [
          { member: 'descricao', heading: 'Descrição', before: 'Verde', after: 'Azul' },
          { member: 'codigosInterno', before: 'A', after: null },
        ],
      },
      {
        codigo: String(createdCode),
        versao: '1',
        outcome: 'deactivated',
        name: 'Nova',
        changes: [{ member: 'situacao', before: 'ATIVADO', after: 'DESATIVADO' }],
      },
    ]);
    expect(await by.get(codigo)).toMatchObject({ versao: '3', descricao: 'Azul', codigosInterno: [] });
    expect(await by.get(createdCode)).toMatchObject({ situacao: 'DESATIVADO' });
  });

  test('does not change in a dry run, which lists the planned changes', async () => {
    const codigo = await by.include({ ...PLAIN, descricao: 'Azul' });
    const { id } = await by.importFile([item({ codigo, descricao: 'Verde' })]);
    const dryRun = await by.undo(id, { simular: true });
    expect(dryRun.job).toMatchObject({ simular: true, undoes: id, newVersion: 1 });
    expect(dryRun.rows).toMatchObject([{ outcome: 'newVersion', changes: [{ after: 'Azul' }] }]);
    expect(await by.get(codigo)).toMatchObject({ versao: '2', descricao: 'Verde' });
    expect((await by.undo(id)).rows).toMatchObject([{ outcome: 'newVersion', versao: '3' }]);
  });

  test('is undone once: the second time every row has changed since', async () => {
    const codigo = await by.include({ ...PLAIN, descricao: 'Azul' });
    const { id } = await by.importFile([item({ codigo, descricao: 'Verde' }), item({ seq: 2 })]);
    await by.undo(id);
    const again = await by.undo(id);
    expect(again.job).toMatchObject({ failed: 2, newVersion: 0, deactivated: 0 });
    expect(again.rows.map((row: { readonly problems: unknown }) => row.problems)).toMatchObject([
      [{ code: 'CATP-ER1027', message: expect.stringMatching(/^mudouDepois: o produto \d+ mudou depois/) }],
      [{ code: 'CATP-ER1027' }],
    ]);
  });

  test('is undone completely after its results are deleted', async () => {
    const codigo = await by.include({ ...PLAIN, descricao: 'Azul' });
    const { id } = await by.importFile([item({ codigo, descricao: 'Verde' }), item({ seq: 2 })]);
    await demo.call('DELETE', `${IMPORTS}/${id}/results`);
    expect((await demo.call('GET', `${IMPORTS}/${id}/results`)).json).toEqual([]);
    expect((await by.undo(id)).job).toMatchObject({ newVersion: 1, deactivated: 1, failed: 0 });
    expect(await by.get(codigo)).toMatchObject({ descricao: 'Azul' });
  });

  test.each([
    ['another version', (codigo: number) => by.replace(codigo, { ...PLAIN, descricao: 'Roxo' })],
    ['its deactivation', (codigo: number) => by.change({ codigos: [codigo], deactivate: true })],
  ])('skips %s, and undoes the other rows', async (_what, change) => {
    const [first, second] = [await by.include(), await by.include({ ...PLAIN, denominacao: 'Outra' })];
    const { id } = await by.importFile([
      item({ codigo: first, descricao: 'Verde' }),
      item({ seq: 2, codigo: second, denominacao: 'Outra', descricao: 'Verde' }),
    ]);
    await change(first);
    const before = await by.get(first);
    const { job, rows } = await by.undo(id);
    expect(job).toMatchObject({ newVersion: 1, failed: 1 });
    expect(rows).toMatchObject([
      { codigo: String(second), outcome: 'newVersion' },
      { codigo: String(first), outcome: 'failed', problems: [{ code: 'CATP-ER1027', path: '' }] },
    ]);
    expect(await by.get(first)).toEqual(before);
    expect(await by.get(second)).toMatchObject({ descricao: null });
  });

  test('that changed one record several times restores the state before the first change, at once', async () => {
    const codigo = await by.include({ ...PLAIN, descricao: 'Azul' });
    const { id } = await by.importFile([
      item({ codigo, descricao: 'Verde' }),
      item({ seq: 2, codigo, descricao: 'Roxo' }),
      item({ seq: 3, codigo, situacao: 'DESATIVADO' }),
    ]);
    expect((await by.undo(id, { simular: true })).rows).toMatchObject([{ outcome: 'newVersion' }]);
    const { rows } = await by.undo(id);
    expect(rows).toMatchObject([{ codigo: String(codigo), versao: '4', outcome: 'newVersion' }]);
    expect(await by.get(codigo)).toMatchObject({ versao: '4', situacao: 'ATIVADO', descricao: 'Azul' });
  });

  test('undoes rectifications and deactivations by new versions, and reactivations by deactivations', async () => {
    const rectifiedCode = await by.include({ ...PLAIN, descricao: 'Azul' });
    const fallen = await by.include({ ...PLAIN, denominacao: 'Caída' });
    const reactivatedCode = await by.include({ ...PLAIN, denominacao: 'Erguida', descricao: 'Azul' });
    await by.change({ codigos: [reactivatedCode], deactivate: true });
    const { id } = await by.importFile([
      item({ codigo: rectifiedCode, versao: '1', descricao: 'Verde' }),
      item({ seq: 2, codigo: fallen, denominacao: 'Caída', situacao: 'DESATIVADO' }),
      item({ seq: 3, codigo: reactivatedCode, denominacao: 'Erguida', descricao: 'Verde' }),
    ]);
    const { rows } = await by.undo(id);
    expect(rows).toMatchObject([
      { codigo: String(reactivatedCode), versao: '3', outcome: 'deactivated' },
      { codigo: String(fallen), versao: '2', outcome: 'newVersion' },
      { codigo: String(rectifiedCode), versao: '2', outcome: 'newVersion' },
    ]);
    expect(await by.get(rectifiedCode)).toMatchObject({
      versao: '2',
      descricao: 'Azul',
      situacao: 'ATIVADO',
    });
    expect(await by.get(fallen)).toMatchObject({ versao: '2', situacao: 'ATIVADO' });
    expect(await by.get(reactivatedCode)).toMatchObject({
      versao: '3',
      descricao: 'Azul',
      situacao: 'DESATIVADO',
    });
  });

  test('of drafts restores their content, and restores a deactivated draft', async () => {
    const { id: first, rows } = await by.importFile([item({ situacao: 'RASCUNHO', descricao: 'Azul' })]);
    const codigo = Number(rows[0].codigo);
    const draftImport = await by.importFile([item({ codigo, situacao: 'RASCUNHO', descricao: 'Verde' })]);
    expect((await by.undo(first)).rows).toMatchObject([{ problems: [{ code: 'CATP-ER1027' }] }]);
    expect((await by.undo(draftImport.id)).rows).toMatchObject([{ versao: '1', outcome: 'newVersion' }]);
    expect(await by.get(codigo)).toMatchObject({ situacao: 'RASCUNHO', descricao: 'Azul', versao: '1' });
    const fallen = await by.undo(first);
    expect(await by.get(codigo)).toMatchObject({ situacao: 'DESATIVADO' });
    await by.undo(fallen.id);
    expect(await by.get(codigo)).toMatchObject({ situacao: 'RASCUNHO', descricao: 'Azul', versao: '1' });
  });

  test('of a draft that it activated is refused: an active product is no draft again', async () => {
    const { rows } = await by.importFile([item({ situacao: 'RASCUNHO' })]);
    const { id } = await by.importFile([item({ codigo: Number(rows[0].codigo) })]);
    expect((await by.undo(id)).rows).toMatchObject([
      {
        outcome: 'failed',
        problems: [{ code: 'CATP-ER1038', message: expect.stringContaining('rascunho') }],
      },
    ]);
  });

  test('is in the audit and the history with the user who undid it', async () => {
    const codigo = await by.include({ ...PLAIN, descricao: 'Azul' });
    const { id } = await by.importFile([item({ codigo, descricao: 'Verde' })]);
    const undo = await by.undo(id);
    const [, , last] = await by.versions(codigo);
    expect(last).toMatchObject({ versao: '3', madeBy: '00000000191' });
    const admin = await server.as('admin');
    const audit = (await admin.call('GET', '/appliance/api/audit?limit=20')).json;
    const entries = audit.items ?? audit;
    expect(entries).toContainEqual(
      expect.objectContaining({ action: 'NOVA_VERSAO', channel: 'import', before: '2', after: '3' }),
    );
    expect(entries).toContainEqual(
      expect.objectContaining({ action: 'INCLUSAO', subject: expect.stringContaining(`${undo.id}`) }),
    );
  });
});

describe('an undo', () => {
  test('by a colleague belongs to that user, in the history and in the events', async () => {
    await keepEvents(server, 'catp-prod-alterado');
    const codigo = await by.include({ ...PLAIN, descricao: 'Azul' });
    const { id } = await by.importFile([item({ codigo, descricao: 'Verde' })]);
    const colleague = importerOf(await server.as('demo2'));
    const { job } = await colleague.undo(id);
    expect(job).toMatchObject({ madeBy: '00000000272', newVersion: 1 });
    const [, imported, undone] = await by.versions(codigo);
    expect([imported.madeBy, undone.madeBy]).toEqual(['00000000191', '00000000272']);
    const events = server.app.core.db
      .prepare<[], string>(`SELECT conteudo FROM event WHERE evento = 'catp-prod-alterado' ORDER BY id`)
      .pluck()
      .all();
    expect(events).toHaveLength(3);
    expect(events.at(-1)).toContain('NOVA_VERSAO');
  });

  test('can be undone, again and again', async () => {
    const codigo = await by.include({ ...PLAIN, descricao: 'Azul' });
    const { id, rows } = await by.importFile([item({ codigo, descricao: 'Verde' }), item({ seq: 2 })]);
    const createdCode = Number(rows[1].codigo);
    const firstUndo = await by.undo(id);
    const secondUndo = await by.undo(firstUndo.id);
    expect(secondUndo.job).toMatchObject({ undoes: firstUndo.id, newVersion: 2, failed: 0 });
    expect(await by.get(codigo)).toMatchObject({ versao: '4', descricao: 'Verde' });
    expect(await by.get(createdCode)).toMatchObject({ versao: '2', situacao: 'ATIVADO' });
    await by.undo(secondUndo.id);
    expect(await by.get(codigo)).toMatchObject({ versao: '5', descricao: 'Azul' });
    expect(await by.get(createdCode)).toMatchObject({ situacao: 'DESATIVADO' });
  });

  test('continues when the results of its import are deleted during the undo', async () => {
    const codigo = await by.include({ ...PLAIN, descricao: 'Azul' });
    const { id } = await by.importFile([item({ codigo, descricao: 'Verde' })]);
    const { json } = await by.undoing(id);
    expect((await demo.call('DELETE', `${IMPORTS}/${id}/results`)).status).toBe(204);
    expect((await by.ended(json.id)).rows).toMatchObject([{ outcome: 'newVersion', versao: '3' }]);
  });
});

describe('an undo is refused for', () => {
  const expectRefusal = async (id: number, text: string) => {
    const reply = await by.undoing(id);
    expect(reply.status).toBe(422);
    for (const part of ['CATP-ER1038', text]) expect(reply.text).toContain(part);
  };

  test('a dry run', async () => {
    await expectRefusal((await by.importFile([item({})], { simular: 'true' })).id, 'é uma simulação');
  });

  test('a mirror of a catalogue', async () => {
    const items = [item({ codigo: 7, versao: '1' })];
    await expectRefusal((await by.importFile(items, { modo: 'espelho' })).id, 'modo espelho');
  });

  test('an import that changed nothing', async () => {
    await expectRefusal((await by.importFile([item({ codigo: 99_999 })])).id, 'nenhuma de suas linhas');
  });

  test('an import whose row changes an older version did not record', async () => {
    const { id } = await by.importFile([item({})]);
    server.app.core.db.exec('UPDATE import_result SET did = NULL');
    await expectRefusal(id, 'não foi registrado');
  });

  test('an import of concession acts', async () => {
    const codigoProduto = await by.include();
    const act = { seq: 1, cpfCnpjRaiz: COMPANY, codigoProduto, numeroAto: '20260000001', numeroItem: '1' };
    await expectRefusal((await by.importFile([act], { tipo: 'ato-concessorio' })).id, 'atos concessórios');
  });

  test('an import that is not over', async () => {
    const id = await by.send([item({})]);
    await expectRefusal(id, 'ainda não terminou');
    await by.ended(id);
  });

  test('an unknown import, or one that the caller does not see', async () => {
    expect((await by.undoing(999)).status).toBe(404);
    const { id } = await by.importFile([item({})]);
    expect((await importerOf(await server.as('estranho')).undoing(id)).status).toBe(404);
  });

  test('a user without the right to write, or an invalid body', async () => {
    const { id } = await by.importFile([item({})]);
    expect((await importerOf(await server.as('admin')).undoing(id)).status).toBe(403);
    expect((await by.undoing(id, { outro: 1 })).status).toBe(400);
  });
});

test('the changes of rows are found by the key of results', async () => {
  const imports = await openImports();
  const plan = imports.core.db
    .prepare(`EXPLAIN QUERY PLAN ${ITEM_CHANGES_QUERY}`)
    .all({ id: 1, before: 1, limit: 1 });
  const indexSteps = (plan as { detail: string }[]).flatMap(({ detail }) =>
    /SEARCH/.test(detail) ? [detail] : [],
  );
  expect(indexSteps).toEqual([
    'SEARCH import_result USING PRIMARY KEY (job_id=? AND idx<?)',
    'SEARCH import_done USING PRIMARY KEY (job_id=? AND idx<?)',
  ]);
  await imports.close();
});
