/** Attempts of an older version, under the newest schema. */
import { expect, test } from 'bun:test';
import { HOUR_MS, TestClock } from '../../../src/clock.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { MIGRATIONS } from '../../../src/db/migrations.ts';
import { scratchForEachTest } from '../../db/support.ts';

const scratch = scratchForEachTest();
const BEFORE_HOURS = MIGRATIONS.findIndex(({ name }) => name === 'delivery_hour');

test('are counted by hour and company, and have no stored response', () => {
  const { db } = scratch();
  const clock = new TestClock(42);
  migrate(db, MIGRATIONS.slice(0, BEFORE_HOURS), clock);
  db.exec(`INSERT INTO company (cpf_cnpj_raiz, nome) VALUES ('11122233344', 'Pessoa')`);
  db.exec(
    `INSERT INTO subscription (documento, evento, endpoint, registered_at) VALUES ('1', 'e', 'https://a/', 0)`,
  );
  const recipients = [
    ['CNPJ', '12345678000195'],
    ['CPF', '11122233344'],
    ['CPF', '99999999999'],
    ['ORGAO', 'RECEITA'],
  ];
  for (const [at, recipient] of recipients.entries()) {
    db.prepare(
      `INSERT INTO event (evento, destinatario_tipo, destinatario_id, conteudo, published_at) VALUES ('e', ?, ?, '{}', 0)`,
    ).run(recipient);
    db.prepare(`INSERT INTO delivery (event_id, subscription_id, state) VALUES (?, 1, 'pending')`).run(
      at + 1,
    );
    for (const [hour, outcome] of [
      [5, 'delivered'],
      [5, 'timeout'],
      [5, 'status'],
      [6, 'status'],
    ] as const)
      db.prepare(
        `INSERT INTO delivery_attempt (delivery_id, at, outcome, ms, description) VALUES (?, ?, ?, 1, '')`,
      ).run(at + 1, (hour + 1) * HOUR_MS - 1, outcome);
  }
  migrate(db, MIGRATIONS, clock);
  const counted = db.prepare('SELECT hour, company, delivered, failed FROM delivery_hour').raw().all();
  expect(counted).toEqual([
    [5, '', 2, 4],
    [5, '11122233344', 1, 2],
    [5, '12345678', 1, 2],
    [6, '', 0, 2],
    [6, '11122233344', 0, 1],
    [6, '12345678', 0, 1],
  ]);
  expect(db.prepare('SELECT DISTINCT answer FROM delivery_attempt').pluck().all()).toEqual([null]);
});
