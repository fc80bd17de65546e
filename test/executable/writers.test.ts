/**
 * Sheets that ten other programs write, against the executable (contract section 24): an export imports
 * unchanged.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toEnd } from '../../scripts/proof/to-end.ts';
import { ROOT } from '../support/sources.ts';
import { read, textsOf } from '../sheet/support.ts';
import { type Sandbox, openSandbox, tokensOf } from './support.ts';

/** Timeout of an office program or a compiler on a busy machine. */
setDefaultTimeout(300_000);

const TOOLS = join(ROOT, '.tools');
const PROGRAMS = join(ROOT, 'test/writers');
const COMPANY = '12345678';

type Mode = 'rewrite' | 'write';

interface Writer {
  readonly isInstalled: boolean;
  /** Extensions of the files that it reads and writes again. */
  readonly reads: readonly string[];
  readonly run: (mode: Mode, source: string, out: string) => Promise<unknown>;
  /** Cannot write a sheet from values. */
  readonly onlyReads?: boolean;
}

let sandbox: Sandbox;

async function run(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<void> {
  const { code, out, err } = await toEnd(words, {
    cwd: sandbox.folder,
    env: { PATH: process.env['PATH'], HOME: sandbox.folder, TZ: 'UTC', LC_ALL: 'C.UTF-8', ...env },
  });
  expect([words[0], code, code === 0 ? '' : out + err]).toEqual([words[0], 0, '']);
}

const PYTHON = join(TOOLS, 'writers-python/bin/python');
const inPython = (library: string, reads: readonly string[] = ['xlsx']): Writer => ({
  isInstalled: existsSync(PYTHON),
  reads,
  run: (...words) => run([PYTHON, join(PROGRAMS, 'main.py'), library, ...words]),
});

const PACKAGES = join(TOOLS, 'writers');
const inNode = (library: string, reads: readonly string[] = ['xlsx']): Writer => ({
  isInstalled: existsSync(join(PACKAGES, 'installed.lock')) && Bun.which('node') !== null,
  reads,
  run: (...words) => run(['node', join(PROGRAMS, 'main.mjs'), library, ...words], { PACKAGES }),
});

const GO = join(TOOLS, 'writers-go');
async function withGo(mode: Mode, source: string, out: string): Promise<void> {
  const env = { GOMODCACHE: join(GO, 'mod'), GOCACHE: join(GO, 'cache'), GOPROXY: 'off' };
  for (const name of ['go.mod', 'go.sum', 'main.go'])
    cpSync(join(PROGRAMS, name), join(sandbox.folder, name));
  await run(['go', 'run', '.', mode, source, out], env);
}

const OFFICE = join(TOOLS, 'libreoffice/usr/lib');
const OFFICE_FOLDER = `file://${OFFICE}/libreoffice`;
/** Exit code of LibreOffice that requests a restart after it has created its profile. */
const OFFICE_RESTARTS = 81;
/** Import options: semicolons, UTF-8, and numbers, days and booleans in Brazilian form. */
const AS_IN_BRAZIL = '--infilter=CSV:59,34,76,1,,1046,false,true';
async function runOffice(_: Mode, source: string, out: string): Promise<void> {
  const profile = `file://${sandbox.folder}/profile`;
  const settings = `${OFFICE_FOLDER}/share/.registry`;
  const layers = `xcsxcu:${settings} res:${settings} user:!${profile}/user/registrymodifications.xcu`;
  const unpacked = [`-env:BRAND_BASE_DIR=${OFFICE_FOLDER}`, `-env:CONFIGURATION_LAYERS=${layers}`];
  const system = Bun.which('libreoffice');
  const program = system === null ? [join(OFFICE, 'libreoffice/program/soffice.bin'), ...unpacked] : [system];
  const command = [...program, '--headless', `-env:UserInstallation=${profile}`];
  const libraries = [
    'libreoffice/program',
    'x86_64-linux-gnu',
    'x86_64-linux-gnu/blas',
    'x86_64-linux-gnu/lapack',
  ];
  const env = {
    PATH: process.env['PATH'],
    HOME: sandbox.folder,
    ...(system === null && { LD_LIBRARY_PATH: libraries.map((name) => join(OFFICE, name)).join(':') }),
  };
  const words = ['--convert-to', 'xlsx', '--outdir', sandbox.folder, AS_IN_BRAZIL, source];
  const convert = () => toEnd([...command, ...words], { cwd: sandbox.folder, env });
  const first = await convert();
  const { code, err } = first.code === OFFICE_RESTARTS ? await convert() : first;
  expect([code, code === 0 ? '' : err]).toEqual([0, '']);
  cpSync(join(sandbox.folder, source.replace(/\.\w+$/, '.xlsx')), join(sandbox.folder, out));
}

const WRITERS: Readonly<Record<string, Writer>> = {
  openpyxl: inPython('openpyxl'),
  pandas: inPython('pandas', ['xlsx', 'csv']),
  xlsxwriter: inPython('xlsxwriter'),
  PyExcelerate: inPython('pyexcelerate'),
  exceljs: inNode('exceljs'),
  SheetJS: inNode('xlsx', ['xlsx', 'csv']),
  'xlsx-populate': inNode('xlsx-populate'),
  'write-excel-file': inNode('write-excel-file', []),
  excelize: {
    isInstalled: existsSync(join(GO, 'installed.sum')) && Bun.which('go') !== null,
    reads: ['xlsx'],
    run: withGo,
  },
  LibreOffice: {
    isInstalled:
      Bun.which('libreoffice') !== null || existsSync(join(OFFICE, 'libreoffice/program/soffice.bin')),
    reads: ['xlsx', 'csv'],
    run: runOffice,
    onlyReads: true,
  },
};

for (const [name, { isInstalled }] of Object.entries(WRITERS))
  if (!isInstalled) console.warn(`ATENÇÃO: sem ${name}; nenhuma planilha dele foi lida.`);

let url: string;
let tokens: Readonly<Record<string, string>>;

async function call(method: string, path: string, body?: BodyInit): Promise<Uint8Array<ArrayBuffer>> {
  const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...tokens, ...type },
    ...(body && { body }),
  });
  const bytes = await response.bytes();
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${new TextDecoder().decode(bytes)}`);
  return bytes;
}

// oxlint-disable-next-line typescript/no-explicit-any -- each test asserts the shape
const json = async (method: string, path: string, body?: BodyInit): Promise<any> =>
  JSON.parse(new TextDecoder().decode(await call(method, path, body)));

const LISTS = [
  ['produto', 'products'],
  ['operador-estrangeiro', 'foreign-operators'],
  ['fabricante', 'manufacturer-links'],
] as const;
const download = (path: string, format: string) =>
  call('GET', `/appliance/api/${path}.${format}?cpfCnpjRaiz=${COMPANY}`);

const LONG = 'Peça de reposição com descrição longa; "especial", à prova d’água. '.repeat(50);

beforeAll(async () => {
  sandbox = await openSandbox();
  ({ url } = await sandbox.start('dev', '--port', '0'));
  tokens = (await tokensOf(url, 'demo', 'demo')) as Readonly<Record<string, string>>;
  const product = async (ncm: string, members: object): Promise<string> =>
    (
      await json(
        'POST',
        `/catp/api/ext/produto/${COMPANY}`,
        JSON.stringify({ denominacao: 'Caixa', modalidade: 'IMPORTACAO', ncm, ...members }),
      )
    ).codigo;
  const box = await product('39269090', {
    denominacao: 'Caixa "A" – ção, ½ pol.',
    descricao: `Primeira linha\nsegunda linha\n\nfim\n${LONG}`,
    codigosInterno: ['0003630028', '00012', '7.10', 'A/B'],
    atributos: [{ atributo: 'ATT_90032', valor: '0100' }],
  });
  await product('33049990', {
    denominacao: 'Creme',
    atributos: [
      { atributo: 'ATT_90030', valor: '0.1234.5678' },
      { atributo: 'ATT_90040', valor: '01' },
    ],
    atributosCompostosMultivalorados: [
      {
        atributo: 'ATT_90020',
        valores: [
          [
            { atributo: 'ATT_90021', valor: 'Água' },
            { atributo: 'ATT_90022', valor: '12.5' },
          ],
          [
            { atributo: 'ATT_90021', valor: 'Óleo' },
            { atributo: 'ATT_90022', valor: '0.07' },
          ],
        ],
      },
    ],
  });
  const { codigo: works } = await json(
    'POST',
    `/catp/api/ext/operador-estrangeiro/${COMPANY}/US`,
    JSON.stringify({
      nome: 'Søren & Søn',
      logradouro: 'Street "1"',
      nomeCidade: 'Boston',
      cep: '02134',
      tin: '0012',
    }),
  );
  for (const [codigoPais, codigoOperadorEstrangeiro] of [['US', works], ['CN', 'OPE_3'], ['JP']]) {
    const maker = {
      codigoPais,
      codigoOperadorEstrangeiro,
      conhecido: codigoOperadorEstrangeiro !== undefined,
    };
    const link = { codigoProduto: Number(box), ...maker };
    await json('POST', `/catp/api/ext/fabricante/${COMPANY}`, JSON.stringify(link));
  }
});
afterAll(() => sandbox.close());

async function importSheet(tipo: string, name: string, simular: boolean) {
  const form = new FormData();
  form.set('file', new File([readFileSync(join(sandbox.folder, name))], name));
  const { id: sheet } = await json('POST', `/appliance/api/sheets?cpfCnpjRaiz=${COMPANY}&tipo=${tipo}`, form);
  const { id } = await json('POST', '/appliance/api/imports', JSON.stringify({ sheet, simular }));
  for (;;) {
    const job = await json('GET', `/appliance/api/imports/${id}`);
    if (job.state !== 'queued' && job.state !== 'running')
      return { job, rows: await json('GET', `/appliance/api/imports/${id}/results`) };
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/** Sends a sheet. Expects every row unchanged in a dry run and in the import, and an unchanged export. */
async function expectUnchanged(tipo: string, path: string, name: string): Promise<void> {
  const before = await download(path, 'csv');
  const [, ...records] = await textsOf(before);
  for (const simular of [true, false]) {
    const { job, rows } = await importSheet(tipo, name, simular);
    expect(rows.filter(({ outcome }: { readonly outcome: string }) => outcome !== 'unchanged')).toEqual([]);
    expect(job).toMatchObject({ state: 'done', total: records.length, unchanged: records.length });
  }
  expect(await download(path, 'csv')).toEqual(before);
}

/** A cell of a program that has numbers, booleans and days. */
type Native = string | number | boolean | null | { readonly day: string };

/** Columns of codes, whose leading zeros a number would lose. */
const CODES: ReadonlySet<string> = new Set(['NCM', 'Códigos internos']);

function nativeOf(heading: string, text: string): Native {
  if (text === '') return null;
  if (text === 'Sim' || text === 'Não') return text === 'Sim';
  const [, day, month, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text) ?? [];
  if (day !== undefined) return { day: `${year}-${month}-${day}` };
  const isNumber = (CODES.has(heading) ? /^\d{1,15}$/ : /^(?:0|[1-9]\d{0,14})(?:,\d+)?$/).test(text);
  return isNumber ? Number(text.replace(',', '.')) : text;
}

async function values(path: string): Promise<readonly (readonly Native[])[]> {
  const [sheet] = await read(await download(path, 'csv'));
  const [headings = [], ...rows] = (sheet?.rows ?? []).map(({ cells }) => cells);
  const names = [...headings.values()].map(({ text }) => text);
  return [
    names,
    ...rows.map((cells) =>
      names.map((name, index) =>
        nativeOf(name, [...cells].find(([place]) => place === index)?.[1].text ?? ''),
      ),
    ),
  ];
}

describe.each(Object.entries(WRITERS))('%s', (_, { isInstalled, reads, run: program, onlyReads = false }) => {
  for (const format of reads)
    test.if(isInstalled)(`a rewritten ${format} export changes nothing`, async () => {
      for (const [tipo, path] of LISTS) {
        writeFileSync(join(sandbox.folder, `${path}.${format}`), await download(path, format));
        const out = `${path}-again.${format}`;
        await program('rewrite', `${path}.${format}`, out);
        await expectUnchanged(tipo, path, out);
      }
    });

  test.if(isInstalled && !onlyReads)(
    'the same values, written as numbers, booleans and days, change nothing',
    async () => {
      for (const [tipo, path] of LISTS) {
        writeFileSync(join(sandbox.folder, `${path}.json`), JSON.stringify(await values(path)));
        await program('write', `${path}.json`, `${path}-new.xlsx`);
        await expectUnchanged(tipo, path, `${path}-new.xlsx`);
      }
    },
  );
});
