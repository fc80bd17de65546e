/**
 * Small files with a large content: each is refused with its limit, or read correctly; other users are
 * served at the same time (contract sections 16, 24).
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { type HostileXlsx, hostileXlsx } from '../../sheet/hostile.ts';
import { COMPANY, run, send } from './support.ts';

const MIB = 1024 * 1024;

let server: TestApp;
let demo: Client;

beforeAll(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
});
afterAll(() => server.close());

const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const HEAD = `<row>${text('NCM')}${text('Denominação')}</row>`;
const xlsx = (body: string, times: number, more: Partial<HostileXlsx> = {}) =>
  hostileXlsx({ rows: { head: HEAD, body, times }, ...more });

/** Uploads a file; another request is answered before the upload. */
async function sendWatched(content: Uint8Array | string) {
  let isAnswered = false;
  const answer = send(demo, content).then((reply) => {
    isAnswered = true;
    return reply;
  });
  const health = await server.anybody.call('GET', '/healthz');
  expect([health.status, isAnswered]).toEqual([200, false]);
  const list = await demo.call('GET', `/appliance/api/products?cpfCnpjRaiz=${COMPANY}`);
  expect(list.status).toBe(200);
  return answer;
}

/** Returns characters that deflate hardly compresses. */
const noise = (): string => {
  let state = 1;
  const numbers = Uint32Array.from(
    { length: MIB / 4 },
    () => (state = Math.imul(state, 1_664_525) + 1_013_904_223),
  );
  return Buffer.from(numbers.buffer).toString('base64');
};
const longText = (before: string) =>
  hostileXlsx({
    rows: {
      head: `${before}${HEAD}<row><c t="inlineStr"><is><t>`,
      body: 'x',
      times: 30 * MIB,
      tail: '</t></is></c></row>',
    },
  });

const shared = (characters: number) => ({
  strings: { body: `<si><t>${'x'.repeat(characters)}</t></si>` },
});

describe('an upload is refused with the limit that it exceeds:', () => {
  const cases: readonly (readonly [what: string, content: () => Uint8Array | string, limit: string])[] = [
    [
      'one shared string of 9 MB in 5 000 cells',
      () => xlsx('<row><c t="s"><v>0</v></c></row>', 5000, shared(9 * MIB)),
      '32.767',
    ],
    [
      'one shared string of the maximum length in 16 000 cells',
      () => xlsx('<row><c t="s"><v>0</v></c></row>', 16_000, shared(32_767)),
      '500.000.000',
    ],
    ['one text of 30 MiB with a high compression ratio', () => longText(''), '1:200'],
    [
      'a member with a high compression ratio next to one without',
      () =>
        xlsx(' ', 11 * MIB, {
          others: [{ name: 'xl/media/foto.png', body: 'x'.repeat(MIB), isStored: true }],
        }),
      '1:200',
    ],
    [
      'one text of 30 MiB in a member below the limit of the ratio',
      () => longText(`<!--${noise()}-->`),
      '10 MiB',
    ],
    [
      '400 sheets that name one part',
      () => xlsx(`<row>${text('1')}</row>`, 2000, { sheets: 400 }),
      '100 planilhas',
    ],
    ['a cell after the last column', () => xlsx('<row><c r="XFE2"><v>1</v></c></row>', 1), '16.384'],
    ['more rows than the limit', () => xlsx(`<row>${text('1')}</row>`, 200_000), '200.000'],
    ['rows without cells', () => xlsx('<row/>', 1_250_000), '1.000.000'],
    ['two million empty lines', () => `NCM;Nome\n${'\n'.repeat(2_000_000)}`, '1.000.000'],
    ['a quoted cell of 50 MB', () => `NCM;"${'x'.repeat(50 * MIB - 6)}"`, '32.767'],
    [
      'an unclosed quotation mark',
      () => `NCM;Nome\n"39269090;x\n${'39269090;y\n'.repeat(100_000)}`,
      'não se fecham',
    ],
    [
      'a row of 600 000 characters',
      () => `NCM;Nome\n${'39269090;x\n'}${`${'x'.repeat(30_000)};`.repeat(20)}`,
      '500.000 caracteres na linha 3',
    ],
    ['elements nested too deep', () => xlsx('<a>', 100_000), 'mais de 100'],
  ];
  test.each(cases)('%s', async (_, content, limit) => {
    const { status, json } = await sendWatched(content());
    expect([status, json.detail[0].code, json.detail[0].message]).toEqual([
      422,
      'CATP-ER1031',
      expect.stringContaining(limit),
    ]);
    expect(readdirSync(join(server.folder, 'imports'))).toEqual([]);
  });
});

describe('an odd but valid upload is read:', () => {
  test.each([
    [
      'a number format of a million zeros',
      () =>
        xlsx('<row><c s="0"><v>1</v></c></row>', 5000, {
          styles: `<numFmts><numFmt numFmtId="200" formatCode="${'0'.repeat(1_000_000)}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs>`,
        }),
      5000,
    ],
    [
      'rows with one cell, in the last column',
      () => xlsx('<row><c r="XFD1"><v>1</v></c></row>', 190_000),
      190_000,
    ],
    ['100 sheets that name one part', () => xlsx(`<row>${text('1')}</row>`, 200, { sheets: 100 }), 200],
    ['a million empty lines', () => `NCM;Nome\n${'\n'.repeat(1_000_000)}39269090;x`, 1],
  ])('%s', async (_, content, rows) => {
    const { status, json } = await sendWatched(content());
    expect([status, json.sheets?.[0]?.rows]).toEqual([201, rows]);
  });
});

test('a row of the maximum size, six bytes per character in JSON, is imported or refused in words of sheets', async () => {
  const codes = `${'\u0001'.repeat(32_760)};`.repeat(15);
  const headings = Array.from({ length: 15 }, () => 'Código interno').join(';');
  const { json } = await send(
    demo,
    `Denominação;NCM;Modalidade;${headings}\nCaixa;39269090;Importação;${codes}`,
  );
  const order = { sheet: json.id, simular: true };
  const { job, rows } = await run(demo, order);
  expect([job.state, job.error, rows.length]).toEqual(['done', null, 1]);
  expect(JSON.stringify(rows[0].errors ?? rows[0])).not.toContain('MiB');
});
