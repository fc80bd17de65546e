/** Countries and subdivisions (contract section 4). */
import { expect, test } from 'bun:test';
import { isCountry, isSubdivisionOf } from '../../src/catalogue/country.ts';
import { openApp } from '../support/app.ts';

test('two letters of no country are refused', () => {
  for (const code of ['XX', 'ZZ', 'AA', 'UK', 'EU', 'SU']) expect(isCountry(code)).toBe(false);
});

test('a country is accepted only as its two capital letters', () => {
  for (const code of ['br', 'Br', 'BRA', '076', '']) expect(isCountry(code)).toBe(false);
  for (const code of ['BR', 'DE', 'US', 'CN', 'GB', 'AX', 'SS']) expect(isCountry(code)).toBe(true);
});

test('a subdivision of another country is refused', () => {
  expect(isSubdivisionOf('US-CA', 'BR')).toBe(false);
  expect(isSubdivisionOf('BR-SP', 'B')).toBe(false);
});

test('an unknown subdivision is refused', () => {
  for (const code of ['BR-XX', 'BR-', 'BR', 'SP', 'br-sp', 'BRSP'])
    expect(isSubdivisionOf(code, 'BR')).toBe(false);
});

test('a subdivision of every level of its country is accepted', () => {
  expect(isSubdivisionOf('BR-SP', 'BR')).toBe(true);
  expect(isSubdivisionOf('DE-BY', 'DE')).toBe(true);
  // Belfast is in Northern Ireland, which is in the United Kingdom.
  expect(isSubdivisionOf('GB-BFS', 'GB')).toBe(true);
});

test('a signed-in user gets the subdivisions of a country, by name', async () => {
  const server = await openApp();
  const path = '/appliance/api/subdivisions?codigoPais=';
  const demo = await server.as('demo');
  expect((await server.anybody.call('GET', `${path}DE`)).status).toBe(401);
  const subdivisions = (await demo.call('GET', `${path}DE`)).json as { codigo: string; nome: string }[];
  expect(subdivisions).toHaveLength(16);
  expect(subdivisions[0]).toEqual({ codigo: 'DE-BW', nome: 'Baden-Württemberg' });
  for (const { codigo } of subdivisions) expect(isSubdivisionOf(codigo, 'DE')).toBe(true);
  expect((await demo.call('GET', `${path}XX`)).json).toEqual([]);
  expect((await demo.call('GET', `${path}de`)).status).toBe(400);
  await server.close();
});
