/** A folder of a stopped server, a copy of it for each test, and the verdicts of `catp doctor` on it. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { HOUR_MS, TestClock } from '../../src/clock.ts';
import { readSettings } from '../../src/settings/config.ts';
import { pathsOf } from '../../src/db/folder.ts';
import { type Db, openForReading } from '../../src/db/open.ts';
import { examine } from '../../src/doctor/examine.ts';
import type { Finding } from '../../src/doctor/model.ts';
import type { NoDb } from '../../src/doctor/diagnosis-target.ts';
import { folderStateOf } from '../../src/replica/folder-owner.ts';
import type { Disk } from '../../src/system/disk.ts';
import { remedyFor } from '../../src/system/errors.ts';
import { START, openApp } from '../support/app.ts';

export const GIB = 1024 * 1024 * 1024;
export const HEALTHY: Disk = { freeBytes: 50 * GIB, isVolatile: false };

let damagedFolder: string;
/** The copy that the test may damage. */
export let folder: string;

/** Registers the hooks that give each test a copy. Each test file calls it once. */
export function folderForEachTest(): void {
  beforeAll(async () => {
    damagedFolder = mkdtempSync(join(tmpdir(), 'catp-doctor-'));
    const server = await openApp({ demo: true });
    const demo = await server.as('demo');
    await demo.call('POST', '/portal/api/ext/webhook', {
      evento: 'x',
      endpoint: 'https://erp.exemplo/segredo?chave=1',
    });
    await server.close({ keepFolder: true });
    cpSync(server.folder, damagedFolder, { recursive: true });
    rmSync(server.folder, { recursive: true });
  });
  afterAll(() => rmSync(damagedFolder, { recursive: true }));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'catp-doctor-'));
    cpSync(damagedFolder, folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
}

/** Returns the path of an undamaged file of the folder. */
export const originalPath = (name: string): string => join(damagedFolder, name);

export const place = (name: string): string => join(folder, name);

export interface Situation {
  readonly settings?: Readonly<Record<string, string>>;
  readonly settingProblems?: readonly string[];
  readonly now?: number;
  readonly disk?: Disk;
  readonly receivers?: boolean;
}

export async function findings(situation: Situation = {}): Promise<readonly Finding[]> {
  const {
    settings = {},
    settingProblems = [],
    now = START + HOUR_MS,
    disk = HEALTHY,
    receivers = false,
  } = situation;
  let db: Db | NoDb;
  try {
    db = openForReading(place('catp.sqlite'));
    db.pragma('schema_version');
  } catch (problem) {
    db = { message: (problem as Error).message, remedy: remedyFor(problem, '') };
  }
  try {
    return await examine(
      {
        folder: pathsOf(folder),
        settings: readSettings({ environment: {}, commandLine: Object.entries(settings) }),
        settingProblems,
        db,
        state: folderStateOf(folder),
        clock: new TestClock(now),
        diskOf: () => disk,
      },
      { receivers },
    );
  } finally {
    if (!('message' in db)) db.close();
  }
}

/** Returns the verdict of one check. Expects a remedy in each finding that is not good. */
export async function verdictOf(
  check: string,
  situation?: Situation,
): Promise<readonly [level: string, text: string]> {
  const all = await findings(situation);
  for (const { level, message, remedy } of all) {
    expect(message).toMatch(/^\S.{9,}[.…]$/s);
    expect(remedy === null).toBe(level === 'ok');
  }
  const finding = all.find((one) => one.check === check);
  if (finding === undefined) return ['none', ''];
  return [finding.level, `${finding.message} ${finding.remedy ?? ''}`];
}

export function inDatabase(work: (db: Database.Database) => void): void {
  const db = new Database(place('catp.sqlite'));
  db.pragma('foreign_keys = OFF');
  work(db);
  db.close();
}
