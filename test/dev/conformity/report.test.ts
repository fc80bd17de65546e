/** The readers of the report, its forms, and its omissions (contract section 21). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { SaxesParser } from 'saxes';
import { junitOf } from '../../../src/dev/conformity/junit.ts';
import { FIXES, RULE_NAMES } from '../../../src/dev/conformity/model.ts';
import { CONFORMITY, LIST, PRODUCT, PRODUCTS, type Watched, openWatched } from './support.ts';

let watched: Watched;
beforeAll(async () => {
  watched = await openWatched();
});
afterAll(() => watched.close());
beforeEach(() => watched.countFindings());

const AMBOS = { ...PRODUCT, modalidade: 'AMBOS' };
let last = 0;
const breakRule = (headers = {}) =>
  watched.demo.call('POST', PRODUCTS, { ...AMBOS, denominacao: `Caixa ${(last += 1)}` }, headers);

test('only an administrator sees or clears it', async () => {
  for (const [method, path] of [
    ['GET', CONFORMITY],
    ['GET', `${CONFORMITY}.xml`],
    ['DELETE', CONFORMITY],
  ] as const) {
    expect((await watched.demo.call(method, path)).status).toBe(403);
    expect((await watched.server.anybody.call(method, path)).status).toBe(401);
  }
});

test('as JUnit: one test case for each rule, failed with its requests', async () => {
  const clean = await watched.admin.call('GET', `${CONFORMITY}.xml`);
  expect(clean.headers.get('content-type')).toBe('application/xml; charset=utf-8');
  expect(clean.text).toContain(`tests="${RULE_NAMES.length}" failures="0"`);
  await breakRule();
  const [finding] = await watched.findings();
  const { text } = await watched.admin.call('GET', `${CONFORMITY}.xml`);
  expect(text).toContain(`tests="${RULE_NAMES.length}" failures="1"`);
  expect([...text.matchAll(/<testcase [^>]*name="([\w-]+)"/g)].map(([, name]) => name ?? '')).toEqual([
    ...RULE_NAMES,
  ]);
  const [failure = ''] = /<testcase [^>]*name="modalidade">[^]*?<\/testcase>/.exec(text) ?? [];
  expect(failure).toContain(`Requisições do diário: ${finding?.requests.join(', ')}`);
  expect(failure).toContain(`\nComo consertar: ${FIXES.modalidade}\n`);
  expect(failure).toContain('/ajuda/conformidade#modalidade');
});

test('as JUnit: a character that XML cannot hold is replaced', () => {
  const [rule] = RULE_NAMES;
  if (rule === undefined) throw new Error('There are no rules.');
  const moment = '2026-01-15T09:00:00.000-03:00';
  const finding = { rule, remedy: '/ajuda', count: 1, firstAt: moment, lastAt: moment, until: null };
  const title = 'recebido "\u0001\u001F\uFFFF" & <outros>';
  const text = junitOf({ findings: [{ ...finding, title, users: ['\u0000'], requests: [1] }] });
  const messages: unknown[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => name === 'failure' && messages.push(attributes.message));
  parser.write(text).close();
  expect(messages).toEqual(['recebido "_x0001__x001F__xFFFF_" & <outros>']);
});

test('each finding links to its place in the help pages', async () => {
  const { text } = await watched.server.anybody.call('GET', '/ajuda/conformidade');
  const sections = new Map(text.split('<h2 id="').map((one) => [one.slice(0, one.indexOf('"')), one]));
  for (const rule of RULE_NAMES)
    for (const verdict of ['Por quê.', 'Resposta.', 'Como consertar.'])
      expect([rule, sections.get(rule)]).toEqual([
        rule,
        expect.stringContaining(`<strong>${verdict}</strong>`),
      ]);
  for (const rule of RULE_NAMES) {
    const section = sections
      .get(rule)
      ?.replaceAll(/<[^>]+>/g, '')
      .replaceAll(/\s+/g, ' ');
    expect(section).toContain(`Como consertar. ${FIXES[rule]}`);
  }
  await breakRule();
  expect(await watched.findings()).toMatchObject([
    { rule: 'modalidade', remedy: '/ajuda/conformidade#modalidade' },
  ]);
});

describe('not reported:', () => {
  test('automatic requests of pages, what is not in the specification, files', async () => {
    await breakRule({ 'x-catp-pagina': '1' });
    await watched.demo.call('POST', '/appliance/api/products/drafts', {
      cpfCnpjRaiz: '12345678',
      denominacao: 'x'.repeat(121),
    });
    const form = new FormData();
    form.append('tipo', 'produto');
    const items = [{ seq: 1, cpfCnpjRaiz: '12345678', ...AMBOS }];
    form.append('file', new File([JSON.stringify(items)], 'produtos.json'));
    expect((await watched.demo.call('POST', '/appliance/api/imports', form)).status).toBe(202);
    expect(await watched.countFindings()).toEqual({});
  });

  test('refused requests, and those of an administrator', async () => {
    await watched.demo.call('POST', PRODUCTS, { ...AMBOS, ncm: '1' });
    for (let remaining = 12; remaining > 0; remaining -= 1)
      await watched.admin.call('GET', '/portal/api/ext/webhook');
    expect(await watched.countFindings()).toEqual({});
  });
});

test('the answer stays that of the profile of the instance', async () => {
  const { status, json } = await breakRule();
  expect([status, json.modalidade]).toEqual([200, 'AMBOS']);
});

test('a DELETE and a reset clear it; the restore of a snapshot does not', async () => {
  await breakRule();
  await watched.admin.call('POST', '/appliance/api/snapshots/antes');
  await watched.admin.call('POST', '/appliance/api/snapshots/antes/restore');
  expect((await watched.findings()).length).toBe(1);
  expect((await watched.admin.call('DELETE', CONFORMITY)).status).toBe(204);
  expect(await watched.findings()).toEqual([]);
  await breakRule();
  await watched.demo.call('POST', PRODUCTS, PRODUCT, { 'x-simular-falha': 'status=503' });
  await watched.admin.call('POST', '/appliance/api/reset');
  const demo = await watched.server.as('demo');
  await demo.call('POST', PRODUCTS, PRODUCT);
  const admin = await watched.server.as('admin');
  expect((await admin.call('GET', CONFORMITY)).json).toEqual({ findings: [] });
  expect((await demo.call('GET', LIST)).status).toBe(200);
});
