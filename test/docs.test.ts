/**
 * The API document names every operation, and no other; codes and settings have a description. Pages:
 * test/docs/.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SETTINGS } from '../src/settings/settings.ts';
import { type TestApp, openApp } from './support/app.ts';
import { sourcesUnder } from './support/sources.ts';

interface Documented {
  readonly operationId?: string;
  readonly summary?: string;
  readonly responses?: Readonly<Record<string, { readonly description?: string }>>;
}

interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
}

let server: TestApp;
let openApi: OpenApi;
beforeAll(async () => {
  server = await openApp();
  openApi = (await server.anybody.call('GET', '/openapi.json')).json as OpenApi;
});
afterAll(() => server.close());

describe('the API document', () => {
  test('has every operation that is served, and no other', async () => {
    const served = (await server.app.operations()).map(
      ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
    );
    const documented = Object.entries(openApi.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented.toSorted()).toEqual(served.toSorted());
  });

  test('names each operation once, and describes in Portuguese its effect and its answers', () => {
    const operations = Object.values(openApi.paths).flatMap((methods) => Object.values(methods));
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { operationId, summary, responses = {} } of operations) {
      expect([operationId, (summary ?? '').length > 3]).toEqual([operationId, true]);
      expect([operationId, Object.keys(responses).some((status) => status.startsWith('2'))]).toEqual([
        operationId,
        true,
      ]);
      for (const [status, { description }] of Object.entries(responses))
        expect([operationId, status, (description ?? '') !== '']).toEqual([operationId, status, true]);
    }
  });

  test('refers only to its own parts', () => {
    const pointers = [...JSON.stringify(openApi).matchAll(/"\$ref":"#\/([^"]+)"/g)];
    expect(pointers.length).toBeGreaterThan(0);
    for (const [, pointer = ''] of pointers) {
      const target = pointer
        .split('/')
        .reduce<unknown>((place, step) => (place as Record<string, unknown> | undefined)?.[step], openApi);
      expect([pointer, target !== undefined]).toEqual([pointer, true]);
    }
  });

  test('requests no other server', () => {
    expect(
      JSON.stringify(openApi).match(/https?:\/\/(?!\S*(exemplo|example|invalid|empresa|erp))[^"\s]+/g) ?? [],
    ).toEqual([]);
  });
});

describe('the codes of violated rules', async () => {
  const codes: string[] = [];
  for (const { code: text, path } of await sourcesUnder('src'))
    if (/(^|\/)codes\.ts$/.test(path))
      codes.push(...[...text.matchAll(/\w:\s*'([A-Z]{4}-ER\d{4})['\s]/g)].map(([, code = '']) => code));

  test('are unique', () => {
    expect(codes.length).toBeGreaterThan(30);
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  });

  test('are used only from their lists: no other file has one of them', async () => {
    const strays = (await sourcesUnder('src'))
      .filter(
        ({ path }) =>
          !/(^|\/)codes\.ts$/.test(path) && !path.startsWith('src/fidelity/') && !path.startsWith('src/web/'),
      )
      .flatMap(({ path, code }) =>
        [...code.matchAll(/'(CATP-ER1\d{3})'/g)].map(([, one]) => `${path} ${one}`),
      );
    expect(strays).toEqual([]);
  });
});

test('every setting is described in one Portuguese sentence, and its defaults are accepted', () => {
  for (const [name, { about, default: byDefault, parse, ...rest }] of Object.entries(SETTINGS)) {
    expect([name, /^[A-ZÀ-Ú].*\.$/.test(about)]).toEqual([name, true]);
    const texts = 'portal' in rest && rest.portal !== undefined ? [byDefault, rest.portal] : [byDefault];
    for (const text of texts) expect(() => parse(text)).not.toThrow();
  }
});
