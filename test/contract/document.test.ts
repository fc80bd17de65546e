/** `/openapi.json` for a reader, a client generator and a person who pastes its examples. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { TSchema } from '@sinclair/typebox';
import { Validator } from '@seriousme/openapi-schema-validator';
import { PAGES } from '../../src/docs/contents.ts';
import { HELP_OF_TAG } from '../../src/http/source-text.ts';
import { type TestApp, openApp } from '../support/app.ts';
import {
  type Document,
  type Entry,
  type JsonSchema,
  entriesOf,
  resolvedReference,
  schemasOf,
  resolved,
} from './document.ts';
import { misfits } from './conforms.ts';
import { exampleRequests } from './examples.ts';
import { ENDPOINTS } from './rows.ts';

let server: TestApp;
let document: Document;
let entries: readonly Entry[];
beforeAll(async () => {
  server = await openApp();
  document = (await server.anybody.call('GET', '/openapi.json')).json as Document;
  entries = entriesOf(document);
});
afterAll(() => server.close());

const entry = (id: string): Entry => {
  const operation = entries.find(({ operationId }) => operationId === id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  return operation;
};
const form = (name: string) => {
  const schema = document.components.schemas[name];
  if (schema === undefined) throw new Error(`no form ${name}`);
  return schema;
};
const member = (name: string, of: string) => form(of).properties?.[name] ?? {};

describe('the document', () => {
  test('is OpenAPI 3.1 to a validator', async () => {
    const { valid, errors } = await new Validator().validate(
      structuredClone(document) as unknown as Record<string, unknown>,
    );
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  test('is of version 1.0.0', () => {
    expect([document.openapi, document.info.version]).toEqual(['3.1.0', '1.0.0']);
  });

  test('keeps for every operation of the specification the name in generated clients', () => {
    const ids = ENDPOINTS.map(({ row }) => {
      const [method = '', path = ''] = row.split(' ');
      const wanted = path.replaceAll(/\{[^}]+\}/g, '{}');
      return entries.find(
        (one) => one.method === method && one.path.replaceAll(/\{[^}]+\}/g, '{}').endsWith(wanted),
      )?.operationId;
    });
    expect(new Set<string | undefined>(ids)).toEqual(new Set(STABLE));
  });

  test('groups its operations like the specification, and describes the origin of each group', () => {
    const names = document.tags.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...SECTIONS]));
    expect([...new Set(entries.flatMap(({ tags }) => tags))].toSorted()).toEqual(names.toSorted());
    expect(document.tags.filter(({ description = '' }) => !/^Fonte: \w/.test(description))).toEqual([]);
    expect(JSON.stringify(document).match(/Fonte: [^"]*\b(contract|section|specification)\b/g)).toBeNull();
  });

  test('names a page of the handbook for each group, and cites no contract, which its readers do not have', () => {
    const pages = new Set(PAGES.map(({ name }) => `/ajuda/${name}`));
    for (const { name, description = '' } of document.tags) {
      const [help] = /\/ajuda\/[a-z-]+/.exec(description) ?? [];
      expect({ name, isPage: pages.has(help ?? '') }).toEqual({ name, isPage: true });
    }
    const names = document.tags.map(({ name }) => name);
    expect(Object.keys(HELP_OF_TAG).filter((tag) => !names.includes(tag))).toEqual([]);
    expect(JSON.stringify(document).match(/\bcontratos?\b|\bseção \d/gi)).toBeNull();
  });

  test('marks each operation as one of the specification, of the public interface, or of this instance', () => {
    const sourceOf = (id: string): string =>
      /Fonte: [^.;]*/.exec(entries.find(({ operationId }) => operationId === id)?.description ?? '')?.[0] ??
      '';
    expect(sourceOf('listProducts')).toBe('Fonte: especificação, Products');
    expect(sourceOf('authenticate')).toBe('Fonte: interface pública do Portal Único');
    expect(sourceOf('getFidelity')).toBe('Fonte: esta instância, além da especificação');
  });

  test('has the two headers of a session for every operation that is not public', async () => {
    expect(Object.values(document.components.securitySchemes).map(({ name }) => name)).toEqual([
      'Authorization',
      'X-CSRF-Token',
    ]);
    const operations = await server.app.operations();
    const open = operations.filter(({ access }) => access === 'anybody').map(({ id }) => id);
    for (const { operationId, security } of entries)
      expect([operationId, security]).toEqual([
        operationId,
        open.includes(operationId) ? [] : [{ jwt: [], csrf: [] }],
      ]);
  });
});

const STABLE = [
  'listProducts',
  'includeProduct',
  'newProductVersion',
  'getProductVersion',
  'deactivateProduct',
  'exportProducts',
  'batchProducts',
  'listForeignOperators',
  'includeForeignOperator',
  'newForeignOperatorVersion',
  'newRetroactiveForeignOperatorVersion',
  'getForeignOperatorVersion',
  'rectifyForeignOperator',
  'deactivateForeignOperator',
  'exportForeignOperators',
  'batchForeignOperators',
  'linkManufacturer',
  'unlinkManufacturer',
  'exportLinks',
  'batchLinks',
  'subscribe',
  'listSubscriptions',
  'changeSubscription',
  'unsubscribe',
  'listFailures',
] as const;

/** Products, Foreign operators, Manufacturer-producer links, Event subscription endpoints, Authentication, Events. */
const SECTIONS = [
  'Produtos',
  'Operadores estrangeiros',
  'Vínculos de fabricantes e produtores',
  'Assinaturas de eventos',
  'Autenticação',
  'Eventos',
] as const;

describe('every form', () => {
  test('has a name: no object exists without one', () => {
    const named = new Set(Object.values(document.components.schemas));
    const anonymous = [...schemasOf(document)].filter(
      ([, schema]) => schema.properties !== undefined && !named.has(schema),
    );
    expect(named.size).toBeGreaterThan(60);
    expect(anonymous.map(([place]) => place)).toEqual([]);
  });

  test('is described, and so is each of its members, each parameter and each operation, in Portuguese', () => {
    const silent: string[] = [];
    const look = (place: string, text: string | undefined): void => {
      if (text === undefined || !/^[\p{L}\d"{]/u.test(text) || text.length < 4) silent.push(place);
      if (
        /\b(the|of|and|with|which)\b/.test(text?.replaceAll(/Fonte: .*/g, '') ?? '') &&
        !/values/.test(text ?? '')
      )
        silent.push(`${place}: ${text}`);
    };
    for (const [name, schema] of Object.entries(document.components.schemas)) look(name, schema.description);
    for (const [place, { properties = {} }] of schemasOf(document))
      for (const [name, one] of Object.entries(properties))
        look(`${place}.${name}`, one.description ?? resolvedReference(document, one).description);
    for (const { operationId, summary, description, parameters, responses } of entries) {
      look(operationId, summary);
      look(operationId, description);
      for (const one of parameters) look(`${operationId} ${one.name}`, one.description);
      for (const [status, answer] of Object.entries(responses))
        look(`${operationId} ${status}`, answer.description);
    }
    expect(silent).toEqual([]);
  });

  test('of a request declares which members can be null; an enumeration has no empty text', () => {
    expect(member('descricao', 'ProductRequest').type).toEqual(['string', 'null']);
    expect(member('atributos', 'ProductRequest').type).toEqual(['array', 'null']);
    expect(member('denominacao', 'ProductRequest').type).toBe('string');
    expect(member('tin', 'ForeignOperatorRequest').type).toEqual(['string', 'null']);
    expect(
      new RegExp(String((member('versao', 'ProductItem') as { pattern?: string }).pattern)).test(''),
    ).toBe(true);
    expect(member('situacao', 'ProductItem').enum).toEqual(['ATIVADO', 'DESATIVADO', 'RASCUNHO', null]);
    expect(member('chaveSecreta', 'SubscriptionChange').type).toEqual(['string', 'null']);
  });

  test('has no list longer than a generator supports: the limit of a long one is in its description', () => {
    const long = [...schemasOf(document)].filter(([, { maxItems = 0 }]) => maxItems > 100);
    expect(long.map(([place]) => place)).toEqual([]);
    expect(member('atributos', 'ProductRequest').description).toContain('No máximo 10.000 itens.');
  });

  test('of an item of a batch is one form for a product, a draft and a deactivation', () => {
    const required = (name: string) => (form(name) as { required?: string[] }).required?.toSorted();
    for (const [name, more] of [
      ['ProductItem', []],
      ['ForeignOperatorItem', ['codigoPais']],
    ] as const) {
      expect(form(name).description).toContain('Aceitos e ignorados: inicioVigencia, fimVigencia.');
      expect(required(name)).toEqual([...more, 'cpfCnpjRaiz', 'seq'].toSorted());
    }
  });

  test('has no alternatives: strict languages create a class for only one of them', () => {
    expect(JSON.stringify(document)).not.toContain('"oneOf"');
  });
});

describe('authentication', () => {
  const WITH_PROFILE = ['authenticate', 'authenticateByGet', 'authenticateWithKey'];
  const SIGN_IN = [...WITH_PROFILE, 'signInWithPassword', 'signInWithProvider'];

  test.each(SIGN_IN)('%s describes the tokens of its 200 and the short body of its 422', (id) => {
    const { responses, parameters } = entry(id);
    expect(Object.keys(responses['200']?.headers ?? {})).toEqual([
      'Set-Token',
      'X-CSRF-Token',
      'X-CSRF-Expiration',
    ]);
    expect(responses['422']?.content?.['application/json']?.schema.$ref).toBe(
      '#/components/schemas/ShortErrorBody',
    );
    expect(responses['403']?.content?.['application/json']?.schema.$ref).toMatch(
      /^#\/components\/schemas\/(Detailed)?ErrorBody$/,
    );
    const profiles = parameters.find(({ name }) => name === 'Role-Type')?.schema.enum;
    expect(profiles?.length).toBe(WITH_PROFILE.includes(id) ? 14 : undefined);
  });

  test('describes renewed tokens in every answer of the other operations', () => {
    for (const { operationId, security, responses } of entries)
      for (const [status, { headers = {} }] of Object.entries(responses))
        expect([operationId, status, 'X-CSRF-Token' in headers && 'X-CSRF-Expiration' in headers]).toEqual([
          operationId,
          status,
          (security.length > 0 && status !== '401') || (SIGN_IN.includes(operationId) && status === '200'),
        ]);
  });
});

describe('an operation', () => {
  test('that is a GET has no body', () => {
    expect(
      entries.filter(({ method, requestBody }) => method === 'GET' && requestBody !== undefined),
    ).toEqual([]);
  });

  test('describes its refusals by the common body, the short one, or with facts for operations of catp', () => {
    for (const { operationId, responses } of entries)
      for (const [status, { content = {} }] of Object.entries(responses))
        if (!status.startsWith('2'))
          expect([operationId, status, content['application/json']?.schema.$ref]).toEqual([
            operationId,
            status,
            expect.stringMatching(/^#\/components\/schemas\/(Short|Detailed)?ErrorBody$/),
          ]);
  });

  test('lists its possible statuses, and no other', () => {
    const statuses = (id: string) => Object.keys(entry(id).responses).map(Number);
    expect(statuses('listProducts')).toEqual([200, 204, 400, 401, 403, 422, 431, 500, 503]);
    expect(statuses('includeProduct')).toEqual([200, 400, 401, 403, 404, 408, 413, 415, 422, 431, 500, 503]);
    expect(statuses('authenticateWithKey')).toEqual([200, 403, 422, 431, 500, 503]);
    expect(statuses('getHealth')).toEqual([200, 431, 500]);
    expect(statuses('getReadiness')).toEqual([200, 431, 500, 503]);
    expect(statuses('startImport')).toEqual([202, 400, 401, 403, 408, 413, 415, 421, 422, 431, 500, 503]);
  });

  test('that answers a file has its content type and its name', () => {
    for (const [id, type] of [
      ['exportProducts', 'application/zip'],
      ['downloadAttributeTable', 'application/zip'],
      ['downloadImportErrors', 'text/csv'],
    ] as const) {
      const answer = entry(id).responses['200'];
      expect([id, Object.keys(answer?.content ?? {})]).toEqual([id, [type]]);
      expect([id, Object.keys(answer?.headers ?? {})]).toEqual([
        id,
        expect.arrayContaining(['Content-Disposition']),
      ]);
    }
    expect(Object.keys(entry('getMetrics').responses['200']?.content ?? {})).toEqual(['text/plain']);
  });

  test('that is deprecated has the headers of its answers', () => {
    for (const id of ['batchProducts', 'batchForeignOperators', 'batchLinks']) {
      expect(entry(id).deprecated).toBe(true);
      expect(Object.keys(entry(id).responses['200']?.headers ?? {})).toEqual(
        expect.arrayContaining(['Deprecation', 'Sunset']),
      );
    }
  });
});

test('every example of a request and of an answer is valid for its schema', () => {
  const wrong: string[] = [];
  let examples = 0;
  const compare = (place: string, schema: JsonSchema, example: unknown): void => {
    examples += 1;
    for (const misfit of misfits(resolved(document, schema) as TSchema, example))
      wrong.push(`${place}${misfit}`);
  };
  for (const { operationId, requestBody, responses } of entries)
    for (const [status, contents] of [
      ['body', requestBody?.content ?? {}] as const,
      ...Object.entries(responses).map(([code, { content = {} }]) => [code, content] as const),
    ])
      for (const { schema, example } of Object.values(contents))
        if (example !== undefined) compare(`${operationId} ${status} `, schema, example);
  for (const [name, schema] of Object.entries(document.components.schemas))
    for (const example of schema.examples ?? []) compare(`${name} `, schema, example);
  expect(examples).toBeGreaterThan(80);
  expect(wrong).toEqual([]);
});

/** An administrator does not write to a catalogue, not even by file. */
const isAdministration = (path: string): boolean =>
  path.startsWith('/appliance/') &&
  !/^\/appliance\/api\/(imports|proposals|products|sheets|attention)/.test(path);

describe('an example works when it is pasted into a fresh instance:', async () => {
  const app = await openApp();
  const all = (await app.anybody.call('GET', '/openapi.json')).json as Document;
  await app.close();

  test.each(exampleRequests(all).map((one) => [one.name, one] as const))('%s', async (_name, request) => {
    const fresh = await openApp({ demo: true });
    try {
      const client = await fresh.as(isAdministration(request.path) ? 'admin' : 'demo');
      for (const before of request.before) {
        const reply = await client.call(before.method, before.path, before.body);
        expect([before.path, reply.status]).toEqual([before.path, before.status]);
      }
      await fresh.app.core.imports.runner.idle();
      const reply = await client.call(request.method, request.path, request.body);
      expect([reply.status, reply.status >= 300 ? reply.text : '']).toEqual([request.status, '']);
      // A batch answers 200 for any result of its items.
      if (/^batch|ConcessionActs$/.test(request.name))
        expect((reply.json as { erros: string[] }[]).map(({ erros }) => erros)).toEqual([[]]);
    } finally {
      await fresh.close();
    }
  });
});
