/** The connection of an inspection, which a start goes on to use. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { copyFileSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Inspection } from '../../src/db/inspection.ts';
import { openForWriting } from '../../src/db/open.ts';

let folder: string;
let file: string;

/** Creates a database with one row. */
function makeDatabase(path: string, row: string): void {
  using db = openForWriting(path);
  db.exec('CREATE TABLE note (text TEXT)');
  db.prepare('INSERT INTO note VALUES (?)').run(row);
}

/** Opens the inspected database for writing, and returns its row and if the inspection's connection is used. */
function openInspected(inspection: Inspection) {
  using db = openForWriting(file, { inspected: () => inspection.handOver() });
  const synchronous = db.pragma('synchronous', { simple: true });
  const row = db.prepare<[], string>('SELECT text FROM note').pluck().get();
  return { row, synchronous, isSame: db === inspection.db };
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'catp-inspection-'));
  file = join(folder, 'catp.sqlite');
  makeDatabase(file, 'first');
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('handing over', () => {
  test('gives the connection of an unchanged file, with the settings for writing', () => {
    expect(openInspected(new Inspection(file))).toEqual({ row: 'first', synchronous: 2, isSame: true });
  });

  test('gives it once', () => {
    const inspection = new Inspection(file);
    openInspected(inspection);
    expect(inspection.handOver()).toBeUndefined();
  });

  test('refuses it when another file took the place', () => {
    makeDatabase(join(folder, 'other'), 'second');
    const inspection = new Inspection(file);
    inspection.db.prepare('SELECT text FROM note').get();
    if (process.platform !== 'win32') renameSync(join(folder, 'other'), file);
    else copyFileSync(join(folder, 'other'), file);
    expect(openInspected(inspection)).toEqual({ row: 'second', synchronous: 2, isSame: false });
  });

  test('refuses it when the file was overwritten in place', () => {
    makeDatabase(join(folder, 'other'), 'second');
    const inspection = new Inspection(file);
    inspection.db.prepare('SELECT text FROM note').get();
    copyFileSync(join(folder, 'other'), file);
    expect(openInspected(inspection)).toEqual({ row: 'second', synchronous: 2, isSame: false });
  });

  test('refuses it while the log has content', () => {
    using writer = openForWriting(file);
    writer.prepare('INSERT INTO note VALUES (?)').run('third');
    expect(openInspected(new Inspection(file))).toMatchObject({ isSame: false });
  });

  test('refuses it when another process wrote since', () => {
    const inspection = new Inspection(file);
    inspection.db.prepare('SELECT text FROM note').get();
    using writer = openForWriting(file);
    writer.prepare('UPDATE note SET text = ?').run('third');
    expect(openInspected(inspection)).toMatchObject({ row: 'third', isSame: false });
  });
});

test('leaves no file when it is closed without use', () => {
  const inspection = new Inspection(file);
  inspection.db.prepare('SELECT text FROM note').get();
  inspection[Symbol.dispose]();
  expect(readdirSync(folder)).toEqual(['catp.sqlite']);
});
