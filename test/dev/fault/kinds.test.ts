/**
 * Every kind of fault as its client receives it, by rule and by header, with and without TLS (contract
 * section 15).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { SCHEMES } from '../../support/tls.ts';
import {
  type RawRequest,
  FAULTS,
  type Faulty,
  LIST,
  PRODUCT,
  PRODUCTS,
  byCurl,
  byFetch,
  byNode,
  openFaulty,
} from './support.ts';

const MESSAGE_STOP =
  'O Portal Único de Comércio Exterior encontra-se em uma parada programada que ocorre diariamente entre 01:00 e 03:00';

describe.each(SCHEMES)('over %s', (over) => {
  let faulty: Faulty;
  beforeAll(async () => {
    faulty = await openFaulty(over);
  });
  afterAll(() => faulty.close());
  beforeEach(async () => {
    await (await faulty.server.as('admin')).call('DELETE', FAULTS);
  });

  let productCount = 0;
  /** An inclusion of a uniquely named product, which fails because of its header. */
  const inclusion = (fault?: string): RawRequest & { readonly name: string } => {
    const name = `Produto ${over} ${++productCount}`;
    return {
      name,
      method: 'POST',
      path: PRODUCTS,
      headers: {
        ...faulty.demo,
        'content-type': 'application/json',
        ...(fault !== undefined && { 'x-simular-falha': fault }),
      },
      body: JSON.stringify({ ...PRODUCT, denominacao: name }),
    };
  };
  const isKept = async ({ name }: { name: string }) => (await faulty.products()).includes(name);

  test('status: the error body of any error, and nothing is done', async () => {
    const request = inclusion('status=503');
    const answer = await byNode(faulty.url, request);
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    expect(JSON.parse(answer.body)).toEqual({
      message: expect.stringContaining('503'),
      code: 'CATP-ER0503',
      field: null,
      path: null,
      tag: expect.stringMatching(/^\[CATP-[A-Z0-9]{10}\]$/),
      date: '2026-01-15T09:00:00',
      status: 503,
      severity: 'ERROR',
      detail: [],
      info: {
        mnemonico: 'CATP',
        ambiente: 'validacao',
        url: PRODUCTS,
        trackerId: expect.stringMatching(/^[A-Z0-9]{10}$/),
      },
    });
    expect(await isKept(request)).toBe(false);
  });

  test.each([200, 302, 599])(
    'status %d: the error body with that status, and nothing is done',
    async (status) => {
      const request = inclusion(`status=${status}`);
      const answer = await byNode(faulty.url, request);
      expect([answer.status, answer.headers['location'], JSON.parse(answer.body)]).toEqual([
        status,
        undefined,
        expect.objectContaining({ status, severity: 'ERROR', code: `CATP-ER0${status}` }),
      ]);
      expect(await isKept(request)).toBe(false);
    },
  );

  test.each([
    [400, 'PUCX-ER0010'],
    [401, 'PUCX-ER0201'],
    [403, 'CATP-ER0403'],
    [422, 'CATP-ER0422'],
    [429, 'CATP-ER0429'],
    [500, 'PUCX-ER0001'],
    [599, 'CATP-ER0599'],
  ])('status %d has its own code %s', async (status, code) => {
    const answer = await byNode(faulty.url, inclusion(`status=${status}`));
    expect([answer.status, JSON.parse(answer.body).code, JSON.parse(answer.body).status]).toEqual([
      status,
      code,
      status,
    ]);
  });

  test('status by a rule has another code and message if given', async () => {
    await faulty.fail({
      path: PRODUCTS,
      fault: { kind: 'status', status: 422, code: 'CATP-ER1012', message: 'Atributo inválido.' },
    });
    const answer = await byNode(faulty.url, inclusion());
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      422,
      expect.objectContaining({ code: 'CATP-ER1012', message: 'Atributo inválido.' }),
    ]);
  });

  test('delay: the answer comes later, unchanged', async () => {
    const request = inclusion('delay=300');
    const started = performance.now();
    const answer = await byNode(faulty.url, request);
    expect(performance.now() - started >= 290).toBe(true);
    expect([answer.status, await isKept(request)]).toEqual([200, true]);
  });

  test('drop: the connection is cut without a byte, for any client, and nothing is done', async () => {
    const requests = [inclusion('drop'), inclusion('drop'), inclusion('drop')] as const;
    expect(await byNode(faulty.url, requests[0])).toMatchObject({ status: undefined, whole: false });
    expect(await byFetch(faulty.url, requests[1])).toBeUndefined();
    const { body, code } = await byCurl(faulty.url, requests[2]);
    expect([body, [52, 56].includes(code)]).toEqual(['', true]);
    for (const one of requests) expect(await isKept(one)).toBe(false);
  });

  test('truncate: the full length is announced, and the body ends after the given bytes', async () => {
    const request = inclusion('truncate=40');
    const answer = await byNode(faulty.url, request);
    expect([answer.status, answer.body.length, answer.whole]).toEqual([200, 40, false]);
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(40);
    expect(answer.headers['content-type']).toContain('application/json');
    expect(answer.headers['x-csrf-token']).toBeTruthy();
    expect(await isKept(request)).toBe(true);

    expect(await byFetch(faulty.url, inclusion('truncate=40'))).toBeUndefined();
    const { body, code } = await byCurl(faulty.url, inclusion('truncate=40'));
    expect(body.length).toBe(40);
    expect([18, 56]).toContain(code);
  });

  test('truncate of a list, of no bytes, and of more than the body has', async () => {
    const list: RawRequest = { path: LIST, headers: { ...faulty.demo, 'x-simular-falha': 'truncate=10' } };
    const answer = await byNode(faulty.url, list);
    expect([answer.status, answer.body.length, answer.whole]).toEqual([200, 10, false]);
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(100);

    const none = await byNode(faulty.url, inclusion('truncate=0'));
    expect([none.status, none.body, none.whole]).toEqual([200, '', false]);
    const more = await byNode(faulty.url, inclusion('truncate=999999'));
    expect(more.status).toBe(200);
    expect(more.body.length).toBe(Number(more.headers['content-length']));
  });

  test('garbage: a page with status 200, and nothing is done', async () => {
    const request = inclusion('garbage');
    const answer = await byNode(faulty.url, request);
    expect([answer.status, answer.headers['content-type'], answer.whole]).toEqual([
      200,
      'text/html; charset=utf-8',
      true,
    ]);
    expect(answer.body).toStartWith('<!DOCTYPE html>');
    expect(await isKept(request)).toBe(false);
  });

  test('expired-token: 401 with the message of an expired token', async () => {
    const request = inclusion('expired-token');
    const answer = await byNode(faulty.url, request);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      401,
      expect.objectContaining({ code: 'PUCX-ER0201', field: 'Authorization', path: 'Authorization' }),
    ]);
    expect(await isKept(request)).toBe(false);
    // The token remains valid.
    expect((await byNode(faulty.url, inclusion())).status).toBe(200);
  });

  test('hourly-limit: 422 with the message of the limit, until the next hour', async () => {
    const request = inclusion('hourly-limit');
    const answer = await byNode(faulty.url, request);
    expect([answer.status, answer.headers['retry-after'], JSON.parse(answer.body)]).toEqual([
      422,
      '3600',
      expect.objectContaining({
        code: 'PUCX-ER1001',
        message:
          'Foi atingido o limite de 1000 acessos permitidos à funcionalidade em uma hora. A funcionalidade estará disponível novamente após as 10:00.',
      }),
    ]);
    expect(await isKept(request)).toBe(false);
  });

  test('daily-stop: 422, with the short body for a sign-in and the long one elsewhere', async () => {
    const answer = await byNode(faulty.url, inclusion('daily-stop'));
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      422,
      expect.objectContaining({ code: 'PUCX-ER0401', message: MESSAGE_STOP, detail: [] }),
    ]);
    const signIn = await byNode(faulty.url, {
      method: 'POST',
      path: '/portal/api/autenticar/chave-acesso',
      headers: {
        'client-id': 'demo',
        'client-secret': 'demo',
        'role-type': 'IMPEXP',
        'x-simular-falha': 'daily-stop',
      },
    });
    expect([signIn.status, JSON.parse(signIn.body)]).toEqual([
      422,
      {
        status: 422,
        message: MESSAGE_STOP,
        code: 'PUCX-ER0401',
        tag: expect.stringMatching(/^\[PLAT-[A-Z0-9]{10}\]$/),
        severity: 'ERROR',
      },
    ]);
    expect(signIn.headers['set-token']).toBeUndefined();
  });

  test('lost-answer: the change is stored, and its client gets no answer', async () => {
    const requests = [inclusion('lost-answer'), inclusion('lost-answer'), inclusion('lost-answer')] as const;
    expect(await byNode(faulty.url, requests[0])).toMatchObject({ status: undefined, whole: false });
    expect(await byFetch(faulty.url, requests[1])).toBeUndefined();
    expect((await byCurl(faulty.url, requests[2])).body).toBe('');
    for (const one of requests) expect(await isKept(one)).toBe(true);
  });

  test('lost-answer of a streamed list leaves nothing behind', async () => {
    const list: RawRequest = { path: LIST, headers: { ...faulty.demo, 'x-simular-falha': 'lost-answer' } };
    expect((await byNode(faulty.url, list)).status).toBeUndefined();
    expect(await faulty.products()).not.toEqual([]);
  });

  test('a fault comes before the check of the tokens, on unknown paths too', async () => {
    for (const path of [PRODUCTS, '/catp/api/ext/nada'])
      expect((await byNode(faulty.url, { path, headers: { 'x-simular-falha': 'status=500' } })).status).toBe(
        500,
      );
  });

  test('the journal names the kind, with the answer that the client got', async () => {
    await byNode(faulty.url, inclusion('drop'));
    await byNode(faulty.url, inclusion('status=503'));
    await byNode(faulty.url, inclusion('lost-answer'));
    const admin = await faulty.server.as('admin');
    const rows: { fault: string | null }[] = (
      await admin.call('GET', '/appliance/api/requests?operation=includeProduct')
    ).json;
    // A client may have repeated a cut request automatically: the test reads the newest entry of each kind.
    const newest = (kind: string) => rows.find(({ fault }) => fault === kind);
    expect(newest('lost-answer')).toMatchObject({ status: 200 });
    expect(newest('status')).toMatchObject({ status: 503, tag: expect.stringMatching(/CATP/) });
    expect(newest('drop')).toMatchObject({ status: null });
  });
});
