/** A folder of the version before remotes, under the newest schema. */
import { expect, test } from 'bun:test';
import { TestClock } from '../../src/clock.ts';
import { migrate } from '../../src/db/migrate.ts';
import { MIGRATIONS } from '../../src/db/migrations.ts';
import { LEFT_OPEN } from '../../src/remote/compare/left-open-store.ts';
import { PAIRS_PAGE } from '../../src/remote/compare/pair-store.ts';
import { STEP_QUERIES } from '../../src/remote/run/step-store.ts';
import { RUN_QUERIES, RunStore } from '../../src/remote/run/store.ts';
import { REMOTE_QUERIES, RemoteStore } from '../../src/remote/store.ts';
import { scratchForEachTest } from '../db/support.ts';

const scratch = scratchForEachTest();

const BEFORE_REMOTES = MIGRATIONS.findIndex(({ name }) => name === 'remote');

test('keeps the data, and adds remotes and comparisons', () => {
  const { db } = scratch();
  const clock = new TestClock(42);
  migrate(db, MIGRATIONS.slice(0, BEFORE_REMOTES), clock);
  db.exec(`INSERT INTO company (cpf_cnpj_raiz, nome) VALUES ('12345678', 'Empresa')`);
  migrate(db, MIGRATIONS, clock);
  expect(db.prepare('SELECT nome FROM company').pluck().get()).toBe('Empresa');
  const store = new RemoteStore(db);
  store.insert({ name: 'portal', rules: 'portal', companies: ['12345678'] });
  const remote = store.find('portal');
  expect(remote).toMatchObject({ companies: ['12345678'] });
  const request = {
    remoteId: remote?.id ?? 0,
    cpfCnpjRaiz: '12345678',
    documento: '1',
    forced: false,
  } as const;
  const id = store.insertComparison({ ...request, files: null, state: 'queued' }, 1);
  expect(store.findComparison(id)).toMatchObject({ remote: 'portal', state: 'queued', counts: null });
});

test('a version before fetching keeps its comparisons and runs, which fetched nothing', () => {
  const { db } = scratch();
  const clock = new TestClock(42);
  migrate(
    db,
    MIGRATIONS.filter(({ number }) => number < 25),
    clock,
  );
  db.exec(`INSERT INTO remote (name, rules, companies) VALUES ('portal', 'portal', '["12345678"]');
    INSERT INTO remote_comparison (remote_id, cpf_cnpj_raiz, documento, state, forced, at)
      VALUES (1, '12345678', '1', 'done', 0, 1);
    INSERT INTO remote_run (remote_id, cpf_cnpj_raiz, comparison_id, direction, documento, asked, simulated, state, at)
      VALUES (1, '12345678', 1, 'send', '1', '{}', 0, 'done', 1)`);
  migrate(db, MIGRATIONS, clock);
  const store = new RemoteStore(db);
  expect([store.findComparison(1)?.byJob, store.findKept(1)]).toEqual([false, undefined]);
  expect(store.listKeptFiles()).toEqual([]);
  expect(new RunStore(db).find(1)).toMatchObject({ state: 'done', imports: [] });
});

test('keeps the results of comparisons and runs from before open steps were reported', () => {
  const { db } = scratch();
  const clock = new TestClock(42);
  const before = MIGRATIONS.findIndex(({ name }) => name === 'remote_left_open');
  migrate(db, MIGRATIONS.slice(0, before), clock);
  db.exec(`INSERT INTO remote (id, name, rules, companies) VALUES (1, 'portal', 'portal', '["12345678"]');
    INSERT INTO remote_comparison (id, remote_id, cpf_cnpj_raiz, documento, state, forced, at)
      VALUES (1, 1, '12345678', '1', 'done', 0, 1);
    INSERT INTO remote_record (comparison_id, n, kind, here, name, state) VALUES (1, 1, 'produto', '0000000001', 'A', 'soAqui');
    INSERT INTO remote_run (id, remote_id, cpf_cnpj_raiz, comparison_id, direction, documento, asked, simulated, state, planned, at)
      VALUES (1, 1, '12345678', 1, 'send', '1', '{}', 0, 'paused', 1, 1);
    INSERT INTO remote_step (run_id, n, kind, operation, here, name, outcome, due)
      VALUES (1, 1, 'produto', 'include', '0000000001', 'A', 'pending', 0)`);
  migrate(db, MIGRATIONS, clock);
  expect(new RemoteStore(db).findByLocalKey(1, 'produto', '0000000001')).toMatchObject({
    state: 'soAqui',
    otherwise: null,
  });
  expect(new RunStore(db).counts(1)).toMatchObject([{ outcome: 'pending', count: 1 }]);
});

test('a record of a comparison is found by its key through an index', () => {
  const { db } = scratch();
  migrate(db, MIGRATIONS, new TestClock(42));
  for (const [sql, index] of [
    [REMOTE_QUERIES.ofHere, 'remote_record_of_here (comparison_id=? AND kind=? AND here=?)'],
    [REMOTE_QUERIES.ofThere, 'remote_record_of_there (comparison_id=? AND kind=? AND there=?)'],
  ] as const) {
    const plan = db
      .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(1, 'produto', 'A');
    expect(plan.map(({ detail }) => detail).join('; ')).toContain(index);
  }
});

test('every query that grows with the data has its index', () => {
  const { db } = scratch();
  migrate(db, MIGRATIONS, new TestClock(42));
  const queries = [REMOTE_QUERIES, RUN_QUERIES, STEP_QUERIES].flatMap((some) => Object.values(some));
  const plans = [...queries, PAIRS_PAGE, LEFT_OPEN].map((sql) => {
    const parameterCount = sql.split('?').length - 1;
    const plan = db
      .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...Array.from({ length: parameterCount }, () => 1));
    return plan.map(({ detail }) => detail).join('; ');
  });
  for (const plan of plans) {
    expect(plan).toContain('USING');
    expect(plan).not.toMatch(/TEMP B-TREE|SCAN remote_pair\b(?! USING)/);
  }
});

test('gives comparisons that ended before there were codes the general code of their end', () => {
  const { db } = scratch();
  const clock = new TestClock(42);
  migrate(
    db,
    MIGRATIONS.filter(({ number }) => number < 38),
    clock,
  );
  db.exec(`INSERT INTO remote (name, rules, companies) VALUES ('portal', 'portal', '["12345678"]');
    INSERT INTO remote_comparison (remote_id, cpf_cnpj_raiz, documento, state, forced, at, error, cancelled)
      VALUES (1, '12345678', '1', 'failed', 0, 1, 'a', 0), (1, '12345678', '1', 'failed', 0, 1, 'b', 1),
        (1, '12345678', '1', 'done', 0, 1, NULL, 0)`);
  migrate(db, MIGRATIONS, clock);
  const store = new RemoteStore(db);
  expect([1, 2, 3].map((id) => store.findComparison(id)?.error)).toEqual([
    { code: 'CATP-ER1534', message: 'a' },
    { code: 'CATP-ER1531', message: 'b' },
    null,
  ]);
});
