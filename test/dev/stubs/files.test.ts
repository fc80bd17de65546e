/** The file that answers at each path (contract section 22). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STUB_MAX_BYTES, answerOf } from '../../../src/dev/stubs/answer.ts';
import type { Reply } from '../../support/app.ts';
import { type StubServer, openStubServer } from './support.ts';

const DUIMP = 'duimp-api/api/ext/duimp';

let stubs: StubServer;
beforeAll(async () => {
  stubs = await openStubServer();
});
beforeEach(() => {
  rmSync(stubs.files, { recursive: true });
  mkdirSync(stubs.files);
});
afterAll(() => stubs.close());

const get = (path: string): Promise<Reply> => stubs.demo.call('GET', path);
/** Returns the status and the content from a file. */
const replyOf = async (method: string, path: string): Promise<unknown> => {
  const { status, text } = await stubs.demo.call(method, path);
  return status === 404 ? 404 : [status, text];
};

describe('a file', () => {
  test('answers GET of its path only, byte for byte as JSON', async () => {
    stubs.put(`${DUIMP}/26BR1/1/itens.json`, '[ {"numeroItem":1.10} ]\n');
    const { status, text, headers } = await get(`/${DUIMP}/26BR1/1/itens`);
    expect([status, text, headers.get('content-type')]).toEqual([
      ...[200, '[ {"numeroItem":1.10} ]\n', 'application/json; charset=utf-8'],
    ]);
    for (const other of ['26BR2/1/itens', '26BR1/2/itens', '26BR1/1', '26BR1/1/itens.json', '26BR1/1/iten'])
      expect([other, await replyOf('GET', `/${DUIMP}/${other}`)]).toEqual([other, 404]);
  });

  test('is read at each request: added, changed, removed', async () => {
    expect(await replyOf('GET', '/modulo/x')).toBe(404);
    stubs.put('modulo/x.json', '1');
    expect(await replyOf('GET', '/modulo/x')).toEqual([200, '1']);
    stubs.put('modulo/x.json', '2');
    expect(await replyOf('GET', '/modulo/x')).toEqual([200, '2']);
    rmSync(join(stubs.files, 'modulo/x.json'));
    expect(await replyOf('GET', '/modulo/x')).toBe(404);
    rmSync(stubs.files, { recursive: true });
    expect(await replyOf('GET', '/modulo/x')).toBe(404);
    mkdirSync(stubs.files);
  });

  test('answers with any query, a trailing slash and repeated ones', async () => {
    stubs.put('modulo/x.json', '1');
    for (const path of ['/modulo/x?nivel=0&nivel=1', '/modulo/x/', '//modulo//x'])
      expect([path, await replyOf('GET', path)]).toEqual([path, [200, '1']]);
  });

  test('without `.json`, or a folder of such a name, does not answer', async () => {
    stubs.put('modulo/x', '1');
    stubs.put('modulo/y.JSON', '1');
    mkdirSync(join(stubs.files, 'modulo/z.json'));
    for (const name of ['x', 'y', 'z'])
      expect([name, await replyOf('GET', `/modulo/${name}`)]).toEqual([name, 404]);
  });

  test('can be as long as a body, and a longer one is refused with its size', async () => {
    stubs.put('modulo/x.json', '1');
    truncateSync(join(stubs.files, 'modulo/x.json'), STUB_MAX_BYTES);
    expect((await get('/modulo/x')).bytes.length).toBe(STUB_MAX_BYTES);
    truncateSync(join(stubs.files, 'modulo/x.json'), STUB_MAX_BYTES + 1);
    const { status, json } = await get('/modulo/x');
    expect([status, json.code, json.message]).toEqual([
      ...[503, 'APPL-ER0503'],
      'O arquivo x.json da pasta de --stubs tem 10485761 bytes; o limite é de 10485760 (10 MiB).',
    ]);
  });
});

describe('the name of a file sets', () => {
  test('another method, whose body is ignored', async () => {
    stubs.put('modulo/x.POST.json', '"post"');
    stubs.put('modulo/x.PATCH.json', '"patch"');
    stubs.put('modulo/x.GET.json', '"get"');
    expect(await replyOf('POST', '/modulo/x')).toEqual([200, '"post"']);
    expect(await replyOf('PATCH', '/modulo/x')).toEqual([200, '"patch"']);
    expect(await replyOf('GET', '/modulo/x')).toEqual([200, '"get"']);
    const reply = await stubs.demo.call('POST', '/modulo/x', '<xml/>', { 'content-type': 'application/xml' });
    expect(reply.text).toBe('"post"');
  });

  test('another status, from 200 to 599', async () => {
    for (const status of [200, 299, 404, 422, 599]) stubs.put(`modulo/x${status}.${status}.json`, '{}');
    for (const status of [200, 299, 404, 422, 599])
      expect((await get(`/modulo/x${status}`)).status).toBe(status);
    stubs.put('modulo/y.199.json', '1');
    stubs.put('modulo/z.600.json', '1');
    expect([await replyOf('GET', '/modulo/y'), await replyOf('GET', '/modulo/z')]).toEqual([404, 404]);
    expect(await replyOf('GET', '/modulo/y.199')).toEqual([200, '1']); // a plain name
  });

  test('both', async () => {
    stubs.put('modulo/x.POST.201.json', '{"id":1}');
    expect(await replyOf('POST', '/modulo/x')).toEqual([201, '{"id":1}']);
    expect((await get('/modulo/x')).status).toBe(405);
  });

  test('a status without a body, and none is sent', async () => {
    stubs.put('modulo/x.DELETE.204.json', '{"never":"sent"}');
    const { status, text, headers } = await stubs.demo.call('DELETE', '/modulo/x');
    expect([status, text, headers.get('content-type')]).toEqual([204, '', null]);
  });

  test('if several match a method, the one with the lowest status answers, then the one without', async () => {
    stubs.put('modulo/x.json', '1');
    stubs.put('modulo/x.503.json', '2');
    stubs.put('modulo/x.422.json', '3');
    expect(await replyOf('GET', '/modulo/x')).toEqual([422, '3']);
    rmSync(join(stubs.files, 'modulo/x.422.json'));
    rmSync(join(stubs.files, 'modulo/x.503.json'));
    expect(await replyOf('GET', '/modulo/x')).toEqual([200, '1']);
  });
});

test('a file that was removed or is unreadable is reported', () => {
  const stub = { name: 'x', method: 'GET', hasMethod: false, status: undefined, path: '/modulo/x' } as const;
  const of = (file: string) => answerOf({ ...stub, file, isPublic: false, headersFile: undefined });
  expect(of(join(stubs.files, 'x.json'))).rejects.toMatchObject({
    kind: 'notFound',
    message: 'O arquivo que respondia por "/modulo/x" não está mais lá.',
  });
  expect(of(stubs.files)).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('não pode ser lido (é uma pasta, não um arquivo, EISDIR)'),
  });
});

describe('`_`', () => {
  test('matches any one segment, as a folder and as a file, and an exact name wins', async () => {
    stubs.put(`${DUIMP}/_/1/itens.json`, '"any"');
    stubs.put(`${DUIMP}/26BR1/1/itens.json`, '"exact"');
    stubs.put('modulo/_.json', '"any"');
    stubs.put('modulo/x.json', '"exact"');
    expect(await replyOf('GET', `/${DUIMP}/26BR1/1/itens`)).toEqual([200, '"exact"']);
    expect(await replyOf('GET', `/${DUIMP}/26BR2/1/itens`)).toEqual([200, '"any"']);
    expect(await replyOf('GET', '/modulo/x')).toEqual([200, '"exact"']);
    expect(await replyOf('GET', '/modulo/y')).toEqual([200, '"any"']);
    for (const path of [`/${DUIMP}/1/itens`, `/${DUIMP}/a/b/1/itens`, '/modulo/a/b', '/modulo/'])
      expect([path, await replyOf('GET', path)]).toEqual([path, 404]);
  });

  test('answers if the exact folder has no such file, or another method', async () => {
    stubs.put(`${DUIMP}/_/1/itens.json`, '"any"');
    stubs.put(`${DUIMP}/26BR1/1.json`, '"exact"');
    stubs.put('modulo/_.POST.json', '"any"');
    stubs.put('modulo/x.json', '"exact"');
    expect(await replyOf('GET', `/${DUIMP}/26BR1/1/itens`)).toEqual([200, '"any"']);
    expect(await replyOf('POST', '/modulo/x')).toEqual([200, '"any"']);
    expect((await stubs.demo.call('PUT', '/modulo/x')).headers.get('allow')).toBe('GET, HEAD, POST');
  });

  test('wins over an earlier one if it comes later', async () => {
    stubs.put('modulo/_/b.json', '"first"');
    stubs.put('modulo/a/_.json', '"last"');
    expect(await replyOf('GET', '/modulo/a/b')).toEqual([200, '"last"']);
  });
});

describe('NAME.headers.json', () => {
  test('adds headers to every answer of that name, and answers nothing itself', async () => {
    stubs.put('modulo/x.json', '<x/>');
    stubs.put('modulo/x.POST.201.json', '{}');
    stubs.put('modulo/x.headers.json', { 'Content-Type': 'application/xml', 'Retry-After': 30, 'X-É': 'a' });
    expect((await get('/modulo/x')).status).toBe(503); // `É` is not valid in the name of a header
    stubs.put('modulo/x.headers.json', { 'Content-Type': 'application/xml', 'Retry-After': 30 });
    for (const method of ['GET', 'POST']) {
      const { headers } = await stubs.demo.call(method, '/modulo/x');
      expect([headers.get('content-type'), headers.get('retry-after')]).toEqual(['application/xml', '30']);
      expect(headers.get('x-csrf-token')).toBeString();
    }
    expect(await replyOf('GET', '/modulo/x.headers')).toBe(404);
  });

  test('is refused with the reason if it is no object, or sets a header of the server', async () => {
    stubs.put('modulo/x.json', '1');
    const refused = async (content: unknown): Promise<[number, string]> => {
      stubs.put('modulo/x.headers.json', content);
      const { status, json } = await get('/modulo/x');
      return [status, json.message];
    };
    const why = (text: string): [number, string] => [
      ...([503, `O arquivo x.headers.json da pasta de --stubs ${text}.`] as const),
    ];
    for (const content of ['{"a":', '[]', '"a"', 'null'])
      expect(await refused(content)).toEqual(why('não é um objeto JSON; aceita {"Nome": "valor"}'));
    for (const name of [
      ...['Content-Length', 'x-csrf-token', 'Transfer-Encoding', 'Access-Control-Allow-Origin'],
      ...['Content-Security-Policy', 'Set-Cookie', 'Set-Token', 'Clear-Site-Data'],
    ])
      expect(await refused({ [name]: '1' })).toEqual(why(`"${name}" é do próprio servidor; retire-o`));
    for (const value of ['a\r\nb', '中', ['a'], null, true])
      expect(await refused({ a: value })).toEqual(
        why('a: aceita um texto de uma linha, sem letras fora do Latin-1, ou um número'),
      );
    expect(await refused({ 'a b': '1' })).toEqual(why('"a b" não é nome de cabeçalho'));
  });
});

test('a pipe, and a folder of such a name, are neither an answer nor its headers', async () => {
  mkdirSync(join(stubs.files, 'modulo/pasta.headers.json'), { recursive: true });
  stubs.put('modulo/pasta.json', '1');
  stubs.put('modulo/cano.json', '2');
  for (const name of ['cano.headers.json', 'nada.json'])
    expect(Bun.spawnSync(['mkfifo', join(stubs.files, 'modulo', name)]).exitCode).toBe(0);
  expect(await replyOf('GET', '/modulo/pasta')).toEqual([200, '1']);
  expect(await replyOf('GET', '/modulo/cano')).toEqual([200, '2']);
  expect(await replyOf('GET', '/modulo/nada')).toBe(404);
});

describe('nothing outside the folder is read', () => {
  test('by `..`, in any encoding', async () => {
    writeFileSync(join(stubs.files, '../fora.json'), '"out"');
    stubs.put('modulo/x.json', '1');
    stubs.put('_/_.json', '"any"');
    stubs.put('_/_/_.json', '"any"');
    for (const away of ['..', '%2e%2e', '.%2E', '.', '%2e', '..%2F..', '..%5Cfora', 'a%2F..%2Fb', 'a%5C..'])
      for (const path of [`/modulo/${away}/fora`, `/${away}/fora`, `/modulo/x/${away}`]) {
        const { pathname } = new URL(path, 'http://catp.test');
        // A client normalizes plain dot segments before it sends, and then requests another path.
        if (pathname !== path) continue;
        expect([path, await replyOf('GET', path)]).toEqual([path, 404]);
      }
  });

  test('by a link of a file, a folder, or the headers; a link inside answers', async () => {
    writeFileSync(join(stubs.files, '../fora.json'), '"out"');
    stubs.put('modulo/x.json', '"in"');
    stubs.put('modulo/h.json', '"in"');
    const link = (target: string, path: string) =>
      symlinkSync(join(stubs.files, target), join(stubs.files, path));
    link('../fora.json', 'modulo/file.json');
    link('..', 'folder');
    link('../vizinhos-ao-lado', 'modulo/nowhere');
    link('../fora.json', 'modulo/h.headers.json');
    link('modulo/x.json', 'modulo/inside.json');
    link('modulo', 'outro');
    for (const path of ['/modulo/file', '/folder/fora', '/modulo/nowhere/x'])
      expect([path, await replyOf('GET', path)]).toEqual([path, 404]);
    expect((await get('/modulo/h')).headers.get('content-type')).toStartWith('application/json');
    expect(await replyOf('GET', '/modulo/inside')).toEqual([200, '"in"']);
    expect(await replyOf('GET', '/outro/x')).toEqual([200, '"in"']);
  });

  test('and a cycle of links, or an endless path, ends', async () => {
    mkdirSync(join(stubs.files, 'a'));
    symlinkSync(stubs.files, join(stubs.files, 'a/a'));
    symlinkSync(join(stubs.files, 'a'), join(stubs.files, '_'));
    for (const depth of [31, 32, 33, 3000])
      expect([depth, await replyOf('GET', '/a'.repeat(depth))]).toEqual([depth, 404]);
    stubs.put('a.json', '1');
    expect(await replyOf('GET', '/a'.repeat(31))).toEqual([200, '1']);
    expect(await replyOf('GET', '/a'.repeat(33))).toBe(404);
  });
});

describe('a name', () => {
  test('is the same with percent-encoding or without, composed or not', async () => {
    stubs.put('módulo/ação nova.json', '1');
    stubs.put('modulo/a%3Ab.json', '2'); // for a system without `:` in file names
    stubs.put('modulo/a%2Fb.json', '3');
    stubs.put('modulo/100%.json', '4');
    stubs.put('modulo/v1.200.200.json', '5'); // only the first part of this form is a status
    expect(await replyOf('GET', '/m%C3%B3dulo/a%C3%A7%C3%A3o%20nova')).toEqual([200, '1']);
    expect(
      await replyOf('GET', `/${encodeURIComponent('módulo'.normalize('NFD'))}/a%C3%A7%C3%A3o%20nova`),
    ).toEqual([200, '1']);
    expect(await replyOf('GET', '/modulo/a:b')).toEqual([200, '2']);
    expect(await replyOf('GET', '/modulo/a%2fb')).toEqual([200, '3']);
    expect(await replyOf('GET', '/modulo/a/b')).toBe(404);
    expect(await replyOf('GET', '/modulo/100%25')).toEqual([200, '4']);
    expect(await replyOf('GET', '/modulo/v1.200')).toEqual([200, '5']);
  });

  test('is case-sensitive, like any path of the service', async () => {
    stubs.put('modulo/x.json', '1');
    expect([await replyOf('GET', '/modulo/X'), await replyOf('GET', '/Modulo/x')]).toEqual([404, 404]);
  });

  test('that is not UTF-8, or has a NUL, is no file', async () => {
    stubs.put('modulo/x.json', '1');
    for (const path of ['/modulo/%FF', '/modulo/x%00', '/modulo/%', '/modulo/x.json%00'])
      expect([path, await replyOf('GET', path)]).toEqual([path, 404]);
  });
});
