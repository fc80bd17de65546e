/** Pages and filters of the audit, and their refusals (contract section 16). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { AUDIT, type Audited, COMPANY, DEMO, PRODUCT, REQUEST, done, openAudited } from './support.ts';

let at: Audited;
let newest: number;
beforeAll(async () => {
  at = await openAudited();
  for (const _ of '12') await done(at.demo.call('POST', PRODUCT, REQUEST));
  await done(at.admin.call('POST', '/appliance/api/clock', { advance: 'P1D' }));
  const items = Array.from({ length: 10 }, (_, index) => ({
    seq: index + 1,
    cpfCnpjRaiz: COMPANY,
    ...REQUEST,
  }));
  await done((await at.server.as('demo')).call('POST', '/catp/api/ext/produto', items));
  newest = (await at.page('?limit=1')).items[0]?.seq ?? 0;
});
afterAll(() => at.server.close());

const subjects = async (query: string): Promise<string[]> =>
  (await at.page(query)).items.map(({ subject }) => subject);

describe('a page', () => {
  test('continues after the previous one, within the changes of one transaction too, to the first entry', async () => {
    const sequenceNumbers: number[] = [];
    for (let next: number | null = newest + 1; next !== null;) {
      const page = await at.page(`?limit=3&after=${next}`);
      expect(page.items.length).toBeLessThanOrEqual(3);
      sequenceNumbers.push(...page.items.map(({ seq }) => seq));
      ({ next } = page);
    }
    expect(sequenceNumbers).toEqual(Array.from({ length: newest }, (_, index) => newest - index));
  });

  test('that ends with the first entry has no next one', async () => {
    expect((await at.page(`?limit=${newest}`)).next).toBeNull();
    expect((await at.page(`?limit=${newest - 1}`)).next).toBe(2);
    expect(await at.page('?after=1')).toEqual({ items: [], next: null });
  });

  test('has 100 entries by default, and 1000 at most', async () => {
    expect((await at.page()).items.length).toBe(Math.min(100, newest));
    expect((await at.page('?limit=1000')).items.length).toBe(newest);
    for (const limit of [0, 1001, 'x'])
      expect((await (await at.server.as('admin')).call('GET', `${AUDIT}?limit=${limit}`)).status).toBe(400);
  });
});

describe('a filter', () => {
  test('by subject finds exactly the subject, or everything below it', async () => {
    expect(await subjects(`?subject=produto%20${COMPANY}/1`)).toEqual([`produto ${COMPANY}/1`]);
    expect(await subjects(`?subject=produto%20${COMPANY}`)).toHaveLength(12);
    expect(await subjects('?subject=produto')).toHaveLength(12);
    expect(await subjects(`?subject=produto%20${COMPANY}/`)).toEqual([]);
    expect(await subjects('?subject=prod')).toEqual([]);
    for (const codigo of [2, 3, 4, 11, 12])
      expect(await subjects(`?subject=produto%20${COMPANY}/${codigo}`)).toEqual([
        `produto ${COMPANY}/${codigo}`,
      ]);
    expect(await subjects(`?subject=representacao%20${DEMO}`)).toHaveLength(2);
    expect(await subjects(`?subject=representacao%20${DEMO}/${COMPANY}`)).toHaveLength(1);
    expect(await subjects(`?subject=usuario%20${DEMO}`)).toEqual([`usuario ${DEMO}`]);
    expect(await subjects('?subject=%25')).toEqual([]);
  });

  test('by actor finds exactly this actor', async () => {
    expect(await subjects(`?actor=${DEMO}`)).toHaveLength(12);
    expect(await subjects(`?actor=${DEMO}&limit=5`)).toHaveLength(5);
    expect((await subjects('?actor=sistema')).length).toBe(newest - 12);
    expect(await subjects('?actor=1')).toEqual([]);
  });

  test('by moment accepts an instant, a moment in Brasília time, and a day', async () => {
    for (const moment of [
      '2026-01-16',
      '2026-01-15T12:00:00.001Z',
      '2026-01-15T09:00:01',
      '2026-01-15T09:01-03:00',
    ])
      expect(await subjects(`?since=${moment}`)).toHaveLength(10);
    for (const moment of ['2026-01-15', '2026-01-15T12:00:00Z', '2026-01-15T09:00:00'])
      expect(await subjects(`?since=${moment}`)).toHaveLength(newest);
    expect(await subjects('?since=2026-01-17')).toEqual([]);
  });

  test('is refused when it is invalid', async () => {
    for (const query of [
      'since=ontem',
      'since=2026-02-30',
      'since=2026-01-15T25:00:00Z',
      'after=0',
      'after=x',
      'after=9007199254740992',
      `subject=${'x'.repeat(201)}`,
      'limit=1&limit=2',
    ]) {
      const reply = await (await at.server.as('admin')).call('GET', `${AUDIT}?${query}`);
      expect([query, reply.status]).toEqual([query, 400]);
      expect(reply.json.detail[0].path).toBe(query.split('=')[0]);
    }
    const { message } = (await (await at.server.as('admin')).call('GET', `${AUDIT}?since=ontem`)).json
      .detail[0];
    expect(message).toContain('yyyy-MM-dd');
  });
});
