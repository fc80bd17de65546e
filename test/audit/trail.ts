/**
 * A trail in its own folder, without a server; and the changes that an attacker with access to its files can
 * make.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OuterSeal } from '../../src/audit/outer-seal.ts';
import { NO_HASH, auditKey, hashOf, sealOf } from '../../src/audit/seal.ts';
import { AuditStore } from '../../src/audit/store.ts';
import { type Proof, type Verification, verifyAudit } from '../../src/audit/verify.ts';
import { TestClock, monotonicMs } from '../../src/clock.ts';
import { readSettings } from '../../src/settings/config.ts';
import { SEAL_FILE, openFolder } from '../../src/db/folder.ts';
import { openForWriting } from '../../src/db/open.ts';
import { type AppContext, openAppContext } from '../../src/assembly/app-context.ts';
import { HandTime } from '../support/real-time.ts';

/** The files of the folder on the disk. */
export interface State {
  readonly pages: readonly (readonly unknown[])[];
  readonly seal: Buffer | undefined;
}

export class TrailBench {
  readonly folder = openFolder(mkdtempSync(join(tmpdir(), 'catp-trail-')));
  readonly #clock = new TestClock(Date.parse('2026-01-15T12:00:00Z'));
  #time = new HandTime();
  #appContext: AppContext = this.#open();

  #open(): AppContext {
    this.#time = new HandTime();
    const settings = readSettings({ environment: {}, commandLine: [] });
    const { folder } = this;
    return openAppContext({
      folder,
      settings,
      clock: this.#clock,
      stopwatch: monotonicMs,
      sealTime: this.#time,
    });
  }

  get appContext(): AppContext {
    return this.#appContext;
  }

  /** Starts the trail as a server does. */
  async start(): Promise<void> {
    await this.#appContext.sealUpdater.inspect();
  }

  /** Commits one transaction with this number of changes. */
  async add(changes = 1): Promise<void> {
    this.#clock.moveTo(this.#clock.now() + 1);
    await this.#appContext.writer.write((tx) => {
      for (let key = 1; key <= changes; key += 1)
        tx.record({
          by: '00000000191',
          action: 'INCLUSAO',
          kind: 'produto',
          key: `12345678/${key}`,
          before: null,
          after: '1',
        });
    });
  }

  /** Advances the clock by a second. */
  async second(): Promise<void> {
    this.#time.pass(1000);
    await this.#appContext.writer.write(() => undefined);
  }

  /** Kills the process without a stop, and starts another one. */
  async killed(): Promise<void> {
    this.#appContext.db.close();
    this.#appContext = this.#open();
    await this.start();
  }

  async restarted(): Promise<void> {
    await this.#appContext.leave();
    this.#appContext = this.#open();
    await this.start();
  }

  verify(proof: Proof = {}): Verification {
    const key = auditKey(this.folder.keys);
    return verifyAudit(this.#appContext.db, { key, outer: new OuterSeal(this.folder.path, key), ...proof });
  }

  get #sealFile(): string {
    return join(this.folder.path, SEAL_FILE);
  }

  state(): State {
    const db = openForWriting(this.folder.database);
    const pages = db.prepare<[], unknown[]>('SELECT * FROM audit_page ORDER BY first_seq').raw().all();
    db.close();
    return { pages, seal: bytesOf(this.#sealFile) };
  }

  /** Replaces the existing files, even while a server runs. */
  put({ pages, seal }: State): void {
    const db = openForWriting(this.folder.database);
    db.exec('DELETE FROM audit_page');
    const add = db.prepare('INSERT INTO audit_page VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    for (const page of pages) add.run(...page);
    db.close();
    if (seal === undefined) rmSync(this.#sealFile, { force: true });
    else writeFileSync(this.#sealFile, seal);
  }

  /** Converts the folder to the state of a version without an outer seal. */
  makeOlder(): void {
    const db = openForWriting(this.folder.database);
    const store = new AuditStore(db);
    const pages = [...store.pages()];
    db.exec("DELETE FROM audit_page; DELETE FROM folder_mark WHERE name = 'audit-seal'");
    let before = NO_HASH;
    for (const [index, page] of pages.entries()) {
      const older = { ...page, sealed: null };
      const hash = hashOf(before, older);
      const isLast = index === pages.length - 1;
      store.add({ ...older, hash, seal: isLast ? sealOf(auditKey(this.folder.keys), hash) : null });
      before = hash;
    }
    db.close();
    rmSync(this.#sealFile, { force: true });
  }

  async close(): Promise<void> {
    await this.#appContext.leave();
    rmSync(this.folder.path, { recursive: true, force: true });
  }
}

function bytesOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Positions of columns in a page row. */
export const LAST_SEQ = 1;
export const HASH = 4;
export const BROKEN_AT = 5;
export const SEAL = 6;
export const SEALED = 7;
