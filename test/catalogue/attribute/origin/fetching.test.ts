/**
 * Automatic fetches of the attribute table (contract section 19): each failure of the transfer, from a
 * real server on the loopback.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SettingName } from '../../../../src/settings/settings.ts';
import { MAX_BYTES } from '../../../../src/outgoing/exchange.ts';
import { type TestApp, openApp } from '../../../support/app.ts';
import { type TestOrigin, openOrigin, zipped } from '../../../support/origin.ts';
import { HandTime } from '../../../support/real-time.ts';
import { stalls } from '../../../support/stall.ts';
import { certificateFiles } from '../../../support/tls.ts';
import { TABLES, tableFile } from '../support.ts';

const FIRST = tableFile('137', { '0901.21.00': [{ codigo: 'ATT_1' }], '2204.21.00': [{ codigo: 'ATT_2' }] });
const TEXT = JSON.stringify(FIRST);

let server: TestApp;
let origin: TestOrigin;

beforeEach(async () => {
  origin = await openOrigin();
  origin.serves(TEXT);
});
afterEach(async () => {
  await server.close();
  await origin[Symbol.asyncDispose]();
});

interface Opening {
  readonly settings?: Partial<Record<SettingName, string>>;
  readonly time?: HandTime;
}

async function open({ settings = {}, time }: Opening = {}): Promise<void> {
  const { ca } = await certificateFiles();
  server = await openApp({
    // The schedule starts no fetch; each test starts its own.
    settings: {
      'atributos.origem': origin.url,
      'atributos.ca': ca,
      'atributos.horario': 'nunca',
      ...settings,
    },
    ...(time && { parts: { realTime: time } }),
  });
}

const fetchTable = () => server.app.core.catalogue.attribute.origin.runOnce();
const versions = () => server.app.core.catalogue.attribute.service.list().map(({ versao }) => versao);
const refusal = async (): Promise<string> => {
  const message = await fetchTable().then(
    ({ message }) => `unexpected: ${message}`,
    (error: Error) => error.message,
  );
  const { last } = (await (await server.as('demo')).call('GET', `${TABLES}/origin`)).json;
  expect(last).toMatchObject({ ok: false, message });
  return message;
};

describe('a fetch', () => {
  test('requests a zip and no JSON, as the public service requires, and accepts either', async () => {
    await open();
    expect(await fetchTable()).toMatchObject({ outcome: 'new' });
    const [{ headers, url } = { headers: {}, url: '' }] = origin.requests;
    expect([url, headers.accept, headers['user-agent']]).toEqual(['/lista', 'application/zip, */*', 'catp']);
    expect(headers.accept).not.toContain('json');
    expect(versions()).toEqual(['137']);
  });

  test.each(['ATRIBUTOS_POR_NCM_2026_01_15.json', 'pasta/outra.JSON', 'tabela', 'lista.txt'])(
    'accepts a zip whose member is named %s',
    async (name) => {
      await open();
      origin.serves(await zipped(name, TEXT));
      expect(await fetchTable()).toMatchObject({ outcome: 'new' });
      expect(versions()).toEqual(['137']);
    },
  );

  test('recognises the same table in other bytes: white space, order of members, BOM, a zip', async () => {
    await open();
    expect(await fetchTable()).toMatchObject({ outcome: 'new' });
    const reordered = Object.fromEntries(Object.entries(FIRST).reverse());
    for (const other of [
      JSON.stringify(FIRST, undefined, 3),
      JSON.stringify(reordered),
      `\u{FEFF}${TEXT}`,
      await zipped('outro.json', `\u{FEFF}${JSON.stringify(reordered, undefined, 1)}`),
    ]) {
      origin.serves(other);
      expect(await fetchTable()).toMatchObject({ outcome: 'same' });
    }
    expect(versions()).toEqual(['137']);
  });

  test('uses plain HTTP on this machine', async () => {
    await using plain = await openOrigin('http');
    plain.serves(TEXT);
    await open({ settings: { 'atributos.origem': plain.url } });
    expect(await fetchTable()).toMatchObject({ outcome: 'new' });
  });
});

describe('a redirect', () => {
  /** Answers with `times` redirects before the file. */
  const redirectTimes = (times: number, status: number) => {
    let remainingRedirects = times;
    origin.answer = (_, response) => {
      if (remainingRedirects === 0) return void response.end(TEXT);
      remainingRedirects -= 1;
      return void response.writeHead(status, { Location: `/lista?passo=${remainingRedirects}` }).end();
    };
  };

  test.each([301, 302, 303, 307, 308])('of status %i is followed', async (status) => {
    await open();
    redirectTimes(1, status);
    expect(await fetchTable()).toMatchObject({ outcome: 'new' });
    expect(origin.requests.map(({ url }) => url)).toEqual(['/lista', '/lista?passo=0']);
  });

  test('is followed five times, but not a sixth time', async () => {
    await open();
    redirectTimes(5, 307);
    expect(await fetchTable()).toMatchObject({ outcome: 'new' });
    redirectTimes(6, 307);
    expect(await refusal()).toContain('mais de 5 vezes');
  });

  test('to http on another machine is not followed, and sends no request there', async () => {
    await open();
    origin.answer = (_, response) =>
      void response.writeHead(302, { Location: 'http://portal.exemplo/lista' }).end();
    expect(await refusal()).toContain('redireciona para http');
    expect(versions()).toEqual([]);
  });

  test('to another scheme, or without an address, is refused', async () => {
    await open();
    for (const [headers, reason] of [
      [{ Location: 'file:///etc/passwd' }, 'redireciona para file'],
      [{}, 'sem dizer para onde'],
    ] as const) {
      origin.answer = (_, response) => void response.writeHead(302, headers).end();
      expect(await refusal()).toContain(reason);
    }
  });
});

describe('an incomplete answer is reported, and nothing is loaded', () => {
  test.each([406, 404, 500, 204])('a status %i', async (status) => {
    await open();
    origin.answer = (_, response) => void response.writeHead(status).end();
    expect(await refusal()).toContain(`respondeu ${status}`);
    expect(versions()).toEqual([]);
  });

  test('a body that is cut, with or without a length', async () => {
    await open();
    for (const headers of [{ 'Content-Length': String(TEXT.length) }, {}]) {
      origin.answer = (_, response) => {
        response.writeHead(200, headers);
        response.write(TEXT.slice(0, 100), () => response.socket?.destroy());
      };
      expect(await refusal()).toMatch(/interrompida|não pôde ser alcançada/);
    }
    // The parser detects a body that is incomplete but ends regularly.
    origin.serves(TEXT.slice(0, 100));
    expect(await refusal()).toContain('recusada');
    expect(versions()).toEqual([]);
  });

  test('a body that stops for 30 s', async () => {
    const time = new HandTime();
    await open({ time });
    const firstBytes = Promise.withResolvers<void>();
    origin.answer = (_, response) => {
      response.writeHead(200);
      response.write(TEXT.slice(0, 100));
      firstBytes.resolve();
    };
    const pendingRefusal = refusal();
    await firstBytes.promise;
    // The first bytes start the timeout again.
    while (time.set.filter((ms) => ms === 30_000).length < 2) await Bun.sleep(1);
    time.pass(30_000);
    expect(await pendingRefusal).toContain('nada chegou em 30 segundos');
  });

  test('a body that takes more than five minutes', async () => {
    const time = new HandTime();
    await open({ time });
    let sendByte = (): void => undefined;
    origin.answer = (_, response) => {
      response.writeHead(200);
      sendByte = () => void response.write(' ');
      sendByte();
    };
    const pendingRefusal = refusal();
    const countTimeouts = () => time.set.filter((ms) => ms === 30_000).length;
    for (let elapsedMs = 0; elapsedMs < 300_000; elapsedMs += 20_000) {
      const before = countTimeouts();
      sendByte();
      while (countTimeouts() === before) await Bun.sleep(1);
      time.pass(20_000);
    }
    expect(await pendingRefusal).toContain('não chegou inteiro em 5 minutos');
  });

  test('a body that is one byte too large', async () => {
    await open({ settings: { 'importacao.maximo': String(Buffer.byteLength(TEXT)) } });
    origin.serves(`${TEXT} `);
    expect(await refusal()).toContain('passa de');
    origin.serves(TEXT);
    expect(await fetchTable()).toMatchObject({ outcome: 'new' });
  });

  test('a body of more than 64 MiB, also if importacao.maximo allows it', async () => {
    await open();
    const largest = `${TEXT}${' '.repeat(MAX_BYTES.table - Buffer.byteLength(TEXT))}`;
    origin.serves(`${largest} `);
    expect(await refusal()).toContain('passa de 64 MiB');
    origin.serves(largest);
    expect(await fetchTable()).toMatchObject({ outcome: 'new' });
  });

  test.each([
    ['brackets only', '['.repeat(40_000_000), 'termina antes do fim'],
    ['lists within lists', `{"versao":${'['.repeat(20_000_000)}${']'.repeat(20_000_000)}}`, '/versao'],
  ])('a body of %s is refused without parsing, and delays no request', async (_, text, reason) => {
    await open();
    origin.serves(text);
    const { result, stallMs } = await stalls(refusal);
    expect(result).toContain(reason);
    expect(stallMs).toBeLessThan(1000); // parsing takes several seconds
    expect(versions()).toEqual([]);
  });

  test('a zip bomb', async () => {
    await open();
    origin.serves(await zipped('tabela.json', `{"versao":"${' '.repeat(1_000_000)}"}`));
    expect(await refusal()).toContain('bomba zip');
  });

  test('an HTML page instead of the file', async () => {
    await open();
    origin.serves('<!DOCTYPE html><html></html>');
    expect(await refusal()).toContain('uma página HTML');
  });

  test('a server that does not answer', async () => {
    await open();
    await origin[Symbol.asyncDispose]();
    expect(await refusal()).toMatch(/não pôde ser alcançada \(\w+\)/);
  });
});

describe('the certificate of the origin', () => {
  test('must be trusted, or signed by atributos.ca', async () => {
    await open({ settings: { 'atributos.ca': '' } });
    const message = await refusal();
    expect(message).toContain('certificado da origem não foi aceito');
    expect(message).toContain('atributos.ca');
    expect(origin.requests).toEqual([]);
  });

  test('is refused at the start if its authority cannot be read', async () => {
    await open();
    const folder = mkdtempSync(join(tmpdir(), 'catp-ca-'));
    const file = join(folder, 'ca.pem');
    writeFileSync(file, 'nada');
    const opening = openApp({ settings: { 'atributos.origem': origin.url, 'atributos.ca': file } });
    await expect(opening).rejects.toThrow('atributos.ca: o arquivo');
    rmSync(folder, { recursive: true });
  });
});

test('another catp with the profile portal can be an origin: 307 without perfil, 406 to JSON', async () => {
  const portal = await openApp({ demo: true, over: 'https', settings: { perfil: 'portal' } });
  const url = `${portal.url?.replace('127.0.0.1', 'localhost')}/cadatributos/api/atributo-ncm/download/json`;
  await open({ settings: { 'atributos.origem': url } });
  try {
    expect(await fetchTable()).toMatchObject({ outcome: 'new' });
    expect(versions()).toEqual(['1']);
    expect(await fetchTable()).toMatchObject({ outcome: 'same' });
  } finally {
    await portal.close();
  }
});
