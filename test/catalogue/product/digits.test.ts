/** Numbers in text members keep their digits as sent, in every input and output (contract section 4). */
import { beforeAll, expect, test } from 'bun:test';
import { unzipSync } from 'fflate';
import type { Reply } from '../../support/app.ts';
import { COMPANY, OF_COMPANY, PATH, YESTERDAY, productsForAllTests, succeed } from './support.ts';

const IMPORTS = '/appliance/api/imports';
const open = productsForAllTests();

/** Digits that a JavaScript number would lose, in single, multiple, compound and multiple compound attributes. */
const DIGITS = [
  '1.10',
  '0.0000001',
  '12345678901234567890',
  '-0',
  '1E5',
  '1.5',
  '7',
  '0.10',
  `0.${'1'.repeat(400)}0`,
];
const LISTS = `"atributos":[{"atributo":"ATT_1","valor": ${DIGITS[0]} },{"atributo":"ATT_2","valor":${DIGITS[1]}}],
  "atributosMultivalorados":[{"atributo":"ATT_3","valores":[${DIGITS.join(',')}]}],
  "atributosCompostos":[{"atributo":"ATT_4","valores":[{"atributo":"ATT_5","valor":${DIGITS[2]}}]}],
  "atributosCompostosMultivalorados":[{"atributo":"ATT_6","valores":[[{"atributo":"ATT_7","valor":${DIGITS[7]}}]]}]`;
const CONTENT = `"denominacao":"Parafuso","modalidade":"IMPORTACAO","ncm":"73181500",${LISTS}`;
const ITEM = `{"seq":1,"cpfCnpjRaiz":"${COMPANY}",${CONTENT}}`;

const AS_SENT = {
  atributos: [
    { atributo: 'ATT_1', valor: '1.10' },
    { atributo: 'ATT_2', valor: '0.0000001' },
  ],
  atributosMultivalorados: [{ atributo: 'ATT_3', valores: DIGITS }],
  atributosCompostos: [
    { atributo: 'ATT_4', valores: [{ atributo: 'ATT_5', valor: '12345678901234567890' }] },
  ],
  atributosCompostosMultivalorados: [
    { atributo: 'ATT_6', valores: [[{ atributo: 'ATT_7', valor: '0.10' }]] },
  ],
};

const call = (method: string, path: string, body?: string | FormData): Promise<Reply> =>
  open().demo.call(method, path, body);
const detail = async (codigo: number) => succeed(await call('GET', `${OF_COMPANY}/${codigo}/1`));

beforeAll(async () => {
  succeed(await call('POST', OF_COMPANY, '{"denominacao":"A","modalidade":"IMPORTACAO","ncm":"73181500"}'));
});

test('in POST, and in POST of an earlier day', async () => {
  for (const path of [OF_COMPANY, `${OF_COMPANY}/${YESTERDAY}`]) {
    const record = succeed(await call('POST', path, `{${CONTENT}}`));
    expect(record).toMatchObject(AS_SENT);
    expect(await detail(record.codigo)).toMatchObject(AS_SENT);
  }
});

test('in PUT, and in PUT of a version', async () => {
  for (const path of [`${OF_COMPANY}/1`, `${OF_COMPANY}/1/1`]) {
    expect(succeed(await call('PUT', path, `{${CONTENT}}`))).toMatchObject(AS_SENT);
  }
});

test('in a batch, and in the list', async () => {
  const [{ codigo, erros }] = succeed(await call('POST', PATH, `[${ITEM}]`));
  expect(erros).toEqual([]);
  const [listed] = succeed(await call('GET', `${PATH}?cpfCnpjRaiz=${COMPANY}&codigo=${codigo}`));
  expect(listed).toMatchObject(AS_SENT);
});

test('in a file, and in the export', async () => {
  const form = new FormData();
  form.set('tipo', 'produto');
  form.set('file', new File([`[${ITEM}]`], 'a.json'));
  const { id } = (await call('POST', IMPORTS, form)).json;
  const progress = async () => (await call('GET', `${IMPORTS}/${id}`)).json;
  // The import runs between two requests.
  while (!['done', 'failed'].includes((await progress()).state))
    await new Promise((resolve) => setImmediate(resolve));
  expect(await progress()).toMatchObject({ state: 'done', created: 1, failed: 0 });
  const [{ codigo }] = succeed(await call('GET', `${IMPORTS}/${id}/results`));
  expect(await detail(codigo)).toMatchObject(AS_SENT);
  const zip = unzipSync((await call('GET', `${PATH}/exportar/${COMPANY}/true`)).bytes);
  const exportedProducts = JSON.parse(new TextDecoder().decode(Object.values(zip)[0])) as {
    codigo: number;
  }[];
  expect(exportedProducts.find((one) => one.codigo === Number(codigo))).toMatchObject(AS_SENT);
});

test('a number longer than the limit of the text is refused with its digits', async () => {
  const valor = '9'.repeat(3701);
  const body = `{"denominacao":"A","modalidade":"IMPORTACAO","ncm":"73181500","atributos":[{"atributo":"ATT_1","valor":${valor}}]}`;
  const { status, json } = await call('POST', OF_COMPANY, body);
  expect([status, json.message]).toEqual([
    400,
    `atributos[0].valor (ATT_1): recebido "${'9'.repeat(99)}… com 3701 caracteres; aceita de 1 a 3700 caracteres.`,
  ]);
  expect((await call('POST', OF_COMPANY, body.replace(valor, valor.slice(1)))).status).toBe(200);
});

test('a number in another member is shown as it was sent', async () => {
  const { json } = await call(
    'POST',
    OF_COMPANY,
    '{"denominacao":{"a":1.10},"modalidade":[2.50],"ncm":{"a":1e2}}',
  );
  expect(json.detail.map(({ message }: { message: string }) => message.split(';')[0])).toEqual([
    'denominacao: recebido {"a":1.10}',
    'modalidade: recebido [2.50]',
    'ncm: recebido {"a":1e2}',
  ]);
});
