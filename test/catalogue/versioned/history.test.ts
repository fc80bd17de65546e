/**
 * Stored versions: the current one in the row of the record, all others in their own rows with their
 * validity.
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import fc from 'fast-check';
import { callerTransaction } from '../../../src/catalogue/actor-transaction.ts';
import { validities } from '../../../src/catalogue/versioned/validity.ts';
import { DAY_MS } from '../../../src/clock.ts';
import { type Client, START, type TestApp, openApp } from '../../support/app.ts';
import { DEMO } from '../../support/caller.ts';

const COMPANY = '12345678';
const OPERATOR = { nome: 'Acme', logradouro: 'Rua 1', nomeCidade: 'Lyon' };
const PRODUCT = { denominacao: 'Parafuso', modalidade: 'IMPORTACAO', ncm: '73181500' };

let app: TestApp;
let demo: Client;
beforeEach(async () => {
  app = await openApp();
  demo = await app.as('demo');
});
afterEach(() => app.close());

interface Row {
  readonly isCurrent: 0 | 1;
  readonly family: number;
  readonly rectification: number;
  readonly startsOn: string;
  readonly untilDay: string | null;
}

const rowsOf = (table: 'product' | 'foreign_operator'): Row[] =>
  app.app.core.db
    .prepare<[], Row>(
      `SELECT 1 AS isCurrent, family, rectification, starts_on AS startsOn, NULL AS untilDay FROM ${table}
       UNION ALL SELECT 0, family, rectification, starts_on, until_day FROM ${table}_version`,
    )
    .all();

const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('newVersion' as const), back: fc.nat(12) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rectify' as const), family: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deactivate' as const), family: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('nextDay' as const) }) },
);

test('of an operator have each version once after any changes, in force as the contract defines', async () => {
  const path = `/catp/api/ext/operador-estrangeiro/${COMPANY}/FR`;
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 14 }), async (changes) => {
      const { db } = app.app.core;
      db.exec('DELETE FROM foreign_operator_version; DELETE FROM foreign_operator');
      db.exec('UPDATE company SET operator_sequence = 0');
      app.clock.moveTo(START);
      demo = await app.as('demo');
      expect((await demo.call('POST', path, OPERATOR)).status).toBe(200);
      let now = START;
      let versionCount = 1;
      for (const one of changes) {
        if (one.kind === 'nextDay') {
          now += DAY_MS;
          app.clock.moveTo(now);
          demo = await app.as('demo');
          continue;
        }
        const day = (back: number): string => new Date(now - back * DAY_MS).toISOString().slice(0, 10);
        const reply =
          one.kind === 'newVersion'
            ? await demo.call('POST', `${path}/OPE_1/${day(one.back)}`, OPERATOR)
            : one.kind === 'rectify'
              ? await demo.call('PUT', `${path}/OPE_1/${one.family + 1}`, OPERATOR)
              : await demo.call(
                  'PUT',
                  `${path.replace('/12345678', '/desativar/12345678')}/OPE_1/${one.family + 1}`,
                );
        expect([200, 404]).toContain(reply.status);
        if (reply.status === 200 && one.kind !== 'deactivate') versionCount += 1;
      }
      const rows = rowsOf('foreign_operator');
      expect(rows).toHaveLength(versionCount);
      expect(new Set(rows.map(({ family, rectification }) => `${family}.${rectification}`)).size).toBe(
        versionCount,
      );
      const periods = new Map(validities(rows).map(({ version, untilDay }) => [version, untilDay ?? null]));
      const [current] = rows.filter((row) => row.isCurrent === 1);
      expect([...periods.keys()].at(-1)).toEqual(current);
      for (const row of rows)
        if (row.isCurrent === 0) expect([row, row.untilDay]).toEqual([row, periods.get(row) ?? null]);
    }),
    { numRuns: 40 },
  );
});

test('of a product have the current version in the row; a superseded one of the same day is in force on no day', async () => {
  const path = `/catp/api/ext/produto/${COMPANY}`;
  await demo.call('POST', path, PRODUCT);
  await demo.call('PUT', `${path}/1`, PRODUCT);
  app.clock.moveTo(START + DAY_MS);
  demo = await app.as('demo');
  await demo.call('PUT', `${path}/1`, PRODUCT);
  await demo.call('PUT', `${path}/1/2`, PRODUCT);
  const versions = rowsOf('product').map(({ isCurrent, family, rectification, startsOn, untilDay }) =>
    [isCurrent, `${family}.${rectification}`, startsOn, untilDay].join(' '),
  );
  expect(versions.toSorted()).toEqual([
    '0 1.0 2026-01-15 ',
    '0 2.0 2026-01-15 ',
    '0 2.1 2026-01-15 2026-01-16',
    '1 3.0 2026-01-16 ',
  ]);
});

test('each version has the user who created it, and the one who deactivated it', async () => {
  const path = `/catp/api/ext/produto/${COMPANY}`;
  const { writer, catalogue, db } = app.app.core;
  await demo.call('POST', path, PRODUCT);
  await (await app.as('demo2')).call('PUT', `${path}/1`, PRODUCT);
  const local = { ...DEMO, documento: '' };
  const item = { seq: 1, cpfCnpjRaiz: COMPANY, ...PRODUCT };
  await writer.write((tx) => catalogue.product.items.apply(tx, local, item, 'lote', { origin: 'file' }));
  await writer.write((tx) =>
    catalogue.product.changes.deactivate(callerTransaction(tx, DEMO), { cpfCnpjRaiz: COMPANY, codigo: 2 }),
  );
  const usersOf = (table: string): unknown[] =>
    db.prepare(`SELECT made_by, deactivated_by FROM ${table} ORDER BY id`).raw().all();
  expect(usersOf('product_version')).toEqual([['00000000191', null]]);
  expect(usersOf('product')).toEqual([
    ['00000000272', null],
    ['linha de comando', '00000000191'],
  ]);
});

test('a company whose records exceed the exact keys is refused, and the last valid one is accepted', async () => {
  const { db, writer, session } = app.app.core;
  db.exec("UPDATE company SET id = 899999 WHERE cpf_cnpj_raiz = '11222333'");
  const put = (cpfCnpjRaiz: string) =>
    writer.write(() => session.store.putCompany({ cpfCnpjRaiz, nome: 'Mais uma', cnpj: null }));
  await put('22333444');
  await expect(put('33444555')).rejects.toThrow('CHECK constraint failed');
  await put('22333444');
});
