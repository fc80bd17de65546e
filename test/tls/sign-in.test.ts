/** Signing in with a client certificate, over the port of TLS (contract sections 2 and 16). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import { TestClock } from '../../src/clock.ts';
import type { KeyPair } from '../../src/authority/authority.ts';
import { serverCertificate } from '../support/tls.ts';
import { COMPANY, PERSON, TestCa, type Wanted, now, personData, selfSigned } from './authority.ts';
import { type Secured, answerOf, openSecured, requestText } from './secured.ts';

const DEMO = '00000000191';
const PRODUCTS = '/catp/api/ext/produto?cpfCnpjRaiz=12345678';
const UNUSABLE = 'PLAT-ER2001';

let ca: TestCa;
let otherCa: TestCa;
let middle: TestCa;
beforeAll(async () => {
  [ca, otherCa] = await Promise.all([TestCa.create('AC Teste'), TestCa.create('AC Alheia')]);
  middle = await ca.intermediate('AC Intermediária');
});

let opened: Secured | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});
const open = async (...options: Parameters<typeof openSecured>): Promise<Secured> =>
  (opened = await openSecured(...options));

const codeOf = ({ status, json }: Awaited<ReturnType<Secured['signIn']>>): unknown =>
  status === 200 ? 'signed in' : json.code;

describe('authentication with a client certificate', () => {
  let secured: Secured;
  let revoked: KeyPair & { readonly serial: string };
  beforeAll(async () => {
    revoked = await ca.issue(`MARIA:${DEMO}`);
    const lists = await ca.revocations([revoked.serial]);
    secured = await openSecured({ authorities: ca.pem, revoked: [new Uint8Array(lists.rawData)] });
    const { accounts } = secured.server.app.core.session;
    const by = 'teste';
    await accounts.putCompany({ cpfCnpjRaiz: '55666777', nome: 'Depositária', cnpj: null }, by);
    for (const cnpj of ['55666777000100', '88999000000100'])
      await accounts.putUser(
        { documento: cnpj, nome: 'Empresa', tipo: 'PRIV', orgao: null, administrador: false },
        by,
      );
    for (const documento of ['55666777000100', '88999000000100'])
      await accounts.putRepresentation({ documento, cpfCnpjRaiz: '55666777', perfil: 'DEPOSIT' }, by);
  });
  afterAll(() => secured.close());

  const outcome = async (
    name: string,
    wanted: Wanted = {},
    { by = ca, roleType = 'IMPEXP' } = {},
  ): Promise<unknown> =>
    codeOf(await secured.signIn(await by.issue(name, wanted), { 'role-type': roleType }));

  test.each([
    ['the CN alone', `MARIA:${DEMO}`, {}],
    ['the SAN alone', 'MARIA', { otherNames: { [PERSON]: personData(DEMO) } }],
    ['both disagreeing: the SAN', 'MARIA:00000000999', { otherNames: { [PERSON]: personData(DEMO) } }],
  ])('signs in the user whom it names, by %s', async (_how, name, wanted) => {
    expect(await outcome(name, wanted)).toBe('signed in');
  });

  test('works by POST and by GET; the tokens of the session are valid on any connection, plain HTTP too', async () => {
    const certificate = await ca.issue(`MARIA:${DEMO}`);
    for (const method of ['POST', 'GET']) {
      const { status, headers, json } = await secured.signIn(certificate, { 'role-type': 'IMPEXP' }, method);
      expect(status).toBe(200);
      expect(json).toEqual({ token: headers.get('x-csrf-token') });
      const tokens = {
        authorization: headers.get('set-token') ?? '',
        'x-csrf-token': headers.get('x-csrf-token') ?? '',
      };
      const { guard } = secured.server.app.core.session;
      const { caller } = await guard.signedIn({
        authorization: tokens.authorization,
        csrf: tokens['x-csrf-token'],
        cookie: () => null,
      });
      const serial = new X509Certificate(certificate.cert).serialNumber;
      expect(caller.key).toBe(serial);
      expect(secured.exchanges).toContainEqual(
        expect.objectContaining({ way: 'certificate', user: '***.000.001-**', serial, status: 200 }),
      );
      const { ca: trusted } = await serverCertificate();
      const session = '/appliance/api/session';
      const overTls = await fetch(`${secured.listening.url}${session}`, {
        headers: tokens,
        tls: { ca: trusted },
      });
      const plain = await fetch(`${secured.plain.url}${session}`, { headers: tokens });
      expect([overTls.status, plain.status]).toEqual([200, 200]);
      expect(await plain.json()).toMatchObject({ documento: DEMO, perfil: 'IMPEXP' });
      expect((await fetch(`${secured.plain.url}${PRODUCTS}`, { headers: tokens })).status).toBe(204);
    }
  });

  test.each([
    ['expired', `MARIA:${DEMO}`, { from: -3, to: -1 }],
    ['not yet valid', `MARIA:${DEMO}`, { from: 1, to: 3 }],
    ['for servers only', `MARIA:${DEMO}`, { purposes: ['1.3.6.1.5.5.7.3.1'] }],
    ['without a number', 'MARIA', {}],
    ['with a broken number in its SAN', `MARIA:${DEMO}`, { otherNames: { [PERSON]: '0101' } }],
  ])('is PLAT-ER2001 with a certificate that is %s', async (_fault, name, wanted) => {
    expect(await outcome(name, wanted)).toBe(UNUSABLE);
  });

  test('is PLAT-ER2001 with one of another authority, a self-signed one, a revoked one, and with none', async () => {
    expect(await outcome(`MARIA:${DEMO}`, {}, { by: otherCa })).toBe(UNUSABLE);
    expect(codeOf(await secured.signIn(await selfSigned(`MARIA:${DEMO}`)))).toBe(UNUSABLE);
    expect(codeOf(await secured.signIn(revoked))).toBe(UNUSABLE);
    expect(codeOf(await secured.signIn())).toBe(UNUSABLE);
    expect(secured.exchanges).toContainEqual(
      expect.objectContaining({ way: 'certificate', user: null, unfit: 'foi revogado', code: UNUSABLE }),
    );
    const [others, own, revokedLine, none] = secured.printed.slice(-4);
    const opening = 'Entrada por certificado de 127.0.0.1 recusada (PLAT-ER2001): ';
    for (const line of [others, own])
      expect(line).toStartWith(`${opening}o certificado não é de uma autoridade de tls.clientes (titular `);
    expect(revokedLine).toMatch(
      /o certificado foi revogado \(titular C=BR, O=ICP-Brasil, CN=[^;]*; emissor [^;]*CN=AC Teste; série \w+\)\. Use outro/,
    );
    expect(none).toBe(
      `${opening}não veio certificado na conexão. Indique ao programa o certificado com sua chave; muitos só enviam um que leve a uma autoridade de tls.clientes.`,
    );
  });

  test('is PLAT-ER2001 with a certificate of another authority that has the same name and number', async () => {
    const twin = await TestCa.create('AC Teste');
    expect(await outcome(`MARIA:${DEMO}`, {}, { by: twin })).toBe(UNUSABLE);
  });

  test('through an intermediate requires the intermediate: from the client, or among the authorities', async () => {
    const { cert, key } = await middle.issue(`MARIA:${DEMO}`);
    expect(codeOf(await secured.signIn({ cert, key }))).toBe(UNUSABLE);
    expect(codeOf(await secured.signIn({ cert: `${cert}\n${middle.pem}`, key }))).toBe('signed in');
    const knowing = await open({ authorities: `${ca.pem}\n${middle.pem}` });
    expect(codeOf(await knowing.signIn({ cert, key }))).toBe('signed in');
    // An intermediate authority alone is no trust anchor.
    const intermediateOnly = await openSecured({ authorities: middle.pem });
    expect(codeOf(await intermediateOnly.signIn({ cert, key }))).toBe(UNUSABLE);
    await intermediateOnly.close();
  });

  test('checks Role-Type first', async () => {
    expect(codeOf(await secured.signIn(undefined, {}))).toBe('PUCX-ER0101');
    expect(codeOf(await secured.signIn(revoked, { 'role-type': 'X' }))).toBe('PUCX-ER0102');
  });

  test('of a CPF without a user, or without a representation in the profile, is PLAT-ER2013', async () => {
    expect(await outcome('NINGUEM:00000000787')).toBe('PLAT-ER2013');
    expect(secured.printed.at(-1)).toMatch(
      /recusada \(PLAT-ER2013\): o certificado serve, e é de 00000000787 \(titular .*\)\. Inclua o usuário e/,
    );
    expect(await outcome(`MARIA:${DEMO}`, {}, { roleType: 'DEPOSIT' })).toBe('PLAT-ER2013');
    expect(await outcome('NENHUMA SA:99888777000100', {}, { roleType: 'DEPOSIT' })).toBe('PLAT-ER2013');
  });

  test('of a company in a profile for persons is PLAT-ER2008, with a user or without', async () => {
    expect(await outcome('EMPRESA:55666777000100')).toBe('PLAT-ER2008');
    expect(await outcome('NENHUMA:99888777000100')).toBe('PLAT-ER2008');
    expect(await outcome(`EMPRESA:${DEMO}`, { otherNames: { [COMPANY]: '55666777000100' } })).toBe(
      'PLAT-ER2008',
    );
  });

  test('of a company that represents itself in the profile signs in; one that represents only others is PLAT-ER2023', async () => {
    const roleType = 'DEPOSIT';
    expect(await outcome('EMPRESA:55666777000100', {}, { roleType })).toBe('signed in');
    expect(await outcome('OUTRA:88999000000100', {}, { roleType })).toBe('PLAT-ER2023');
    expect(await outcome('EMPRESA:55666777000100', {}, { roleType: 'OPERPORT' })).toBe('PLAT-ER2023');
  });

  test('is optional: every operation works on the same port without a certificate', async () => {
    const { ca: trusted } = await serverCertificate();
    const reply = await fetch(`${secured.listening.url}/portal/api/autenticar/chave-acesso`, {
      method: 'POST',
      headers: { 'client-id': 'demo', 'client-secret': 'demo', 'role-type': 'IMPEXP' },
      tls: { ca: trusted },
    });
    expect(reply.status).toBe(200);
  });

  test.each(['RSA', 'PSS'] as const)(
    'works with certificates signed by %s, and with lists in PEM',
    async (algorithm) => {
      const rsa = await TestCa.create('AC RSA', algorithm);
      const [good, bad] = await Promise.all([rsa.issue(`MARIA:${DEMO}`), rsa.issue(`MARIA:${DEMO}`)]);
      const list = await rsa.revocations([bad.serial]);
      const lists = await ca.revocations([]);
      const served = await open({
        authorities: rsa.pem,
        revoked: [`${lists.toString('pem')}\n${list.toString('pem')}`],
      });
      expect(codeOf(await served.signIn(good))).toBe('signed in');
      expect(codeOf(await served.signIn(bad))).toBe(UNUSABLE);
    },
  );

  test('uses real time, also with a test clock', async () => {
    const far = await open({ authorities: ca.pem, app: { clock: new TestClock(Date.UTC(2040, 0, 1)) } });
    expect(codeOf(await far.signIn(await ca.issue(`MARIA:${DEMO}`)))).toBe('signed in');
    expect(codeOf(await far.signIn(await ca.issue(`MARIA:${DEMO}`, { from: -3, to: -1 })))).toBe(UNUSABLE);
    expect(now()).toBeLessThan(Date.UTC(2040, 0, 1));
  });

  test('is not requested if no authorities are set', async () => {
    const unasked = await open();
    expect(codeOf(await unasked.signIn(await ca.issue(`MARIA:${DEMO}`)))).toBe(UNUSABLE);
    expect(codeOf(await unasked.signIn())).toBe(UNUSABLE);
    expect(unasked.printed.at(-1)).toContain('porque não há autoridades em tls.clientes. Indique-as com');
  });

  test('applies to every request of a connection, and to a resumed connection', async () => {
    const { cert, key } = await ca.issue(`MARIA:${DEMO}`);
    const { ca: trusted } = await serverCertificate();
    const to = { host: '127.0.0.1', port: secured.listening.port, ca: trusted, cert, key };
    const signIns = async (session?: Buffer): Promise<{ texts: string[]; session: Buffer | undefined }> => {
      const socket = connect({ ...to, ...(session && { session }) });
      let lastTicket: Buffer | undefined;
      socket.on('session', (ticket: Buffer) => (lastTicket = ticket));
      const texts: string[] = [];
      for (let time = 0; time < 2; time += 1) {
        const answered = new Promise<string>((resolve, reject) => {
          socket.once('data', (part: Buffer) => resolve(part.toString()));
          socket.once('error', reject);
        });
        socket.write(requestText('/portal/api/autenticar', { 'role-type': 'IMPEXP' }, 'POST'));
        texts.push(await answered);
      }
      socket.destroy();
      return { texts, session: lastTicket };
    };
    const first = await signIns();
    const second = await signIns(first.session);
    for (const text of [...first.texts, ...second.texts]) expect(answerOf(text).status).toBe(200);
  });

  test('no request bypasses TLS: the inner port answers only forwarded ones', async () => {
    const answer = await fetch(`http://127.0.0.1:${secured.listening.innerPort}/healthz`);
    expect([answer.status, await answer.text()]).toEqual([421, '']);
  });
});
