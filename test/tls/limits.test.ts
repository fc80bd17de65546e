/** Files of certificates whose size or content would stop the server (contract section 16). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AUTHORITIES_MAX, AUTHORITIES_MAX_BYTES, readAuthorities } from '../../src/settings/authorities.ts';
import { readSettings } from '../../src/settings/config.ts';
import { ENTRIES_MAX } from '../../src/tls/revocation.ts';
import { TestCa, equalEntries, pemList } from './authority.ts';
import { type Secured, openSecured } from './secured.ts';

const NAME = 'MARIA:00000000191';
const LISTS_MAX_BYTES = 64 * 2 ** 20;

let ca: TestCa;
let folder: string;
beforeAll(async () => {
  ca = await TestCa.create('AC Limites');
  folder = mkdtempSync(join(tmpdir(), 'catp-limits-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let opened: Secured | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});
const open = async (...options: Parameters<typeof openSecured>): Promise<Secured> =>
  (opened = await openSecured(...options));

/** Returns the message of a refused start, or `undefined`. */
const refusalOf = (...options: Parameters<typeof openSecured>): Promise<string | undefined> =>
  openSecured(...options).then(
    (secured) => secured.close().then(() => undefined),
    (error: Error) => error.message,
  );

describe('a list of revoked certificates', () => {
  test('is read up to 64 MiB; a larger one is refused with its size, and a reload keeps the old one', async () => {
    const certificate = await ca.issue(NAME);
    const revoked = (await ca.revocations([certificate.serial])).toString('pem');
    const secured = await open({ authorities: ca.pem, revoked: [revoked.padEnd(LISTS_MAX_BYTES, '\n')] });
    expect((await secured.signIn(certificate)).status).toBe(422);
    const file = secured.write('lcr-0', (await ca.revocations([])).toString('pem'));
    truncateSync(file, LISTS_MAX_BYTES + 1);
    await secured.credentials.reload(secured.log);
    expect(secured.logged.at(-1)).toMatch(
      /tls\.revogados \('.*lcr-0'\) tem ao menos 67108865 bytes; são aceitos até 67108864 .* em uso continua/,
    );
    expect((await secured.signIn(certificate)).status).toBe(422);
    expect(await refusalOf({ settings: { 'tls.revogados': file } })).toMatch(/tem ao menos 67108865 bytes/);
  });

  test('of two hundred thousand equal entries is read, and requests are served meanwhile', async () => {
    const list = pemList(equalEntries(200_000));
    const secured = await open({ authorities: ca.pem, revoked: [list] });
    const events: string[] = [];
    const reloading = secured.credentials.reload(secured.log).then(() => events.push('reload'));
    expect((await fetch(`${secured.plain.url}/healthz`)).status).toBe(200);
    events.push('healthz');
    await reloading;
    expect(events).toEqual(['healthz', 'reload']);
    expect(secured.credentials.trust.lists[0]?.size).toBe(200_000);
  });

  test('has a limit of entries and of lists in a file', async () => {
    expect(await refusalOf({ revoked: [equalEntries(ENTRIES_MAX)] })).toBeUndefined();
    expect(await refusalOf({ revoked: [equalEntries(ENTRIES_MAX + 1)] })).toMatch(
      /tem mais de 2000000 certificados revogados/,
    );
    const short = pemList(equalEntries(1));
    expect(await refusalOf({ revoked: [short.repeat(1000)] })).toBeUndefined();
    expect(await refusalOf({ revoked: [short.repeat(1001)] })).toMatch(/tem mais de 1000 listas/);
  });

  test('of a million parts, or without an end, is refused as no list', async () => {
    const parts = Buffer.concat([Buffer.from('3084000f4240', 'hex'), Buffer.alloc(1_000_000, '0500', 'hex')]);
    for (const list of [parts, pemList(equalEntries(1)).split('-----END')[0] ?? ''])
      expect(await refusalOf({ revoked: [list] })).toMatch(/não é uma lista de certificados revogados/);
  });
});

describe('a file of authorities', () => {
  const sized = (): readonly (readonly [string, RegExp | undefined])[] => [
    [ca.pem.padEnd(AUTHORITIES_MAX_BYTES, '\n'), undefined],
    [ca.pem.padEnd(AUTHORITIES_MAX_BYTES + 1, '\n'), /tem ao menos 1048577 bytes; são aceitos até 1048576/],
    [`${ca.pem}\n`.repeat(AUTHORITIES_MAX), undefined],
    [`${ca.pem}\n`.repeat(AUTHORITIES_MAX + 1), /tem 501 certificados; são aceitos até 500/],
  ];

  test('tls.clientes has a limit of bytes and of certificates; a reload keeps the old ones', async () => {
    const certificate = await ca.issue(NAME);
    for (const [authorities, refusal] of sized()) {
      const message = await refusalOf({ authorities });
      if (refusal === undefined) expect(message).toBeUndefined();
      else expect(message).toMatch(refusal);
      const secured = await open({ authorities: ca.pem });
      secured.write('clientes.pem', authorities);
      await secured.credentials.reload(secured.log);
      if (refusal !== undefined) expect(secured.logged.at(-1)).toMatch(refusal);
      expect((await secured.signIn(certificate)).status).toBe(200);
      await secured.close();
      opened = undefined;
    }
  });

  test.each(['entrega.ca', 'atributos.ca'] as const)('%s has the same limits', (name) => {
    const file = join(folder, `${name}.pem`);
    const settings = readSettings({ environment: {}, commandLine: [[name, file]] });
    for (const [authorities, refusal] of sized()) {
      writeFileSync(file, authorities);
      if (refusal === undefined) expect(readAuthorities(settings, name)).toHaveLength(1);
      else expect(() => readAuthorities(settings, name)).toThrow(refusal);
    }
  });
});
