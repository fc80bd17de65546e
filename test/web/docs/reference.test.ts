/** The reference of the catp document: its order, its search, its filled-in examples. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { valuesOfFirstRow } from '../../../src/web/docs/example-values.ts';
import { initialValues, requestOf } from '../../../src/web/docs/request.ts';
import {
  entriesOf,
  type Document,
  type ListedOperation,
} from '../../../src/web/serving/reference/document.ts';
import { Reference } from '../../../src/web/serving/reference/reference.tsx';
import { matchingOperations, matchingProblems } from '../../../src/web/serving/reference/search.ts';
import { sectionsOf } from '../../../src/web/serving/reference/sections.ts';
import { trialOf } from '../../../src/web/serving/reference/trial.ts';
import { type TestApp, openApp } from '../../support/app.ts';

let server: TestApp;
let document: Document;
let entries: readonly ListedOperation[];
beforeAll(async () => {
  server = await openApp();
  document = (await server.anybody.call('GET', '/openapi.json')).json as Document;
  entries = entriesOf(document);
});
afterAll(() => server.close());

const entry = (id: string): ListedOperation => {
  const operation = entries.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  return operation;
};
const trial = (id: string) => trialOf(document, entry(id));
const example = (id: string, values = {}) => requestOf(trial(id), initialValues(trial(id), values));

describe('the sections', () => {
  test('are those of the specification in its order, each with its main list first; then those of catp', () => {
    const sections = sectionsOf(document, entries);
    expect(sections.slice(0, 6).map(({ name }) => name)).toEqual([
      ...['Produtos', 'Operadores estrangeiros', 'Vínculos de fabricantes e produtores'],
      ...['Assinaturas de eventos', 'Autenticação', 'Eventos'],
    ]);
    expect(
      sections[0]?.specified.map(({ method, path }) => `${method} ${path.replace('/catp/api', '')}`),
    ).toEqual([
      'GET /ext/produto',
      'POST /ext/produto',
      'POST /ext/produto/{cpfCnpjRaiz}',
      'PUT /ext/produto/{cpfCnpjRaiz}/{codigo}',
      'GET /ext/produto/{cpfCnpjRaiz}/{codigo}/{versao}',
      'PUT /ext/produto/desativar/{cpfCnpjRaiz}/{codigo}',
      'GET /ext/produto/exportar/{cpfCnpjRaiz}/{exibirDesativados}',
    ]);
    expect(sections.flatMap(({ specified }) => specified)).toHaveLength(25);
    const operations = sections.flatMap(({ specified, added }) => [...specified, ...added]);
    expect(new Set(operations).size).toBe(entries.length);
  });
});

describe('the document', () => {
  /** Further keywords of JSON Schema and OpenAPI, which the page cannot show. */
  const NOT_SHOWN = /^(allOf|const|prefixItems|patternProperties|if|then|else|links|servers)$/;

  test('uses no construct that the page ignores', () => {
    const names = new Set<string>();
    const walk = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [name, inner] of Object.entries(value)) {
        if (!Array.isArray(value)) names.add(name);
        if (name === 'example' || name === 'examples') continue;
        if (name === 'properties') Object.values(inner as object).forEach(walk);
        else walk(inner);
      }
    };
    walk(document);
    expect(names).toContain('anyOf');
    expect([...names].filter((name) => NOT_SHOWN.test(name))).toEqual([]);
    for (const item of Object.values(document.paths))
      expect(['get', 'post', 'put', 'delete']).toContainValues(Object.keys(item));
    const referred = entries.flatMap(({ parameters, body, answers }) => [...parameters, body, ...answers]);
    expect(referred.filter((part) => part !== undefined && '$ref' in part)).toEqual([]);
  });
});

describe('the search', () => {
  const ids = (search: string) =>
    matchingOperations(entries, search).map(({ entry: { id }, fields }) => [id, ...fields]);

  test('finds an operation by its own words, a field by its name and by its description', () => {
    expect(ids('PUT operador desativar')).toEqual([['deactivateForeignOperator']]);
    expect(ids('codigoSubdivisaoPais').find(([id]) => id === 'includeForeignOperator')).toEqual([
      ...['includeForeignOperator', 'codigoSubdivisaoPais'],
    ]);
    expect(ids('OPERPORT').map(([id]) => id)).toContain('authenticateWithKey');
    expect(ids('retry-after').length).toBeGreaterThan(50);
    expect(ids('ccti-bloq-crt')).toContainEqual(['subscribe', 'ccti-bloq-crt']);
    expect(ids('nada disso existe')).toEqual([]);
    expect(ids('')).toHaveLength(entries.length);
  });

  test('finds a code by itself and by its next step; one line for a status in any module', () => {
    const lists = document['x-problems'] ?? [];
    const codes = (search: string) =>
      matchingProblems(lists, search)
        .flatMap((list) => list.codes)
        .map(({ code }) => code);
    expect(codes('CATP-ER1002')).toEqual(['CATP-ER1002']);
    expect(codes('dominio codigos')).toContain('CATP-ER1104');
    expect(codes('PLAT-ER0404')).toEqual([expect.stringContaining('PLAT-ER0404')]);
  });
});

describe('an example', () => {
  test('has the existing company and record', () => {
    const values = { cpfCnpjRaiz: '87654321', codigo: '7', versao: '2.1', codigoProduto: '7' };
    expect(example('getProductVersion', values)).toMatchObject({
      method: 'GET',
      address: '/catp/api/ext/produto/87654321/7/2.1',
      body: { kind: 'none' },
    });
    expect(example('listProducts', values).address).toBe('/catp/api/ext/produto?cpfCnpjRaiz=87654321');
    const { body } = example('batchLinks', values);
    if (body.kind !== 'json') throw new Error('no JSON');
    expect(JSON.parse(body.text)).toMatchObject([{ cpfCnpjRaiz: '87654321', codigoProduto: 7 }]);
  });

  test('of a file has a body to send, and its other members', () => {
    expect(example('startImport', { cpfCnpjRaiz: '87654321' }).body).toMatchObject({
      kind: 'form',
      parts: { tipo: 'produto', simular: 'true' },
      file: expect.stringContaining('"87654321"'),
    });
  });

  test('takes its record from the list of its resource', () => {
    const source = (id: string) => trial(id).source?.path;
    expect(['getProductVersion', 'linkManufacturer', 'getForeignOperatorVersion'].map(source)).toEqual([
      ...['/appliance/api/products', '/appliance/api/products', '/appliance/api/foreign-operators'],
    ]);
    expect(['getImport', 'changeSubscription', 'getNcmAttributes', 'removeUser'].map(source)).toEqual([
      ...['/appliance/api/imports', '/portal/api/ext/webhook', '/appliance/api/ncms', undefined],
    ]);
    const product = trial('getProductVersion').source;
    if (product === undefined) throw new Error('no source');
    expect(product.isOfCompany).toBe(true);
    const values = { codigo: '3', versao: '1', codigoProduto: '3' };
    expect(valuesOfFirstRow(product, { items: [{ codigo: 3, versao: '1' }] })).toEqual(values);
    expect(valuesOfFirstRow(product, [{ codigo: 3, versao: '1' }])).toEqual(values);
    for (const nothing of [undefined, [], { items: [] }])
      expect(valuesOfFirstRow(product, nothing)).toEqual({});
  });
});

describe('the pages', () => {
  test('show every operation, none of them over 200 KB', () => {
    const reference = new Reference(JSON.stringify(document));
    for (const { id, path, summary } of entries) {
      const page = reference.operation(id, 'http://127.0.0.1:8080');
      expect(page?.title).toBe(summary);
      expect(page?.main).toContain(`<code>${path}</code>`);
      expect({ id, isShort: (page?.main.length ?? 0) < 200_000 }).toEqual({ id, isShort: true });
    }
    expect(reference.operation('none', 'http://127.0.0.1:8080')).toBeUndefined();
  });

  test('name a recursive form once, and stop', () => {
    const page = new Reference(JSON.stringify(document)).operation('loadAttributeTable', 'http://catp.test');
    expect(page?.main).toContain('em que está');
  });

  test('escape the searched text', () => {
    const page = new Reference(JSON.stringify(document)).contents('<b>&"');
    expect(page.main).toContain('&lt;b');
    expect(page.main).not.toContain('<b>');
  });
});
