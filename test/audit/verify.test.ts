/** Every foreign change of the audit is detected, at its first position (contract section 16, "Audit"). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { oldestFirst } from '../../src/audit/reading.ts';
import { OuterSeal } from '../../src/audit/outer-seal.ts';
import { auditKey } from '../../src/audit/seal.ts';
import { AuditTrail } from '../../src/audit/trail.ts';
import { verifyAudit } from '../../src/audit/verify.ts';
import { newKeys } from '../../src/db/folder.ts';
import { type Db, openForWriting } from '../../src/db/open.ts';
import { type Audited, COMPANY, PRODUCT, REQUEST, done, openAudited } from './support.ts';

let at: Audited;
let db: Db;
/** The connection of another program to the same file. */
let foreignDb: Db;
beforeEach(async () => {
  at = await openAudited();
  ({ db } = at.server.app.core);
  foreignDb = openForWriting(at.server.app.core.folder.database);
  for (const _ of '1234') await include();
});
afterEach(async () => {
  foreignDb.close();
  await at.server.close();
});

const include = () => done(at.demo.call('POST', PRODUCT, REQUEST));
const verified = () => {
  const { path, keys } = at.server.app.core.folder;
  const key = auditKey(keys);
  return verifyAudit(db, { key, outer: new OuterSeal(path, key) });
};
const ALONE = { onOthers: () => () => undefined, onReplaced: () => undefined };
const last = (): number => db.prepare<[], number>('SELECT max(last_seq) FROM audit_page').pluck().get() ?? 0;
const remove = (seq: number): void =>
  void foreignDb.prepare('DELETE FROM audit_page WHERE first_seq = ?').run(seq);

/** Returns the seq of the first fault, and its message. */
function fault(): readonly [seq: number, message: string] {
  const { fault: seal } = verified();
  if (seal === undefined) throw new Error('nothing was found');
  return [seal.seq, seal.message];
}

test('an unchanged trail is sound, with all its entries', () => {
  expect(verified()).toMatchObject({ entries: last(), fault: undefined });
});

describe('is detected:', () => {
  test('an entry that was changed', () => {
    const seq = last() - 1;
    foreignDb
      .prepare("UPDATE audit_page SET entries = replace(entries, '/3', '/9') WHERE first_seq = ?")
      .run(seq);
    expect(fault()).toEqual([seq, expect.stringContaining(`A entrada ${seq}, de 2026-01-15T09:00`)]);
  });

  test('an entry whose time was changed', () => {
    foreignDb.prepare('UPDATE audit_page SET at = at + 1 WHERE first_seq = ?').run(last());
    expect(fault()[0]).toBe(last());
  });

  test('a change of one of several entries that were written together', async () => {
    const items = [1, 2, 3].map((seq) => ({ seq, cpfCnpjRaiz: COMPANY, ...REQUEST }));
    await done(at.demo.call('POST', '/catp/api/ext/produto', items));
    const first = last() - 2;
    foreignDb
      .prepare("UPDATE audit_page SET entries = replace(entries, ',6,', ',9,') WHERE first_seq = ?")
      .run(first);
    expect(fault()).toEqual([first, expect.stringContaining(`Uma das entradas ${first} a ${last()}`)]);
  });

  test('an entry that was removed from the middle', () => {
    const seq = last() - 1;
    remove(seq);
    expect(fault()).toEqual([seq, expect.stringContaining(`Falta a entrada ${seq}, depois da ${seq - 1}`)]);
  });

  test('the removal of the first entry', () => {
    remove(1);
    expect(fault()).toEqual([1, expect.stringMatching(/^Faltam? as? entradas? 1.*no começo da trilha/)]);
  });

  test('the removal of the last entry', () => {
    const seq = last();
    remove(seq);
    expect(fault()).toEqual([seq, expect.stringContaining(`Falta a entrada ${seq}`)]);
  });

  test('the removal of the last entry, also when the chain has continued since', async () => {
    const seq = last();
    remove(seq);
    await include();
    expect(fault()).toEqual([seq, expect.stringContaining(`Antes da entrada ${seq}`)]);
    await include();
    expect(fault()[0]).toBe(seq);
  });

  test('two entries that were swapped', () => {
    const seq = last() - 2;
    foreignDb.exec(`UPDATE audit_page SET first_seq = -1, last_seq = -1 WHERE first_seq = ${seq};
      UPDATE audit_page SET first_seq = ${seq}, last_seq = ${seq} WHERE first_seq = ${seq + 1};
      UPDATE audit_page SET first_seq = ${seq + 1}, last_seq = ${seq + 1} WHERE first_seq = -1;`);
    expect(fault()[0]).toBe(seq);
  });

  test('another seal, or none', () => {
    foreignDb.prepare('UPDATE audit_page SET seal = zeroblob(32) WHERE first_seq = ?').run(last());
    expect(fault()).toEqual([last(), expect.stringContaining('não foi selada')]);
    foreignDb.prepare('UPDATE audit_page SET seal = NULL').run();
    expect(fault()[0]).toBe(last() + 1);
  });

  test('a chain that was recomputed from the first entry on, without the keys', () => {
    const forger = new AuditTrail(foreignDb, ALONE, {
      path: at.server.app.core.folder.imports,
      keys: newKeys(),
    });
    foreignDb.exec("DELETE FROM audit_page; DELETE FROM folder_mark WHERE name = 'audit-seal'");
    const change = {
      by: '00000000191',
      action: 'INCLUSAO',
      kind: 'produto',
      key: `${COMPANY}/1`,
      before: null,
      after: '1',
    } as const;
    forger.addPage([change], {
      now: at.server.clock.now(),
      afterCommit: () => undefined,
      record: () => undefined,
    });
    expect(verified().fault?.message).toContain('não foi selada com as chaves desta pasta');
    // Without keys only the seal remains unverified.
    expect(verifyAudit(db, {}).fault).toBeUndefined();
  });

  test('the removal of all entries', async () => {
    foreignDb.exec('DELETE FROM audit_page');
    expect(fault()).toEqual([1, expect.stringContaining('apagada por inteiro')]);
    await done(at.admin.call('POST', '/appliance/api/clock', { advance: 'PT1S' }));
    await include();
    expect(fault()).toEqual([1, expect.stringContaining('O começo da trilha foi apagado')]);
  });

  test('the removal of the table; but not in a database of a version without it', () => {
    foreignDb.exec('DROP TABLE audit_page');
    expect(fault()).toEqual([1, expect.stringContaining('falta a tabela')]);
    foreignDb.exec("DELETE FROM migration WHERE name IN ('audit', 'audit_seal')");
    expect(verified()).toMatchObject({ entries: 0, fault: undefined });
  });
});

describe('continues', () => {
  test('after an unreadable entry, and reports the others', async () => {
    const seq = last() - 1;
    for (const text of ['', '{}', '[null]', '[1]', 'x']) {
      foreignDb.prepare('UPDATE audit_page SET entries = ? WHERE first_seq = ?').run(text, seq);
      expect((await at.page('?limit=2')).items.map((item) => item.seq)).toEqual([last(), seq]);
      expect([...oldestFirst(db, undefined)].map((entry) => entry.seq).at(-1)).toBe(last());
    }
    await include();
    expect(fault()[0]).toBe(seq);
  });

  test('while another process writes to the trail', async () => {
    const otherTrail = new AuditTrail(foreignDb, ALONE, at.server.app.core.folder);
    const change = {
      by: 'linha de comando',
      action: 'INCLUSAO',
      kind: 'empresa',
      key: '1',
      before: null,
      after: null,
    } as const;
    otherTrail.addPage([change], {
      now: at.server.clock.now(),
      afterCommit: () => undefined,
      record: () => undefined,
    });
    await include();
    expect(verified().fault).toBeUndefined();
    const [, entry] = (await at.page('?limit=2')).items;
    expect(entry).toMatchObject({ channel: 'cli', subject: 'empresa 1' });
  });
});
