/** The brake before a table that would deactivate many products (contract sections 8 and 25). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../../support/app.ts';
import {
  COMPANY,
  OTHER_COMPANY,
  TABLES,
  includeMany,
  load,
  product,
  situations,
  tableFile,
} from '../support.ts';

const COFFEE = '09012100';
const TEA = '09021000';
const STRICT = tableFile('1', { '0901.21.00': [{ codigo: 'ATT_1' }], '0902.10.00': [] });

let server: TestApp;
let demo: Client;
let admin: Client;
beforeEach(async () => {
  server = await openApp();
  [demo, admin] = [await server.as('demo'), await server.as('admin')];
});
afterEach(() => server.close());

const put = async (body: object, id?: number) =>
  admin.call('POST', `${TABLES}/${id ?? (await load(admin, STRICT))}/activate`, body);
const countDeactivated = async (company = COMPANY): Promise<number> =>
  Object.values(await situations(demo, company)).filter((one) => one === 'DESATIVADO').length;

describe('a table', () => {
  test('that deactivates ten products needs no confirmation; one that deactivates eleven needs their number', async () => {
    await includeMany(demo, 11, product(COFFEE));
    const refusal = await put({});
    expect([refusal.status, refusal.json.detail]).toEqual([
      422,
      [
        {
          code: 'APPL-ER0451',
          message:
            'expected: 11 produtos seriam desativados, mais que 10; se são esses mesmos, envie expected: 11.',
          field: 'expected',
          path: '/expected',
        },
      ],
    ]);
    for (const expected of [0, 10, 12])
      expect((await put({ expected }, 1)).json.detail[0].code).toBe('APPL-ER0451');
    expect((await put({ expected: -1 }, 1)).status).toBe(400);
    expect(await countDeactivated()).toBe(0);
    expect((await put({ expected: 11 }, 1)).json).toEqual({ deactivated: 11, events: 1 });
    expect(await countDeactivated()).toBe(11);
  });

  test('that deactivates ten products needs no number', async () => {
    await includeMany(demo, 10, product(COFFEE));
    expect((await put({})).json.deactivated).toBe(10);
  });

  test.each([
    [11, 200],
    [12, 422],
  ])('may deactivate 5 %% of the active products: %d of 220 is %d', async (count, status) => {
    await includeMany(demo, count, product(COFFEE));
    await includeMany(demo, 220 - count, product(TEA));
    expect((await put({})).status).toBe(status);
  });

  test('that affects several companies needs the sum once one company exceeds the limit', async () => {
    await includeMany(demo, 9, product(COFFEE));
    await includeMany(demo, 10, product(COFFEE), OTHER_COMPANY);
    const id = await load(admin, STRICT);
    await includeMany(demo, 2, product(COFFEE));
    const refusal = await put({ expected: 11 }, id);
    expect([refusal.status, refusal.json.detail[0].message]).toEqual([
      422,
      'expected: recebido 11; 21 produtos seriam desativados, mais que 10; se são esses mesmos, envie expected: 21.',
    ]);
    expect((await put({ expected: 21 }, id)).json.deactivated).toBe(21);
  });

  test('that is scheduled needs the number when it is ordered, not on its day', async () => {
    await includeMany(demo, 11, product(COFFEE));
    const refusal = await put({ on: '2026-01-16' });
    expect([refusal.status, refusal.json.detail[0].code]).toEqual([422, 'APPL-ER0451']);
    expect((await put({ on: '2026-01-16', expected: 11 }, 1)).status).toBe(200);
    await includeMany(demo, 5, product(COFFEE));
    expect((await admin.call('POST', '/appliance/api/clock', { advance: 'P1D' })).status).toBe(200);
    demo = await server.as('demo');
    expect(await countDeactivated()).toBe(16);
  });

  test('that is unknown, or scheduled for a past day, is refused for that reason', async () => {
    await includeMany(demo, 11, product(COFFEE));
    expect((await put({}, 9)).status).toBe(404);
    expect((await put({ on: '2026-01-14' })).json.detail[0].code).not.toBe('APPL-ER0451');
  });
});
