/** Runs that fetch (contract section 18): skipped records, stop and resume, and refusals. */
import { describe, expect, test } from 'bun:test';
import { COMMAND_LINE, localOperator } from '../../src/session/model.ts';
import { COMPANY } from './support.ts';
import {
  LINKS,
  ask,
  change,
  clock,
  compareAll,
  counts,
  deactivate,
  fetchChanges,
  localApp,
  include,
  linkOf,
  maker,
  ok,
  ours,
  product,
  restart,
  waitUntilIdle,
  runWithSteps,
  theirs,
  stepLines,
  twoSidesForEachTest,
} from './two-sides.ts';

twoSidesForEachTest();

describe('a run that fetches', () => {
  test('skips records that changed locally since the comparison as mudouDepois, also between plan and import', async () => {
    await include(theirs, 'A');
    await fetchChanges();
    await change(theirs, 1, 'A lá');
    const { id } = await compareAll();
    await change(ours, 1, 'A aqui');
    const planned = await fetchChanges({ simulate: true }, id);
    expect(planned.steps).toMatchObject([{ outcome: 'skipped', code: 'mudouDepois' }]);
    expect(planned.run).toMatchObject({ simulated: true, imports: [] });
    const { core } = localApp.app;
    const again = await compareAll(); // mudouNosDois: a person has to decide
    await ok(ours, 'POST', `/appliance/api/comparisons/${again.id}/pairs`, {
      kind: 'produto',
      codigo: '1',
      remoteCodigo: '1',
      keep: 'there',
    });
    const { id: runId } = (await ask(again.id)).json;
    while (core.remote.runStore.find(runId)?.planned !== true) await Bun.sleep(0);
    await change(ours, 1, 'A aqui outra vez');
    await waitUntilIdle();
    const { run, steps } = await runWithSteps(runId);
    // Either change may win, but never both.
    if (run.sent === 0) expect(steps).toMatchObject([{ outcome: 'skipped', code: 'mudouDepois' }]);
    expect((await product(1)).denominacao).toBe('A aqui outra vez');
  });

  test('fetches a record for which a person decided to keep the remote content', async () => {
    await include(theirs, 'A', { codigosInterno: ['X'] });
    await include(ours, 'B', { codigosInterno: ['X'] });
    const { id } = await compareAll();
    await ok(ours, 'POST', `/appliance/api/comparisons/${id}/pairs`, {
      kind: 'produto',
      codigo: '1',
      remoteCodigo: '1',
      keep: 'there',
    });
    expect(stepLines((await fetchChanges({}, id)).steps)).toEqual(['produto newVersion 1 sent']);
    expect(await counts()).toEqual({ operador: {}, produto: { igual: 1 }, vinculo: {} });
  });

  test('fetches only the requested records, and shows them first if requested', async () => {
    for (const name of ['A', 'B']) await include(theirs, name);
    await maker(theirs);
    const { id } = await compareAll();
    const planned = await fetchChanges({ simulate: true }, id);
    expect(stepLines(planned.steps)).toEqual([
      'operador include OPE_1 pending',
      'produto include 1 pending',
      'produto include 2 pending',
    ]);
    expect(await ok(ours, 'GET', '/appliance/api/imports')).toEqual([]);
    const totals = [];
    for (const body of [{ kinds: ['operador'] }, { states: ['mudouLa'] }, { codigos: ['2'] }])
      totals.push((await fetchChanges({ simulate: true, ...body }, id)).run.total);
    expect(totals).toEqual([1, 0, 1]);
    const { run } = await fetchChanges({ codigos: ['2'] }, id);
    expect([run.sent, (await product(2)).denominacao, await product(1)]).toEqual([1, 'B', undefined]);
  });

  test('can be undone import by import, and the next comparison reflects it', async () => {
    await include(theirs, 'A');
    await fetchChanges();
    await change(theirs, 1, 'A mudou');
    await include(theirs, 'B');
    const { run } = await fetchChanges();
    const [id] = run.imports;
    await ok(ours, 'POST', `/appliance/api/imports/${id}/undo`, {});
    await localApp.app.core.imports.runner.idle();
    expect(await product(1)).toMatchObject({ denominacao: 'A', versao: '3' });
    expect((await product(2)).situacao).toBe('DESATIVADO');
    expect((await counts()).produto).toEqual({ mudouAqui: 1, desativadoAqui: 1 });
  });

  test('appears as imports of the company, in the audit with the channel remote, and in events', async () => {
    await ok(ours, 'POST', '/portal/api/ext/webhook', {
      evento: 'catp-prod-alterado',
      endpoint: 'https://erp.exemplo/',
    });
    await include(theirs, 'A');
    const { run } = await fetchChanges();
    expect(await ok(ours, 'GET', `/appliance/api/imports/${run.imports[0]}`)).toMatchObject({
      tipo: 'produto',
      state: 'done',
      created: 1,
      failed: 0,
      changesMany: false,
      cpfCnpjRaiz: COMPANY,
      fileName: 'Trazido de portal: produtos',
    });
    const admin = await localApp.as('admin');
    const { items } = (await admin.call('GET', '/appliance/api/audit')).json;
    const came = items.filter(({ channel }: { channel: string }) => channel === 'remote');
    expect(came).toMatchObject([
      { action: 'CONCLUSAO', subject: 'importacao 1', key: 'demo' },
      { action: 'INCLUSAO', subject: `produto ${COMPANY}/1`, actor: '00000000191', key: 'demo' },
    ]);
    const conteudo = localApp.app.core.db.prepare('SELECT conteudo FROM event').pluck().all() as string[];
    expect(conteudo.map((text) => JSON.parse(text))).toMatchObject([{ codigo: 1, operacao: 'INCLUSAO' }]);
  });

  test('continues after a restart from the stored state, with no item twice', async () => {
    for (let n = 0; n < 30; n += 1) await include(theirs, `Produto ${n}`);
    const started = await ask((await compareAll()).id);
    const { remote } = localApp.app.core;
    while (remote.runStore.find(started.json.id)?.imports.length === 0) await Bun.sleep(0);
    await restart();
    await waitUntilIdle();
    const { run } = await runWithSteps(started.json.id);
    expect(run).toMatchObject({ state: 'done', total: 30, sent: 30, refused: 0 });
    expect(run.imports).toHaveLength(1);
    expect((await counts()).produto).toEqual({ igual: 30 });
  });

  test('of a command is processed like any other, in the name of the command line', async () => {
    await include(theirs, 'A');
    const { id: comparisonId } = await compareAll();
    const { remote } = localApp.app.core;
    const caller = { ...localOperator([COMPANY]), documento: COMMAND_LINE };
    const id = await remote.runs.start(caller, comparisonId, { direction: 'fetch' });
    await waitUntilIdle();
    expect(remote.runStore.find(id)).toMatchObject({ state: 'done', imports: [1] });
    expect((await counts()).produto).toEqual({ igual: 1 });
    const { items } = (await (await localApp.as('admin')).call('GET', '/appliance/api/audit')).json;
    const came = items.find(({ subject }: { subject: string }) => subject === `produto ${COMPANY}/1`);
    expect(came).toMatchObject({ channel: 'remote', actor: 'linha de comando', key: null });
    expect(came).not.toHaveProperty('notRecorded');
  });

  test('is cancelled with its running import, and ends if an import of it is cancelled', async () => {
    await include(theirs, 'A');
    const { id } = await compareAll();
    const { remote, imports } = localApp.app.core;
    await imports.runner.stop(); // queued imports wait
    const started = (await ask(id)).json.id;
    while (remote.runStore.find(started)?.imports.length === 0) await Bun.sleep(1);
    expect((await ask(id)).json.detail[0].code).toBe('CATP-ER1507');
    const cancelled = await ok(ours, 'DELETE', `/appliance/api/runs/${started}`);
    expect(cancelled.state).toBe('cancelled');
    const [one] = await ok(ours, 'GET', '/appliance/api/imports');
    expect(one.state).toBe('cancelled');
    const second = (await ask(id)).json.id;
    while (remote.runStore.find(second)?.imports.length === 0) await Bun.sleep(1);
    const [importId] = remote.runStore.find(second)?.imports ?? [];
    await ok(ours, 'DELETE', `/appliance/api/imports/${importId}`);
    await waitUntilIdle();
    const { run } = await runWithSteps(second);
    expect([run.state, run.reason]).toEqual([
      'cancelled',
      `importação ${importId}: cancelada por quem a pediu`,
    ]);
    await imports.runner.resume();
    expect((await fetchChanges({}, id)).run).toMatchObject({ state: 'done', sent: 1 });
  });

  test('is paused after the running import, and can be resumed', async () => {
    await include(theirs, 'A');
    await ok(theirs, 'POST', LINKS, linkOf(1, await maker(theirs)));
    const { id } = await compareAll();
    const { remote, imports } = localApp.app.core;
    await imports.runner.stop();
    const started = (await ask(id)).json.id;
    while (remote.runStore.find(started)?.imports.length === 0) await Bun.sleep(1);
    expect((await ok(ours, 'POST', `/appliance/api/runs/${started}/pause`)).state).toBe('paused');
    await imports.runner.resume();
    await imports.runner.idle();
    await remote.runRunner.idle();
    expect((await runWithSteps(started)).run).toMatchObject({ state: 'paused', sent: 1, total: 3 });
    await ok(ours, 'POST', `/appliance/api/runs/${started}/resume`);
    await waitUntilIdle();
    expect((await runWithSteps(started)).run).toMatchObject({ state: 'done', sent: 3 });
  });

  test('names the record that failed by an internal fault of its import, and fails with it', async () => {
    await include(theirs, 'A');
    const { id } = await compareAll();
    localApp.app.core.db.exec(
      `CREATE TEMP TRIGGER broken BEFORE UPDATE ON remote_step BEGIN SELECT RAISE(FAIL, 'não vai'); END`,
    );
    const { run } = await fetchChanges({}, id);
    expect([run.state, run.reason]).toEqual(['failed', expect.stringContaining('importação 1: ')]);
    expect(await product(1)).toBeUndefined();
  });
});

describe('the exports of a comparison', () => {
  const files = () => localApp.app.core.remote.store.listKeptFiles();

  test('are kept while they can be fetched from, until the next comparison at most', async () => {
    await include(theirs, 'A');
    await compareAll();
    const first = files();
    expect(first).toHaveLength(2);
    await compareAll();
    expect(files()).toHaveLength(2);
    expect(files()).not.toEqual(first);
    for (const name of first)
      expect(await Bun.file(`${localApp.folder}/imports/${name}`).exists()).toBe(false);
    await fetchChanges();
    await compareAll();
    expect(files()).toEqual([]);
  });

  test('are deleted with their comparison after 30 days, and a run without them is refused', async () => {
    await include(theirs, 'A');
    const { id } = await compareAll();
    const [name] = files();
    const { db, remote } = localApp.app.core;
    const storedBytes = db.prepare('SELECT kept FROM remote_comparison WHERE id = ?').pluck().get(id);
    db.prepare('UPDATE remote_comparison SET kept = NULL').run();
    const refused = await ask(id);
    expect([refused.status, refused.json.detail[0].code]).toEqual([422, 'CATP-ER1525']);
    db.prepare('UPDATE remote_comparison SET kept = ?').run(storedBytes);
    clock.moveTo(clock.now() + 31 * 86_400_000);
    await remote.retention.runOnce();
    expect(files()).toEqual([]);
    expect(await Bun.file(`${localApp.folder}/imports/${name}`).exists()).toBe(false);
  });
});

describe('a run that fetches is refused', () => {
  test('if it would deactivate more than the greater of 10 and 5 % of the active local records', async () => {
    const codes = [];
    for (let n = 0; n < 11; n += 1) codes.push(await include(theirs, `P ${n}`));
    await fetchChanges();
    for (const codigo of codes.slice(1)) await deactivate(theirs, codigo);
    expect((await ask((await compareAll()).id, { simulate: true })).status).toBe(202);
    await waitUntilIdle();
    await deactivate(theirs, codes[0] as number);
    const { id } = await compareAll();
    const refused = await ask(id);
    expect([refused.status, refused.json.detail[0].code]).toEqual([422, 'APPL-ER0451']);
    expect(refused.json.message).toContain(
      'desativaria aqui 11 produto(s) e operador(es), e o permitido é 10',
    );
    expect((await ask(id, { maxDeactivations: 10 })).status).toBe(422);
    expect((await ask(id, { codigos: ['1'] })).status).toBe(202);
    await waitUntilIdle();
    expect((await product(1)).situacao).toBe('DESATIVADO');
  });

  test('for users who do not represent the company, and for states that are sent', async () => {
    const { id } = await compareAll();
    expect((await ask(id, {}, await localApp.as('estranho'))).status).toBe(404);
    expect((await ask(id, { states: ['soAqui'] })).json.detail[0]).toMatchObject({
      code: 'CATP-ER1510',
      path: '/states',
    });
  });
});
