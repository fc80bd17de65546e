/** Whole files: an unreadable one stores nothing, and a readable one is read as it is written. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { zipSync } from 'fflate';
import { zipOf } from '../../../src/files/zip-out.ts';
import { ITEM_MAX_BYTES } from '../../../src/catalogue/import/feed.ts';
import {
  COMPANY,
  OTHER_COMPANY,
  STRANGERS_COMPANY,
  type TestImports,
  openImports,
  product,
  products,
} from './support.ts';

const MAX_BYTES = 8 * 1024 * 1024;
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

let imports: TestImports;

beforeEach(async () => {
  imports = await openImports({ maxBytes: MAX_BYTES });
});

afterEach(() => imports.close());

const good = JSON.stringify(products(1000));

test.each([
  ['ends in the middle', good.slice(0, -1), /JSON inválido no byte \d+/],
  ['has a fault after a thousand good items', `${good.slice(0, -1)},{]`, /JSON inválido no byte \d+/],
  ['is an object', JSON.stringify(product(1)), /esperado "\["/],
  ['is empty', '', /vazio/],
  ['only starts like a zip', 'PK\u0003\u0004…', /[Zz]ip/],
])('a file that %s fails with the reason and stores nothing', async (_, text, reason) => {
  const { progress, results } = await imports.run(utf8(text));
  expect(progress).toMatchObject({ state: 'failed', total: null, processed: 0, created: 0 });
  expect(progress.error).toMatch(reason);
  expect(progress.finishedAt).not.toBeNull();
  expect(results).toEqual([]);
  expect(imports.products()).toBe('[]');
  expect(imports.files()).toEqual([]);
});

describe('the contents of a file that its brake has read', () => {
  const stored = (id: number) =>
    imports.core.db.prepare('SELECT total, company, companies, notices FROM import_job WHERE id = ?').get(id);
  const others = [product(1, { cpfCnpjRaiz: OTHER_COMPANY }), product(2, { cpfCnpjRaiz: STRANGERS_COMPANY })];

  test.each([
    ['of one company', products(600), { total: 600, company: COMPANY, companies: null }],
    ['of none', [], { total: 0, company: null, companies: null }],
    [
      'of several companies, of which the sender represents two',
      [...products(2), ...others],
      { total: 4, company: null, companies: JSON.stringify([COMPANY, OTHER_COMPANY]) },
    ],
    ['of a company of others', others.slice(1), { total: 1, company: null, companies: null }],
  ])('are stored with its job: %s', async (_, content, expected) => {
    const id = await imports.receive(content);
    expect(stored(id)).toMatchObject({ ...expected, notices: null });
    await imports.runner.idle();
    expect(imports.progress(id)).toMatchObject({ state: 'done', processed: expected.total });
  });

  test('are stored with its job: of a zip, with the members that are left out', async () => {
    const id = await imports.receive(zipSync({ 'a.json': utf8(good), 'leia-me.txt': utf8('…') }));
    expect(stored(id)).toMatchObject({ total: 1000, company: COMPANY });
    expect(JSON.stringify(stored(id))).toContain('leia-me.txt');
    await imports.runner.idle();
    expect(imports.progress(id)).toMatchObject({ state: 'done', created: 1000 });
  });

  test.each([
    ['a dry run', good, { simular: true }, { state: 'done', total: 1000 }],
    ['an unreadable file', good.slice(0, -1), {}, { state: 'failed', total: null, processed: 0 }],
  ])('are read by the job of %s', async (_, text, request, expected) => {
    const id = await imports.receive(utf8(text), request);
    expect(stored(id)).toMatchObject({ total: null, company: null });
    await imports.runner.idle();
    expect(imports.progress(id)).toMatchObject(expected);
  });
});

test.each([
  ['%PDF-1.7 …', 'JSON inválido no byte 0', 'um PDF'],
  ['<html>', 'JSON inválido no byte 0', 'uma página HTML ou um XML'],
])(
  'a file that starts with %p reports the position of the fault, and the probable format',
  async (text, position, format) => {
    const { error } = (await imports.run(utf8(text))).progress;
    expect(error).toStartWith(position);
    expect(error).toEndWith(`O arquivo parece ${format}; envie um .json, ou um .zip de arquivos .json.`);
  },
);

test('a spreadsheet is distinguished from a zip without JSON', async () => {
  const { error } = (await imports.run(zipSync({ '[Content_Types].xml': utf8('<x/>') }))).progress;
  expect(error).toContain('O arquivo parece uma planilha ou um documento do Office');
});

test('a zip bomb fails and stores nothing', async () => {
  const bomb = await zipped(`[${' '.repeat(MAX_BYTES / 2)}]`);
  const { progress } = await imports.run(bomb);
  expect(progress).toMatchObject({ state: 'failed', processed: 0 });
  expect(progress.error).toContain('bomba zip');
});

test('a file over the limit after decompression fails; one at the limit does not', async () => {
  const text = (bytes: number): Uint8Array => utf8(`[${' '.repeat(bytes - 2)}]`);
  expect((await imports.run(text(MAX_BYTES))).progress.state).toBe('done');
  const { progress } = await imports.run(text(MAX_BYTES + 1));
  expect(progress).toMatchObject({ state: 'failed', processed: 0 });
  expect(progress.error).toContain('8 MiB');
});

test('an item over its limit makes the file unreadable; one at the limit is validated as usual', async () => {
  const fileOfSize = (bytes: number): Uint8Array => {
    const empty = JSON.stringify(product(2, { descricao: '' }));
    const large = JSON.stringify(product(2, { descricao: 'x'.repeat(bytes - empty.length) }));
    return utf8(`[${JSON.stringify(product(1))},${large}]`);
  };
  expect((await imports.run(fileOfSize(ITEM_MAX_BYTES))).progress).toMatchObject({
    state: 'done',
    created: 1,
    failed: 1,
  });
  const { progress } = await imports.run(fileOfSize(ITEM_MAX_BYTES + 1));
  expect(progress).toMatchObject({ state: 'failed', created: 0 });
  expect(progress.error).toContain('2 MiB');
});

test('a file whose bytes are missing fails and reports so', async () => {
  const id = await imports.queue(products(1), { storedFile: 'nowhere' });
  await imports.runner.idle();
  expect(imports.progress(id)).toMatchObject({ state: 'failed', processed: 0 });
  expect(imports.progress(id).error).toContain('envie-o de novo');
  expect(imports.faults).toEqual([]);
});

test('an empty array completes at once', async () => {
  expect((await imports.run(utf8('[]'))).progress).toMatchObject({ state: 'done', total: 0, processed: 0 });
});

test('a byte order mark is ignored', async () => {
  const { progress } = await imports.run(utf8(`\uFEFF${JSON.stringify(products(2))}`));
  expect(progress).toMatchObject({ state: 'done', created: 2 });
});

test('a zip is read like the JSON inside', async () => {
  const { progress } = await imports.run(await zipped(JSON.stringify(products(3))));
  expect(progress).toMatchObject({ state: 'done', total: 3, created: 3 });
});

test('the file is removed when its job has ended', async () => {
  const id = await imports.queue(products(3));
  expect(imports.files()).toHaveLength(1);
  await imports.runner.idle();
  expect(imports.progress(id).state).toBe('done');
  expect(imports.files()).toEqual([]);
});

async function zipped(text: string): Promise<Uint8Array> {
  async function* chunks(): AsyncGenerator<string> {
    yield text;
  }
  return new Response(zipOf('A', chunks(), 0)).bytes();
}
