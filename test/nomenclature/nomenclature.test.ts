/** The nomenclature (contract section 20): loaded, served unchanged, requested and searched. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../support/app.ts';
import { zipOf } from '../../src/files/zip-out.ts';
import { DOWNLOAD, type Line, NOMENCLATURE, nomenclatureFile, publicSize } from './support.ts';

const LINES: readonly Line[] = [
  ['87', 'Veículos automóveis, tratores, ciclos e outros veículos terrestres'],
  ['87.12', 'Bicicletas e outros ciclos (incluindo os triciclos), sem motor.'],
  ['8712.00.10', 'Bicicletas'],
  ['8712.00.90', 'Outros'],
  ['01', 'Animais vivos.'],
  ['01.01', 'Cavalos, asininos e muares, vivos.'],
  ['0101.2', '- Cavalos:'],
  ['0101.21.00', '-- Reprodutores de raça pura'],
  ['8471.30', '- Máquinas <i>portáteis</i>'],
  ['8471.30.1', 'Sem fonte externa'],
  ['8471.30.12', 'De peso inferior a 3,5 kg', '01/04/2022', '14/01/2026'],
  ['8471.30.12', 'De peso até 4 kg', '15/01/2026', '16/01/2026'],
  ['8471.30.12', 'De peso até 5 kg', '01/01/2027', '31/12/9999'],
];
const FILE = JSON.stringify(nomenclatureFile(LINES), null, 2);

/** Trailing spaces are ignored. */
const ofBytes = (bytes: number): string => FILE + ' '.repeat(bytes - Buffer.byteLength(FILE));

const zipped = (text: string): Promise<Uint8Array> =>
  new Response(
    zipOf(
      'Tabela_NCM',
      (async function* () {
        yield text;
      })(),
      0,
    ),
  ).bytes();

let server: TestApp;
let admin: Client;
let demo: Client;
beforeAll(async () => {
  server = await openApp({ settings: { ambiente: 'producao' } });
  [admin, demo] = [await server.as('admin'), await server.as('demo')];
});
afterAll(() => server.close());

const search = async (text: string, more = ''): Promise<string[]> => {
  const { json } = await demo.call('GET', `/appliance/api/ncm?text=${encodeURIComponent(text)}${more}`);
  return json.map(({ ncm }: { ncm: string }) => ncm);
};

describe('before the first load', () => {
  test('nothing is found, also in the global search; the file and an NCM are 404', async () => {
    expect(await search('bicicleta')).toEqual([]);
    expect((await demo.call('GET', NOMENCLATURE)).json).toMatchObject({ loaded: null });
    const everything = `/appliance/api/search?cpfCnpjRaiz=12345678&text=bicicleta`;
    expect((await demo.call('GET', everything)).json.ncms).toEqual([]);
    for (const path of [DOWNLOAD, '/appliance/api/ncm/87120010']) {
      const { status, json } = await demo.call('GET', path);
      expect([status, json.code]).toEqual([404, 'APPL-ER0404']);
      expect(json.message).toContain('catp ncm load');
    }
  });
});

describe('POST /appliance/api/nomenclature', () => {
  test('requires an administrator', async () => {
    expect((await server.anybody.call('POST', NOMENCLATURE, FILE)).status).toBe(401);
    for (const none of ['demo', 'publico', 'estranho'] as const)
      expect((await (await server.as(none)).call('POST', NOMENCLATURE, FILE)).status).toBe(403);
  });

  const row = (over: object): string =>
    JSON.stringify({
      Nomenclaturas: [
        { Codigo: '01', Descricao: 'Animais', Data_Inicio: '01/04/2022', Data_Fim: '31/12/9999', ...over },
      ],
    });
  test.each([
    ['of nothing', '', 'CATP-ER1180', null, 'JSON'],
    ['cut off', '{"Nomenclaturas":[', 'CATP-ER1180', null, 'termina antes'],
    ['a page', '<html>', 'CATP-ER1180', null, 'página HTML'],
    ['a list', '[]', 'CATP-ER1181', '', 'esperado um objeto'],
    ['of attributes', '{"versao":"1","listaNcm":[]}', 'CATP-ER1181', '/Nomenclaturas', 'ausente'],
    ['empty', '{"Nomenclaturas":[]}', 'CATP-ER1181', '/Nomenclaturas', 'vazia'],
    ['that says a member twice', '{"Ato":"","Ato":""}', 'CATP-ER1181', '/Ato', 'Ato'],
    ['with a row that is none', '{"Nomenclaturas":[1]}', 'CATP-ER1181', '/Nomenclaturas/0', 'recebido 1'],
    ['a code of 3 digits', row({ Codigo: '010' }), 'CATP-ER1181', '/Nomenclaturas/0/Codigo', '"010"'],
    ['a code of 9 digits', row({ Codigo: '010121001' }), 'CATP-ER1181', '/Nomenclaturas/0/Codigo', 'aceita'],
    ['no code', row({ Codigo: null }), 'CATP-ER1181', '/Nomenclaturas/0/Codigo', 'ausente'],
    ['no description', row({ Descricao: '' }), 'CATP-ER1181', '/Nomenclaturas/0/Descricao', 'ausente'],
    [
      'a long one',
      row({ Descricao: 'x'.repeat(20_001) }),
      'CATP-ER1182',
      '/Nomenclaturas/0/Descricao',
      '20001',
    ],
    [
      'a day of its own',
      row({ Data_Inicio: '2022-04-01' }),
      'CATP-ER1181',
      '/Nomenclaturas/0/Data_Inicio',
      'dd/mm',
    ],
    [
      'no such day',
      row({ Data_Inicio: '31/02/2022' }),
      'CATP-ER1181',
      '/Nomenclaturas/0/Data_Inicio',
      '31/02',
    ],
    ['no end', row({ Data_Fim: undefined }), 'CATP-ER1181', '/Nomenclaturas/0/Data_Fim', 'ausente'],
    ['an end before', row({ Data_Fim: '31/03/2022' }), 'CATP-ER1181', '/Nomenclaturas/0/Data_Fim', 'antes'],
  ])('refuses a file %s, with its place', async (_, file, code, path, message) => {
    const { status, json } = await admin.call('POST', NOMENCLATURE, file);
    expect([status, json.detail?.[0]]).toMatchObject([422, { code, path }]);
    expect(json.detail[0].message).toContain(message);
    expect((await demo.call('GET', NOMENCLATURE)).json).toMatchObject({ loaded: null });
  });

  test('refuses more than 20 faults with the first of them, another content type, and more than 64 MiB', async () => {
    const broken = JSON.stringify({ Nomenclaturas: Array.from({ length: 30 }, () => ({ Codigo: 'x' })) });
    expect((await admin.call('POST', NOMENCLATURE, broken)).json.detail).toHaveLength(20);
    const typed = await admin.call('POST', NOMENCLATURE, FILE, { 'Content-Type': 'text/plain' });
    expect(typed.status).toBe(415);
    const long = ofBytes(64 * 1024 * 1024 + 1);
    expect((await admin.call('POST', NOMENCLATURE, long)).status).toBe(413);
    expect((await admin.call('POST', NOMENCLATURE, await zipped(long))).json.detail[0]).toMatchObject({
      code: 'CATP-ER1180',
    });
  });

  test('accepts one of the maximum size, a byte order mark, a zip; the audit has an entry for it', async () => {
    const loaded = await admin.call('POST', NOMENCLATURE, ofBytes(64 * 1024 * 1024));
    expect([loaded.status, loaded.json]).toEqual([
      200,
      {
        rows: 13,
        ncms: 4,
        updated: 'Vigente em 15/01/2026',
        act: 'Resolução inventada nº 1/2026',
        loadedAt: '2026-01-15T09:00:00.000-03:00',
      },
    ]);
    expect((await demo.call('GET', NOMENCLATURE)).json).toMatchObject({ loaded: loaded.json });
    expect((await admin.call('POST', NOMENCLATURE, `\uFEFF${FILE}`)).status).toBe(200);
    expect((await server.anybody.call('GET', DOWNLOAD)).bytes).toEqual(
      new TextEncoder().encode(`\uFEFF${FILE}`),
    );
    const unpacked = await admin.call('POST', NOMENCLATURE, await zipped(FILE));
    expect([unpacked.status, unpacked.json.rows]).toEqual([200, 13]);
    const audit = await admin.call('GET', '/appliance/api/audit?subject=nomenclatura&limit=1');
    expect(audit.json.items[0]).toMatchObject({
      action: 'INCLUSAO',
      subject: 'nomenclatura 3',
      after: 'Vigente em 15/01/2026',
      channel: 'api',
    });
  });

  test('accepts the same file again without a change: no entry, no new time', async () => {
    const entries = async (): Promise<number> =>
      (await admin.call('GET', '/appliance/api/audit?subject=nomenclatura')).json.items.length;
    const before = await entries();
    expect((await admin.call('POST', NOMENCLATURE, FILE)).status).toBe(200);
    expect(await entries()).toBe(before);
  });

  test('ignores unknown members, and accepts an open end in any spelling of 9999', async () => {
    const file = JSON.parse(FILE);
    file.Nomenclaturas[0].Novo = { a: [1] };
    expect((await admin.call('POST', NOMENCLATURE, { ...file, Outro: 1 })).status).toBe(200);
    expect((await admin.call('POST', NOMENCLATURE, FILE)).status).toBe(200);
  });
});

describe('GET /classif/api/publico/nomenclatura/download/json', () => {
  test('returns the JSON byte for byte without a session, for any perfil', async () => {
    for (const query of ['', '?perfil=PUBLICO', '?perfil=x']) {
      const { status, headers, text } = await server.anybody.call('GET', `${DOWNLOAD}${query}`);
      expect([status, text]).toEqual([200, FILE]);
      expect(headers.get('content-type')).toStartWith('application/json');
    }
  });
});

describe('GET /appliance/api/ncm', () => {
  test('requires a session; a malformed limit, text or code is refused', async () => {
    expect((await server.anybody.call('GET', '/appliance/api/ncm?text=a')).status).toBe(401);
    const codes = (count: number): string =>
      `codes=${Array.from({ length: count }, () => '87120010').join()}`;
    const wrong = [
      'limit=0',
      'limit=101',
      `text=${'a'.repeat(201)}`,
      'codes=8712',
      'codes=87120010,',
      codes(101),
    ];
    for (const query of wrong)
      expect((await demo.call('GET', `/appliance/api/ncm?${query}`)).status).toBe(400);
    for (const query of ['limit=1', 'limit=100', `text=${'a'.repeat(200)}`, codes(100), ''])
      expect((await demo.call('GET', `/appliance/api/ncm?${query}`)).status).toBe(200);
  });

  test('finds by leading digits, dotted or not, only those of 8 digits, in order of code', async () => {
    const all = ['01012100', '84713012', '87120010', '87120090'];
    expect(await search('')).toEqual(all);
    expect(await search('87')).toEqual(['87120010', '87120090']);
    expect(await search(' 8712.00.1 ')).toEqual(['87120010']);
    expect(await search('712')).toEqual([]);
    expect(await search('', '&limit=2')).toEqual(all.slice(0, 2));
  });

  test('finds by words, each of which starts a word of the whole path, without accents and case', async () => {
    expect(await search('bicicleta')).toEqual(['87120010', '87120090']);
    expect(await search('OUTROS veiculos bic')).toEqual(['87120010', '87120090']);
    expect(await search('triciclos vivos')).toEqual([]);
    expect(await search('icicleta')).toEqual([]);
    expect(await search('raca cavalo animais')).toEqual(['01012100']);
    expect(await search('portateis')).toEqual(['84713012']);
    for (const mark of ['i portateis', '-', '<']) expect(await search(mark)).toEqual([]);
  });

  test('answers the requested codes with the existing data', async () => {
    const { json } = await demo.call('GET', '/appliance/api/ncm?codes=87120090,99999999,01012100');
    expect(json.map(({ ncm }: { ncm: string }) => ncm)).toEqual(['87120090', '01012100']);
  });
});

describe('GET /appliance/api/ncm/{ncm}', () => {
  test('has the headings from the chapter down: a parent is the longest existing prefix', async () => {
    expect((await server.anybody.call('GET', '/appliance/api/ncm/87120010')).status).toBe(401);
    expect((await demo.call('GET', '/appliance/api/ncm/0101.21.00')).json).toEqual({
      ncm: '01012100',
      descricao: '-- Reprodutores de raça pura',
      startsOn: '2022-04-01',
      endsOn: null,
      path: ['Animais vivos.', 'Cavalos, asininos e muares, vivos.', '- Cavalos:'],
    });
    const { path } = (await demo.call('GET', '/appliance/api/ncm/84713012')).json;
    expect(path).toEqual(['- Máquinas <i>portáteis</i>', 'Sem fonte externa']);
    expect((await demo.call('GET', '/appliance/api/ncm/99999999')).status).toBe(404);
    for (const wrong of ['8712', '871200100', '8712.0010'])
      expect((await demo.call('GET', `/appliance/api/ncm/${wrong}`)).status).toBe(400);
  });

  test('of a code with several rows has the row in force by the clock; after the end of the last row, that row and its end', async () => {
    const days: string[] = [];
    const ask = async (): Promise<void> => {
      const { json } = await (await server.as('demo')).call('GET', '/appliance/api/ncm/84713012');
      days.push(`${json.descricao}, ${json.startsOn} ${json.endsOn}`);
    };
    await ask();
    server.clock.moveTo(Date.parse('2026-01-17T03:00:00Z'));
    await ask();
    server.clock.moveTo(Date.parse('2027-01-01T03:00:00Z'));
    await ask();
    expect(days).toEqual([
      'De peso até 4 kg, 2026-01-15 2026-01-16',
      'De peso até 4 kg, 2026-01-15 2026-01-16',
      'De peso até 5 kg, 2027-01-01 null',
    ]);
  });
});

test('the global search of a company includes these NCMs', async () => {
  const user = await server.as('demo');
  const { json } = await user.call(
    'GET',
    '/appliance/api/search?cpfCnpjRaiz=12345678&text=bicicleta&limit=1',
  );
  expect(json.ncms).toEqual([(await user.call('GET', '/appliance/api/ncm/87120010')).json]);
});

test('a nomenclature of the size of the public one is loaded, served and searched', async () => {
  const [user, file] = [await server.as('admin'), JSON.stringify(publicSize())];
  expect((await user.call('POST', NOMENCLATURE, file)).json).toMatchObject({ rows: 16_490, ncms: 11_349 });
  expect((await server.anybody.call('GET', DOWNLOAD)).text).toBe(file);
  expect((await user.call('GET', '/appliance/api/ncm?text=maq%20elet&limit=100')).json).toHaveLength(100);
});
