/** The rows of imported spreadsheets take at most `planilha.guardadas` of the disk, company by company (contract section 24). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { csv, importRows, run, send } from './support.ts';

const IMPORTS = '/appliance/api/imports';
const LIMIT = 8192;

let server: TestApp;
let demo: Client;

beforeEach(async () => {
  server = await openApp({ demo: true, settings: { 'planilha.guardadas': String(LIMIT) } });
  demo = await server.as('demo');
});

afterEach(() => server.close());

/** Builds a good row and a failing one, with about 3 KB of stored cells. */
const rows = (name: string) => [
  ['Nome', 'NCM', 'Modalidade', 'Observação'],
  [name, '39269090', 'Importação', ''],
  [`${name} 2`, '1', 'Importação', 'x'.repeat(3000)],
];
const files = () => readdirSync(join(server.folder, 'imports'));
const isDropped = async (id: number) => (await demo.call('GET', `${IMPORTS}/${id}`)).json.cellsDropped;

describe('an import of a sheet', () => {
  test('loses its rows, the oldest import first, when newer ones of its company need the space', async () => {
    const { id: first } = await importRows(demo, rows('A'));
    const { id: second } = await importRows(demo, rows('B'));
    expect([await isDropped(first), await isDropped(second)]).toEqual([false, false]);
    const before = files().length;
    const { id: third } = await importRows(demo, rows('C'));
    expect([await isDropped(first), await isDropped(second), await isDropped(third)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(
      (await demo.call('GET', IMPORTS)).json.map((job: { cellsDropped: boolean }) => job.cellsDropped),
    ).toEqual([...[false, false, true]]);
    expect(files()).toHaveLength(before + 1); // the uploaded sheet is new; the rows of C replace those of A
  });

  test('without its rows explains why it cannot be corrected or downloaded; its results stay, and it can be undone', async () => {
    const { id } = await importRows(demo, rows('A'));
    const refusalOf = (reply: { status: number; json: { detail: { code: string; message: string }[] } }) => [
      reply.status,
      reply.json.detail[0]?.code,
      reply.json.detail[0]?.message,
    ];
    expect((await demo.call('GET', `${IMPORTS}/${id}/reasons`)).json[0].received).toHaveLength(1);
    for (const name of ['B', 'C']) await importRows(demo, rows(name));
    const refusal = [
      422,
      'CATP-ER1042',
      expect.stringMatching(/não guarda mais as linhas.*Envie a planilha de novo/),
    ];
    const set = [{ member: 'ncm', value: '39269090' }];
    expect(refusalOf(await demo.call('POST', `${IMPORTS}/${id}/corrections`, { set }))).toEqual(refusal);
    expect(refusalOf(await demo.call('GET', `${IMPORTS}/${id}/failed.xlsx`))).toEqual(refusal);
    const reasons = await demo.call('GET', `${IMPORTS}/${id}/reasons`);
    expect([reasons.status, reasons.json[0].heading, reasons.json[0].received]).toEqual([200, 'NCM', []]);
    expect((await demo.call('GET', `${IMPORTS}/${id}/results`)).json).toHaveLength(2);
    expect((await demo.call('POST', `${IMPORTS}/${id}/undo`, {})).status).toBe(202);
  });

  test('that was a dry run is not written without its rows', async () => {
    const { id } = await importRows(demo, rows('A'), { simular: true });
    for (const name of ['B', 'C']) await importRows(demo, rows(name), { simular: true });
    const { status, json } = await demo.call('POST', IMPORTS, { from: id });
    expect([status, json.detail[0].code]).toEqual([422, 'CATP-ER1042']);
  });

  test('whose rows alone exceed the limit is refused, and none of it is stored', async () => {
    const many = (count: number) => [
      ['Nome', 'NCM', 'Modalidade'],
      ...Array.from({ length: count }, (_, at) => [`Caixa ${at}`, '39269090', 'Importação']),
    ];
    expect((await importRows(demo, many(40))).started.status).toBe(202);
    const upload = await send(demo, csv(many(200)));
    const { started } = await run(demo, { sheet: upload.json.id });
    expect([started.status, started.json.detail[0].code, started.json.detail[0].message]).toEqual([
      ...[422, 'CATP-ER1042', expect.stringContaining('8 KiB')],
    ]);
    expect(files()).toHaveLength(3); // two uploaded sheets, and the rows of the first
    expect((await demo.call('GET', IMPORTS)).json).toHaveLength(1);
  });

  test('of another company has its own space, and one with deleted rows uses none', async () => {
    const { id } = await importRows(demo, rows('A'));
    const { id: second } = await importRows(demo, rows('B'));
    expect((await demo.call('DELETE', `${IMPORTS}/${second}/results`)).status).toBe(204);
    await importRows(demo, rows('C'));
    expect(await isDropped(id)).toBe(false);
  });

  test('keeps its rows over a restart; a lower limit removes the oldest', async () => {
    const { id } = await importRows(demo, rows('A'));
    const { id: second } = await importRows(demo, rows('B'));
    const { folder, clock } = server;
    const reopened = async (bytes: number) => {
      await server.close({ keepFolder: true });
      server = await openApp({ folder, clock, settings: { 'planilha.guardadas': String(bytes) } });
      demo = await server.as('demo');
      await server.app.core.writer.write(() => undefined);
    };
    await reopened(LIMIT);
    expect([await isDropped(id), await isDropped(second)]).toEqual([false, false]);
    await reopened(LIMIT / 2);
    expect([await isDropped(id), await isDropped(second)]).toEqual([true, false]);
  });
});
