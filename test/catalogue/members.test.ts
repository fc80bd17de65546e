/**
 * Each member of the table of a product is in every form that the contract names, and in no other
 * (section 4).
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type FormName, type Member, contentNames } from '../../src/catalogue/members/member.ts';
import { OPERATOR } from '../../src/catalogue/members/foreign-operator.ts';
import { LINK } from '../../src/catalogue/members/manufacturer-link.ts';
import { PRODUCT, PRODUCT_READING, PRODUCT_WRITTEN } from '../../src/catalogue/members/product.ts';
import { requestOf, valuesFrom } from '../../src/web/produtos/form/form-values.ts';
import { type Client, type TestApp, openApp } from '../support/app.ts';

let server: TestApp;
let demo: Client;
let forms: Readonly<Record<string, { readonly properties: object }>>;

const RAIZ = '12345678';

beforeAll(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
  forms = (await demo.call('GET', '/openapi.json')).json.components.schemas;
});
afterAll(() => server.close());

const TABLES = { PRODUCT, OPERATOR, LINK } as const;

/** Names of the forms of a record in the document. */
const FORMS: readonly (readonly [keyof typeof TABLES, FormName, string])[] = [
  ['PRODUCT', 'request', 'ProductRequest'],
  ['PRODUCT', 'response', 'Product'],
  ['PRODUCT', 'list', 'ListedProduct'],
  ['PRODUCT', 'page', 'PagedProduct'],
  ['PRODUCT', 'item', 'ProductItem'],
  ['OPERATOR', 'request', 'ForeignOperatorRequest'],
  ['OPERATOR', 'response', 'ForeignOperator'],
  ['OPERATOR', 'page', 'PagedForeignOperator'],
  ['OPERATOR', 'item', 'ForeignOperatorItem'],
  ['LINK', 'request', 'ManufacturerLinkRequest'],
  ['LINK', 'response', 'ManufacturerLink'],
  ['LINK', 'item', 'ManufacturerLinkItem'],
];

/** Printed in addition to the record: its state at a remote, and its company in a list over all companies. */
const ALSO_PRINTED: Readonly<Record<string, readonly string[]>> = { PagedProduct: ['remote', 'empresa'] };

test.each(FORMS)('the table %s gives its form %s, %s, exactly its members', (table, form, name) => {
  const members: Readonly<Record<string, Member>> = TABLES[table];
  const named = Object.keys(members).filter((member) => members[member]?.forms.includes(form));
  expect(Object.keys(forms[name]?.properties ?? {}).sort()).toEqual(
    [...named, ...(ALSO_PRINTED[name] ?? [])].sort(),
  );
});

test('users write only drafts, by separate operations', () => {
  expect(Object.keys(forms['Draft']?.properties ?? {})).toEqual([...contentNames(PRODUCT)]);
});

const LISTS = [
  'atributos',
  'atributosMultivalorados',
  'atributosCompostos',
  'atributosCompostosMultivalorados',
];

test('a product is printed in the order of the contract, alone and in a list', async () => {
  const record = await demo.call('GET', `/catp/api/ext/produto/${RAIZ}/1/1`);
  expect(Object.keys(record.json)).toEqual([
    ...['descricao', 'denominacao', 'modalidade', 'ncm', ...LISTS, 'codigosInterno'],
    ...['cpfCnpjRaiz', 'codigo', 'versao', 'situacao'],
  ]);
  const { json } = await demo.call('GET', `/catp/api/ext/produto?cpfCnpjRaiz=${RAIZ}`);
  expect(Object.keys(json[0])).toEqual([
    ...[
      'seq',
      'codigo',
      'descricao',
      'denominacao',
      'cpfCnpjRaiz',
      'situacao',
      'modalidade',
      'ncm',
      'versao',
    ],
    ...[...LISTS, 'codigosInterno'],
  ]);
});

test('every member for people is a column of the table to download, under its heading', async () => {
  const { text } = await demo.call('GET', `/appliance/api/products.csv?cpfCnpjRaiz=${RAIZ}`);
  const headings = text.replace('\uFEFF', '').split('\r\n')[0]?.split(';') ?? [];
  // The description of the NCM follows the NCM, and is no member.
  expect(headings.splice(headings.indexOf('NCM') + 1, 1)).toEqual(['Descrição da NCM']);
  expect(headings.slice(0, PRODUCT_READING.length)).toEqual(
    PRODUCT_READING.map((name) => PRODUCT[name].heading),
  );
});

test('an untouched form sends the content of the product', async () => {
  const { json } = await demo.call('GET', `/catp/api/ext/produto/${RAIZ}/1/1`);
  const { atributos, atributosMultivalorados, atributosCompostos, atributosCompostosMultivalorados } = json;
  const lists = { atributos, atributosMultivalorados, atributosCompostos, atributosCompostosMultivalorados };
  const request = requestOf(valuesFrom(json, 'versao'), lists) as Readonly<Record<string, unknown>>;
  expect(PRODUCT_WRITTEN.map((name) => [name, request[name] ?? null])).toEqual(
    PRODUCT_WRITTEN.map((name) => [name, json[name]]),
  );
});
