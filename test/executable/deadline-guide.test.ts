/**
 * The guide of deadlines, pasted as a reader does, on long lists: from the announcement to the
 * day without a deactivation.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtExecutable } from '../support/executable.ts';
import { publicTable } from '../support/public-table.ts';
import { type Sandbox, openSandbox } from './support.ts';
import { type StartedProgram, Terminal, blockAfter, startProgram } from './terminal.ts';

setDefaultTimeout(300_000);

const READY = /^catp: pronto em (http:\/\/127\.0\.0\.1:\d+)$/m;
const COMPANY = '12345678';
const ATTRIBUTE = 'ATT_10000';
const PRODUCTS_PER_NCM = 10;
/**
 * One fifth of the public table in NCMs and attributes, so that the number of NCMs per attribute is the same.
 */
const SIZE = { ncms: 2100, pairs: 14_600, attributes: 260 };

interface Pair {
  codigo: string;
  [member: string]: unknown;
}
interface Table {
  listaNcm: { codigoNcm: string; listaAtributos: Pair[] }[];
  detalhesAtributos: { codigo: string }[];
}

const TEXT = { formaPreenchimento: 'TEXTO', tamanhoMaximo: 20, dominio: [], condicionados: [] };
const OF_PRODUCTS = { dataFimVigencia: '', objetivos: [{ codigo: 7, descricao: 'Produto' }] };

/** Returns a table of optional pairs; `members` replaces those in the pairs of one attribute. */
function tableFile(versao: string, members: object): Table {
  const table = JSON.parse(publicTable({ ...SIZE, versao })) as Table;
  for (const detail of table.detalhesAtributos)
    Object.assign(detail, OF_PRODUCTS, detail.codigo === ATTRIBUTE && { ...TEXT, listaSubatributos: [] });
  for (const { listaAtributos } of table.listaNcm)
    for (const pair of listaAtributos) {
      Object.assign(pair, { obrigatorio: false, dataFimVigencia: '' });
      if (pair.codigo === ATTRIBUTE)
        Object.assign(pair, { modalidade: 'Importação', multivalorado: false }, members);
    }
  return table;
}

let sandbox: Sandbox;
let terminal: Terminal;
let instance: StartedProgram;
let ncms: readonly string[];
beforeAll(async () => {
  sandbox = await openSandbox();
  symlinkSync(dirname(await builtExecutable()), join(sandbox.folder, 'dist'));
  const announcedTable = tableFile('1', { dataFimVigencia: '2026-11-30' });
  const confirmed = tableFile('2', { dataInicioVigencia: '2026-12-01', obrigatorio: true });
  writeFileSync(join(sandbox.folder, 'anuncio.json'), JSON.stringify(announcedTable));
  writeFileSync(join(sandbox.folder, 'confirmada.json'), JSON.stringify(confirmed));
  ncms = announcedTable.listaNcm
    .filter(({ listaAtributos }) => listaAtributos.some(({ codigo }) => codigo === ATTRIBUTE))
    .map(({ codigoNcm }) => codigoNcm.replaceAll('.', ''));
  const line = (await blockAfter('deadline-start')).trim();
  instance = await startProgram(`${line} --port 0`, sandbox.folder, READY);
  include();
  terminal = new Terminal(sandbox.folder);
});
afterAll(async () => {
  await terminal.close();
  await instance.interrupt();
  await sandbox.close();
});

/** Creates products of each NCM that will require the attribute; all lack it. */
function include(): void {
  const items = ncms.flatMap((ncm) =>
    Array.from({ length: PRODUCTS_PER_NCM }, (_, index) => ({
      cpfCnpjRaiz: COMPANY,
      denominacao: `Inventado ${ncm} ${index}`,
      ncm,
      modalidade: index % 2 === 0 ? 'IMPORTACAO' : 'AMBOS',
    })),
  );
  writeFileSync(
    join(sandbox.folder, 'produtos.json'),
    JSON.stringify(items.map((item, index) => ({ ...item, seq: index + 1 }))),
  );
  const { code, stderr } = sandbox.run(['import', 'produto', 'produtos.json', '--empresa', COMPANY]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
}

test('leads from the announcement to the last product, and the day deactivates no product', async () => {
  const products = ncms.length * PRODUCTS_PER_NCM;
  expect(ncms.length).toBeGreaterThan(50);
  const block = (await blockAfter('deadline')).replace('http://127.0.0.1:8080', instance.ready);
  const { output } = await terminal.paste(block);
  const after = (mark: string, text: string): string => {
    const at = text.indexOf(mark);
    expect({ mark, at: at >= 0, output }).toEqual({ mark, at: true, output });
    return text.slice(at + mark.length);
  };
  const countOfNcm = `"products":${PRODUCTS_PER_NCM},"missing":${PRODUCTS_PER_NCM}`;
  let remaining = after('Tabela 1 em vigor. Produtos desativados: 0; eventos publicados: 0.', output);
  remaining = after(`${ncms.length + 1}\n`, remaining); // lines of the CSV, with its heading
  remaining = after(`"kind":"announced","overdue":false,"ncm":"${ncms[0]}"`, remaining);
  remaining = after(countOfNcm, remaining);
  remaining = after('"evento":"catp-prazo"', remaining);
  remaining = after(`${products + 1}\n`, remaining); // lines of the affected products, with the heading
  remaining = after('Tabela 2 entra em vigor em 2026-12-01.', remaining);
  remaining = after(`"kind":"certain","overdue":false,"ncm":"${ncms[0]}"`, remaining);
  remaining = after(`${countOfNcm}}],"next":`, remaining);
  remaining = after(`"total":${ncms.length}}`, remaining);
  remaining = after(`"state":"done"`, remaining);
  remaining = after(`${(products - PRODUCTS_PER_NCM).toLocaleString('pt-BR')} com nova versão`, remaining);
  remaining = after(' 0 com erro', remaining);
  remaining = after('"items":[],"next":null,"total":0', remaining);
  remaining = after('1\n', remaining); // only the heading
  remaining = after('"attributeTable":{"versao":"2"', remaining);
  remaining = after('"items":[],"next":null,"total":0', remaining);
  remaining = after('"items":[],"next":null,"total":0', remaining);
  after('Nenhum registro.', remaining);
});

test('requires only the commands of the page: its own lists too lead to a day without deactivations', async () => {
  const stranger = await openSandbox();
  symlinkSync(dirname(await builtExecutable()), join(stranger.folder, 'dist'));
  const line = (await blockAfter('deadline-start')).trim();
  const program = await startProgram(`${line} --port 0`, stranger.folder, READY);
  const shell = new Terminal(stranger.folder);
  try {
    const result = await shell.paste(await blockAfter('deadline-files'));
    expect(result.output).toContain('4 incluídos');
    const block = (await blockAfter('deadline')).replace('http://127.0.0.1:8080', program.ready);
    const { output } = await shell.paste(block);
    expect(output).toContain('"products":2,"missing":2');
    expect(output).toContain('"evento":"catp-prazo"');
    expect(output).toContain('2 com nova versão');
    expect(output).toContain('"attributeTable":{"versao":"2"');
    expect(output.match(/"items":\[\],"next":null,"total":0/g)).toHaveLength(3);
  } finally {
    await shell.close();
    await program.interrupt();
    await stranger.close();
  }
});
