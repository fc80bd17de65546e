/**
 * The checks of `catp doctor` outside the folder: certificates, backups, settings, receivers (contract
 * section 16).
 */
import { describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { putDrill, putLast } from '../../src/backup/marks.ts';
import { DAY_MS } from '../../src/clock.ts';
import { FolderMarks } from '../../src/db/folder-mark.ts';
import { createAuthority } from '../../src/authority/authority.ts';
import { START } from '../support/app.ts';
import { openReceiver } from '../support/receiver.ts';
import { issue } from '../support/tls.ts';
import { TestCa } from '../tls/authority.ts';
import { type Situation, folderForEachTest, inDatabase, place, verdictOf } from './support.ts';

folderForEachTest();

describe('tls', () => {
  const day = async (days: number): Promise<Situation> => {
    const { cert, key } = await issue();
    writeFileSync(place('cert.pem'), cert);
    writeFileSync(place('key.pem'), key);
    const { X509Certificate } = await import('node:crypto');
    const until = new X509Certificate(cert).validToDate.getTime();
    return {
      settings: { 'tls.porta': '0', 'tls.certificado': place('cert.pem'), 'tls.chave': place('key.pem') },
      now: until + days * DAY_MS,
    };
  };

  test('valid, near its end, expired, not yet valid', async () => {
    expect((await verdictOf('tls', await day(-30)))[0]).toBe('ok');
    expect(await verdictOf('tls', await day(-29.5))).toEqual([
      'warning',
      expect.stringContaining('vence em 29 dias'),
    ]);
    expect(await verdictOf('tls', await day(0.1))).toEqual(['error', expect.stringContaining('venceu em')]);
    expect(await verdictOf('tls', { ...(await day(0)), now: Date.parse('2000-01-01T00:00:00Z') })).toEqual([
      'error',
      expect.stringContaining('só vale a partir de'),
    ]);
  });

  test('lists of revoked certificates past their next update', async () => {
    const authority = await TestCa.create('Autoridade');
    writeFileSync(place('ca.pem'), authority.pem);
    writeFileSync(place('lcr.der'), new Uint8Array((await authority.revocations([])).rawData));
    const settings = { 'tls.clientes': place('ca.pem'), 'tls.revogados': place('lcr.der') };
    expect((await verdictOf('tls', { settings, now: Date.now() }))[0]).toBe('ok');
    expect(await verdictOf('tls', { settings, now: Date.now() + 1000 * DAY_MS })).toEqual([
      'warning',
      expect.stringContaining('tls.revogados'),
    ]);
  });

  test('lists of an authority outside tls.clientes, or without tls.clientes', async () => {
    const [ours, other] = [await TestCa.create('Autoridade'), await TestCa.create('Outra')];
    writeFileSync(place('ca.pem'), ours.pem);
    writeFileSync(place('lcr.der'), new Uint8Array((await ours.revocations([])).rawData));
    writeFileSync(place('outra.pem'), (await other.revocations([])).toString('pem'));
    const lists = `${place('lcr.der')},${place('outra.pem')}`;
    const settings = { 'tls.clientes': place('ca.pem'), 'tls.revogados': lists };
    const [level, message] = await verdictOf('tls', { settings, now: Date.now() });
    expect(level).toBe('warning');
    expect(message).toStartWith(
      `A lista de certificados revogados ${place('outra.pem')} (tls.revogados) é de uma autoridade que não está em tls.clientes ("Outra, ICP-Brasil, BR"): sua assinatura`,
    );
    expect(message).not.toContain('lcr.der');
    // Both reasons at once: an old list, by an unknown authority.
    expect((await verdictOf('tls', { settings, now: Date.now() + 1000 * DAY_MS }))[1]).toMatch(
      /passaram da data da próxima.*não está em tls\.clientes/,
    );
    expect(
      await verdictOf('tls', { settings: { 'tls.revogados': place('lcr.der') }, now: Date.now() }),
    ).toEqual([
      'warning',
      expect.stringContaining(
        '("Autoridade, ICP-Brasil, BR"): ela não barra ninguém, porque sem tls.clientes',
      ),
    ]);
    writeFileSync(place('ca.pem'), `${ours.pem}\n${other.pem}`);
    expect((await verdictOf('tls', { settings, now: Date.now() }))[0]).toBe('ok');
  });

  test('files that the server would not start with', async () => {
    const { settings } = await day(-100);
    rmSync(place('key.pem'));
    expect(await verdictOf('tls', { settings: settings ?? {} })).toEqual([
      'error',
      expect.stringContaining('tls.chave'),
    ]);
  });
});

describe('attribute-table', () => {
  test('a missing one is a notice', async () => {
    inDatabase((db) => db.exec('DELETE FROM attribute_activation'));
    expect(await verdictOf('attribute-table')).toEqual([
      'notice',
      expect.stringContaining('catp attributes load'),
    ]);
  });
});

describe('backup and drill', () => {
  const mark = (work: (marks: FolderMarks) => void): void => inDatabase((db) => work(new FolderMarks(db)));
  const now = START + 10 * DAY_MS;

  test('a missing one, and one older than two days, are warnings', async () => {
    writeFileSync(place('catp-1.zip'), '');
    expect(await verdictOf('backup')).toEqual(['warning', expect.stringContaining('catp backup')]);
    expect(await verdictOf('drill')).toEqual(['warning', expect.stringContaining('teste-de-restauracao')]);
    for (const [at, level] of [
      [now - 2 * DAY_MS, 'ok'],
      [now - 2 * DAY_MS - 1, 'warning'],
    ] as const) {
      mark((marks) => {
        putLast(marks, { at, file: 'catp-1.zip', bytes: 1, path: place('catp-1.zip') });
        putDrill(marks, { at, file: 'catp-1.zip', ok: true, message: null });
      });
      expect([(await verdictOf('backup', { now }))[0], (await verdictOf('drill', { now }))[0]]).toEqual([
        level,
        level,
      ]);
    }
  });

  test('a deleted one is a warning, in any folder; an unwritable folder is an error', async () => {
    const path = place('catp-1.zip');
    mark((marks) => putLast(marks, { at: now, file: 'catp-1.zip', bytes: 1, path }));
    expect(await verdictOf('backup', { now })).toEqual([
      'warning',
      expect.stringContaining('não está mais em'),
    ]);
    writeFileSync(path, '');
    expect((await verdictOf('backup', { now }))[0]).toBe('ok');
    const copies = (to: string): Situation => ({ now, settings: { 'backup.pasta': to } });
    expect((await verdictOf('backup', copies(place('por/fazer'))))[0]).toBe('ok');
    for (const to of [path, `${path}/copias`])
      expect(await verdictOf('backup', copies(to))).toEqual([
        'error',
        expect.stringContaining(`gravada em ${to} (uma parte do caminho é um arquivo`),
      ]);
  });

  test('a failed drill is an error with its reason', async () => {
    mark((marks) => putDrill(marks, { at: now, file: 'catp-1.zip', ok: false, message: 'Zip corrompido.' }));
    expect(await verdictOf('drill', { now })).toEqual(['error', expect.stringContaining('Zip corrompido.')]);
  });
});

describe('settings', () => {
  const level = async (settings: Record<string, string>): Promise<string> =>
    (await verdictOf('settings', { settings }))[0];

  test('without the loopback, TLS or a proxy, with any origin, and with invalid values', async () => {
    for (const host of ['127.0.0.1', '127.0.0.2', '::1', 'localhost'])
      expect([host, await level({ host })]).toEqual([host, 'ok']);
    for (const host of ['0.0.0.0', '10.0.0.5', '::', '127.exemplo'])
      expect([host, await level({ host })]).toEqual([host, 'warning']);
    expect(await level({ host: '0.0.0.0', 'tls.porta': '8443' })).toBe('ok');
    expect(await level({ host: '0.0.0.0', 'proxy.confiavel': '10.0.0.1' })).toBe('ok');
    for (const network of ['10.0.0.0/8', '10.0.0.4/31', 'fd00::/127', '10.0.0.1, 10.1.0.0/16'])
      expect([network, await level({ 'proxy.confiavel': network })]).toEqual([network, 'warning']);
    for (const one of ['10.0.0.1', '10.0.0.1/32', 'fd00::1', '::1/128'])
      expect([one, await level({ 'proxy.confiavel': one })]).toEqual([one, 'ok']);
    const bringing = { 'proxy.confiavel': '10.0.0.1', 'proxy.certificado': 'X-Client-Cert' };
    expect(await level(bringing)).toBe('warning');
    expect(await level({ ...bringing, 'proxy.segredo': '/etc/catp/proxy.segredo' })).toBe('ok');
    expect(await level({ 'cors.origens': '*' })).toBe('warning');
    expect(await level({ 'cors.origens': 'https://erp.exemplo' })).toBe('ok');
    expect(await verdictOf('settings', { settingProblems: ['porta: recebido x.'] })).toEqual([
      'error',
      expect.stringContaining('porta: recebido x.'),
    ]);
  });
});

describe('receivers', () => {
  test('are called only on request', async () => {
    expect((await verdictOf('receivers'))[0]).toBe('none');
  });

  test('a real one that answers is good without a sent event; a silent one and an untrusted one are not', async () => {
    await using receiver = await openReceiver();
    writeFileSync(place('ca.pem'), receiver.ca);
    writeFileSync(place('outra.pem'), (await createAuthority(Date.now())).pem);
    const settings = {
      'entrega.mapa': `erp.exemplo:443=127.0.0.1:${receiver.port}`,
      'entrega.ca': place('ca.pem'),
    };
    const good = await verdictOf('receivers', { receivers: true, settings });
    expect(good).toEqual(['ok', expect.stringContaining('Os 1 receptores')]);
    expect(receiver.requests).toEqual([]);

    const untrusted = { ...settings, 'entrega.ca': place('outra.pem') };
    const [level, text] = await verdictOf('receivers', { receivers: true, settings: untrusted });
    expect([level, text]).toEqual([
      'warning',
      expect.stringContaining('erp.exemplo: O certificado do destinatário'),
    ]);
    // The part after the host may be a secret.
    expect(text).not.toContain('segredo');
    const closed = { ...settings, 'entrega.mapa': 'erp.exemplo:443=127.0.0.1:1' };
    expect(await verdictOf('receivers', { receivers: true, settings: closed })).toEqual([
      'warning',
      expect.stringContaining('A conexão com o destinatário falhou'),
    ]);
  });

  test('an empty list is good', async () => {
    inDatabase((db) => db.exec('DELETE FROM delivery_failure; DELETE FROM subscription'));
    expect((await verdictOf('receivers', { receivers: true }))[0]).toBe('ok');
  });
});
