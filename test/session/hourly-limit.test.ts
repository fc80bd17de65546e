/** The hourly limit per user and operation (contract section 11). */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../support/app.ts';

const PRODUCTS = '/catp/api/ext/produto?cpfCnpjRaiz=12345678';
const OPERATORS = '/catp/api/ext/operador-estrangeiro?cpfCnpjRaiz=12345678';
const LIMIT = 3;

let server: TestApp;
let demo: Client;
beforeEach(async () => {
  server = await openApp({ settings: { limiteHorario: String(LIMIT) } });
});
afterEach(() => server.close());

/** Brasília time of the day on which the tests begin. */
async function at(time: string, day = '2026-01-15'): Promise<void> {
  server.clock.moveTo(Date.parse(`${day}T${time}-03:00`));
  demo = await server.as('demo');
}

const status = async (path = PRODUCTS): Promise<number> => (await demo.call('GET', path)).status;

/** Returns status, code and header of a refusal: of the first call over the limit, or of a blocked one. */
async function refused(): Promise<readonly [string, string, string | null]> {
  const { status: got, json, headers } = await demo.call('GET', PRODUCTS);
  expect([got, json.severity, json.detail]).toEqual([422, 'ERROR', []]);
  return [json.code, json.message, headers.get('retry-after')];
}

async function useUp(): Promise<void> {
  for (let call = 0; call < LIMIT; call += 1) expect([call, await status()]).toEqual([call, 204]);
}

const refusal = (until: string, seconds: number): readonly [string, string, string] => [
  'PUCX-ER1001',
  `Foi atingido o limite de 3 acessos permitidos à funcionalidade em uma hora. A funcionalidade estará disponível novamente após as ${until}.`,
  String(seconds),
];

test('the request after the last is refused until the hour ends, for this operation and this user only', async () => {
  await at('09:30:00');
  await useUp();
  expect(await refused()).toEqual(refusal('10:00', 1800));
  expect(await status(OPERATORS)).toBe(204);
  demo = await server.as('demo2');
  expect(await status()).toBe(204);
  await at('09:59:59');
  expect(await refused()).toEqual(refusal('10:00', 1));
  await at('10:00:00');
  expect(await status()).toBe(204);
});

test('the second excess of a day blocks for one hour more, each later one for two, and midnight ends all', async () => {
  await at('09:00:00');
  await useUp();
  expect(await refused()).toEqual(refusal('10:00', 3600));
  await at('10:10:00');
  await useUp();
  expect(await refused()).toEqual(refusal('12:00', 6600));
  await at('11:59:00');
  expect(await refused()).toEqual(refusal('12:00', 60));
  await at('12:00:00');
  await useUp();
  expect(await refused()).toEqual(refusal('15:00', 10_800));
  await at('23:10:00');
  await useUp();
  expect(await refused()).toEqual(refusal('00:00', 3000));
  await at('00:00:00', '2026-01-16');
  await useUp();
  expect(await refused()).toEqual(refusal('01:00', 3600));
});

test('operations that the public service lacks are not counted: a page that polls blocks no user', async () => {
  await at('10:00:00');
  for (const path of ['/appliance/api/imports', '/appliance/api/deliveries'])
    for (let call = 0; call <= LIMIT; call += 1)
      expect([path, call, await status(path)]).toEqual([path, call, 200]);
  await useUp();
  expect((await refused())[0]).toBe('PUCX-ER1001');
});

test('after the clock was put back, a block of a later hour does not apply to an earlier one, which has its own limit', async () => {
  await at('09:00:00');
  await useUp();
  expect(await refused()).toEqual(refusal('10:00', 3600));
  await at('08:00:00');
  await useUp();
  expect(await refused()).toEqual(refusal('09:00', 3600));
  await at('09:00:00');
  expect(await status()).toBe(204);
});
