/** Files of `tls.*` that change while the server runs, and files that do not fit (contract section 16). */
import { afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { type TLSSocket, connect } from 'node:tls';
import { DAY_MS, REAL_TIME } from '../../src/clock.ts';
import { issue, serverCertificate } from '../support/tls.ts';
import { TestCa, longList } from './authority.ts';
import { type Secured, answerOf, openSecured, requestText } from './secured.ts';

const NAME = 'MARIA:00000000191';

let ca: TestCa;
let otherCa: TestCa;
beforeAll(async () => {
  [ca, otherCa] = await Promise.all([TestCa.create('AC Teste'), TestCa.create('AC Nova')]);
});

let opened: Secured | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});
const open = async (...options: Parameters<typeof openSecured>): Promise<Secured> =>
  (opened = await openSecured(...options));

/** Returns the certificate that the server presents. */
async function presentedCertificate({ listening }: Secured): Promise<string> {
  const { ca: trusted } = await serverCertificate();
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({ host: '127.0.0.1', port: listening.port, ca: trusted }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

const statusOf = async (secured: Secured, certificate: { cert: string; key: string }): Promise<number> =>
  (await secured.signIn(certificate)).status;

describe('a reload', () => {
  test('loads a new pair, and connections continue', async () => {
    const secured = await open();
    const before = await presentedCertificate(secured);
    const { ca: trusted } = await serverCertificate();
    const connection = connect({ host: '127.0.0.1', port: secured.listening.port, ca: trusted });
    const answered = (): Promise<string> =>
      new Promise((resolve) => connection.once('data', (part: Buffer) => resolve(part.toString())));
    const ask = async (): Promise<number> => {
      const answer = answered();
      connection.write(requestText('/healthz', {}));
      return answerOf(await answer).status;
    };
    expect(await ask()).toBe(200);
    const pair = await issue();
    secured.write('cert.pem', pair.cert);
    secured.write('key.pem', pair.key);
    await secured.credentials.reload(secured.log);
    expect(await presentedCertificate(secured)).not.toBe(before);
    expect(await ask()).toBe(200);
    connection.destroy();
    expect(secured.logged).toEqual(['Os arquivos de tls.* foram lidos outra vez.']);
  });

  test('of a pair that does not match, or is missing, names the file; the old pair stays, the lists are new', async () => {
    const secured = await open({
      authorities: ca.pem,
      revoked: [(await ca.revocations([])).toString('pem')],
    });
    const before = await presentedCertificate(secured);
    const certificate = await ca.issue(NAME);
    expect(await statusOf(secured, certificate)).toBe(200);
    secured.write('key.pem', (await issue()).key);
    secured.write('lcr-0', (await ca.revocations([certificate.serial])).toString('pem'));
    await secured.credentials.reload(secured.log);
    expect(await presentedCertificate(secured)).toBe(before);
    expect(secured.logged[0]).toMatch(/tls\.chave .* não é a chave de tls\.certificado .* em uso continua/);
    expect(await statusOf(secured, certificate)).toBe(422);
    rmSync(`${secured.folder}/key.pem`);
    await secured.credentials.reload(secured.log);
    expect(await presentedCertificate(secured)).toBe(before);
    expect(secured.logged.at(-1)).toMatch(/tls\.chave .* não pôde ser lido/);
  });

  test('loads new authorities, also for open connections; broken files are named', async () => {
    const secured = await open({ authorities: ca.pem });
    const [old, young] = await Promise.all([ca.issue(NAME), otherCa.issue(NAME)]);
    const { ca: trusted } = await serverCertificate();
    const connection = connect({ host: '127.0.0.1', port: secured.listening.port, ca: trusted, ...old });
    const ask = async (): Promise<number> => {
      const answer = new Promise<string>((resolve) =>
        connection.once('data', (part: Buffer) => resolve(part.toString())),
      );
      connection.write(requestText('/portal/api/autenticar', { 'role-type': 'IMPEXP' }, 'POST'));
      return answerOf(await answer).status;
    };
    expect([await ask(), await statusOf(secured, young)]).toEqual([200, 422]);
    secured.write('clientes.pem', otherCa.pem);
    await secured.credentials.reload(secured.log);
    expect([await statusOf(secured, old), await statusOf(secured, young)]).toEqual([422, 200]);
    expect(await ask()).toBe(422);
    connection.destroy();
    secured.write('clientes.pem', 'nada');
    await secured.credentials.reload(secured.log);
    expect(secured.logged.at(-1)).toMatch(/tls\.clientes .* não tem um certificado em PEM/);
    expect(await statusOf(secured, young)).toBe(200);
  });

  test.each(['cert', 'lists'] as const)('runs automatically when files change: %s', async (what) => {
    const secured = await open({
      authorities: ca.pem,
      revoked: [(await ca.revocations([])).toString('pem')],
    });
    const before = await presentedCertificate(secured);
    const certificate = await ca.issue(NAME);
    expect(await statusOf(secured, certificate)).toBe(200);
    const read = new Promise<void>((resolve) => secured.credentials.onChange(resolve));
    secured.credentials.watch(REAL_TIME, secured.log);
    if (what === 'cert') {
      const pair = await issue();
      secured.write('cert.pem', pair.cert);
      secured.write('key.pem', pair.key);
    } else secured.write('lcr-0', new Uint8Array((await ca.revocations([certificate.serial])).rawData));
    await read;
    expect((await presentedCertificate(secured)) === before).toBe(what === 'lists');
    expect(await statusOf(secured, certificate)).toBe(what === 'lists' ? 422 : 200);
  });
});

test('a list of an authority that is not in tls.clientes is logged, at the start and at a reload', async () => {
  const stranger = (await otherCa.revocations([])).toString('pem');
  const secured = await open({ authorities: ca.pem, revoked: [stranger] });
  secured.credentials.warnOfFiles(secured.log, Date.now());
  expect(secured.logged).toEqual([expect.stringMatching(/lcr-0 .* não está em tls\.clientes/)]);
  await secured.credentials.reload(secured.log);
  expect(secured.logged[1]).toBe(secured.logged[0] as string);
  secured.write('lcr-0', (await ca.revocations([])).toString('pem'));
  await secured.credentials.reload(secured.log);
  expect(secured.logged.filter((line) => line.includes('não está em tls.clientes'))).toHaveLength(2);
});

test('a certificate outside of its validity is logged, at the start and at a reload, and a valid one is not', async () => {
  const secured = await open({ authorities: ca.pem });
  const now = Date.now();
  secured.credentials.warnOfFiles(secured.log, now);
  expect(secured.logged).toEqual([]);
  const expired = await issue(now - 10 * 365 * DAY_MS);
  secured.write('cert.pem', expired.cert);
  secured.write('key.pem', expired.key);
  await secured.credentials.reload(secured.log);
  const words = /O certificado do servidor venceu em .* Renove o certificado de tls\.certificado/;
  expect(secured.logged.filter((line) => words.test(line))).toHaveLength(1);
  secured.credentials.warnOfFiles(secured.log, now);
  expect(secured.logged.filter((line) => words.test(line))).toHaveLength(2);
});

describe('a list of revoked certificates is refused with its name', () => {
  const opening = (revoked: readonly (string | Uint8Array)[]) =>
    openSecured({ authorities: ca.pem, revoked }).then(
      () => 'opened',
      (error: Error) => error.message,
    );

  test('if it is no list, is truncated, or is signed by another authority than it names', async () => {
    const good = await ca.revocations(['0a']);
    const der = new Uint8Array(good.rawData);
    for (const broken of ['', 'nada', der.slice(0, 100), good.toString('pem').replace(/.{40}\n/, '\n')])
      expect(await opening([broken])).toMatch(/tls\.revogados .* não é uma lista de certificados revogados/);
    const forged = await ca.revocations([], { signer: otherCa });
    expect(await opening([forged.toString('pem')])).toMatch(
      /não tem a assinatura da autoridade de tls\.clientes/,
    );
    // Another serial number and another signature algorithm.
    for (const place of [Buffer.from(der).indexOf('02010a', 'hex') + 2, der.length - 80]) {
      const changed = der.slice();
      changed[place] = (changed[place] ?? 0) ^ 1;
      expect(await opening([changed])).toMatch(/não tem a assinatura/);
    }
  });

  test('if it is signed by RSA-PSS with another authority of the same name, and only then', async () => {
    const [own, twin] = await Promise.all(['AC PSS', 'AC PSS'].map((name) => TestCa.create(name, 'PSS')));
    if (own === undefined || twin === undefined) throw new Error('no authority');
    const outcomes: unknown[] = [];
    for (const signer of [own, twin]) {
      const list = await own.revocations(['0a'], { signer });
      outcomes.push(
        await openSecured({ authorities: own.pem, revoked: [list.toString('pem')] }).then(
          (secured) => secured.close(),
          (error: Error) => error.message,
        ),
      );
    }
    expect(outcomes).toEqual([undefined, expect.stringContaining('não tem a assinatura')]);
  });

  test('if the file is missing', async () => {
    const start = openSecured({ settings: { 'tls.revogados': '/nao/existe.crl' } });
    expect(start).rejects.toThrow(/tls\.revogados \('\/nao\/existe\.crl'\) não pôde ser lido/);
  });

  test('but one of an unknown authority is used', async () => {
    const certificate = await ca.issue(NAME);
    const strange = await otherCa.revocations([certificate.serial]);
    const secured = await open({ authorities: ca.pem, revoked: [strange.toString('pem')] });
    expect(await statusOf(secured, certificate)).toBe(200);
  });

  test('a list of two hundred thousand is read, and requests are served meanwhile', async () => {
    const secured = await open({ authorities: ca.pem, revoked: [longList(200_000)] });
    const reloading = secured.credentials.reload(secured.log);
    expect((await fetch(`${secured.plain.url}/healthz`)).status).toBe(200);
    await reloading;
    expect(secured.credentials.trust.lists[0]?.size).toBe(200_000);
  });
});
