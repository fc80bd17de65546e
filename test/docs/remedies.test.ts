/** Each code is explained by its cause and its next step. */
import { expect, test } from 'bun:test';
import { CODE_LISTS, PROBLEM_LISTS, statusRows } from '../../src/docs/codes.ts';
import { REMEDIES } from '../../src/docs/remedies/codes.ts';
import { openApp } from '../support/app.ts';

const codes = CODE_LISTS.flatMap((list) => list.codes);

test('every code has a cause and a remedy, and no remedy belongs to a removed code', () => {
  const isSaid = (text: string): boolean => /^\S.{15,}[.]$/.test(text);
  for (const entry of [...codes, ...statusRows])
    expect([entry.code, isSaid(entry.remedy), entry.meaning.length > 10]).toEqual([entry.code, true, true]);
  expect(Object.keys(REMEDIES).toSorted()).toEqual(codes.map(({ code }) => code).toSorted());
});

test('the document of the API includes all of them', async () => {
  const server = await openApp();
  const { json } = await server.anybody.call('GET', '/openapi.json');
  expect((json as { 'x-problems': unknown })['x-problems']).toEqual(PROBLEM_LISTS);
  await server.close();
});
