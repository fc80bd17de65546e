/** What is not documented is not there: routes, settings, commands and codes (design, Style 17). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentName } from '../src/config.ts';
import { SETTINGS } from '../src/settings.ts';
import { type TestApp, openApp } from './support/app.ts';
import { ROOT, sourcesUnder } from './support/sources.ts';

const file = join(ROOT, 'README.md');
const readme = readFileSync(file, 'utf8');

/** Whether README names this, as a word of its own. */
const isInReadme = (name: string): boolean =>
  new RegExp(`(?<![\\w.-])${name.replaceAll('.', '\\.')}(?![\\w-]|\\.\\w)`).test(readme);

/** What stands under a heading of the second level. */
function section(heading: string): string {
  const [, text] = new RegExp(`^## ${heading}\\n([^]*?)(?=^## |$(?![^]))`, 'm').exec(readme) ?? [];
  if (text === undefined) throw new Error(`README.md has no section ${heading}`);
  return text;
}

/** How README tells a default: `8080`, – when it is empty, and what the other profile has. */
function defaultCell(setting: {
  readonly default: string;
  readonly preset?: { readonly especificacao: string; readonly portal: string };
}): string {
  const told = (value: string): string => (value === '' ? '–' : `\`${value}\``);
  return setting.preset === undefined
    ? told(setting.default)
    : `${told(setting.preset.especificacao)}; portal: ${told(setting.preset.portal)}`;
}

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
  test('has every operation that is served, and no other', () => {
    const served = server.app.operations.map(
      ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
    );
    const documented = Object.entries(openApi.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented.toSorted()).toEqual(served.toSorted());
  });

  test('names each operation once, and says of each in Portuguese what it does and may answer', () => {
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

  test('refers only to what it contains', () => {
    const pointers = [...JSON.stringify(openApi).matchAll(/"\$ref":"#\/([^"]+)"/g)];
    expect(pointers.length).toBeGreaterThan(0);
    for (const [, pointer = ''] of pointers) {
      const target = pointer
        .split('/')
        .reduce<unknown>((place, step) => (place as Record<string, unknown> | undefined)?.[step], openApi);
      expect([pointer, target !== undefined]).toEqual([pointer, true]);
    }
  });

  test('asks for nothing from outside', () => {
    expect(
      JSON.stringify(openApi).match(/https?:\/\/(?!\S*(exemplo|example|invalid|empresa|erp))[^"\s]+/g) ?? [],
    ).toEqual([]);
  });
});

describe('the codes of violated rules', async () => {
  const codes: string[] = [];
  for (const { code: text, path } of await sourcesUnder('src'))
    if (/(^|\/)codes\.ts$/.test(path))
      codes.push(...[...text.matchAll(/\bcode:\s*'([A-Z]{4}-ER\d{4})'/g)].map(([, code = '']) => code));

  test('are each given once', () => {
    expect(codes.length).toBeGreaterThan(30);
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  });

  test('are all used from their lists: no other file writes one of them', async () => {
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

  test('stand in README', () => {
    expect(codes.filter((code) => !isInReadme(code))).toEqual([]);
  });
});

describe('README', () => {
  /** The cells of the table of settings, by the name in the first. */
  const rows = new Map(
    section('Settings')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .map(([, name = '', byDefault = '', meaning = '']) => [
        name.replaceAll('`', ''),
        { byDefault, meaning },
      ]),
  );

  test('names every setting, with its default, its preset and its meaning, and no other', () => {
    const told = Object.fromEntries(rows);
    const served = Object.fromEntries(
      Object.entries(SETTINGS).map(([name, setting]) => [
        name,
        { byDefault: defaultCell(setting), meaning: setting.about },
      ]),
    );
    expect(told).toEqual(served);
  });

  test('names no setting that is not there', () => {
    const known = new Set(Object.keys(SETTINGS).map(environmentName));
    const named = [...readme.matchAll(/\bCATP_[A-Z_]+\b/g)].map(([name]) => name);
    expect(
      named.filter(
        (name) => !known.has(name) && !['CATP_VERSION', 'CATP_CONFIG'].includes(name) && !name.endsWith('_'),
      ),
    ).toEqual([]);
  });

  test('names every command', async () => {
    const names = new Set<string>();
    for (const { path, code } of await sourcesUnder('src'))
      if (/^src\/(main\.ts|cli\/)/.test(path))
        for (const [, name = ''] of code.matchAll(/\bcommand\(\s*'([a-z][\w-]*)'/g)) names.add(name);
    names.delete('catp');
    expect(names.size).toBeGreaterThan(8);
    expect([...names].filter((name) => !isInReadme(name))).toEqual([]);
  });

  test('names every job', async () => {
    const names: string[] = [];
    for (const { path, code } of await sourcesUnder('src'))
      if (path === 'src/jobs/schedule.ts')
        for (const [, name = ''] of code.matchAll(/\bname:\s*'([\w-]+)'/g)) names.push(name);
    expect(names.length).toBeGreaterThan(2);
    expect(names.filter((name) => !isInReadme(name))).toEqual([]);
  });
});

test('every setting is told in one Portuguese sentence, and its defaults are accepted', () => {
  for (const [name, { about, default: byDefault, parse, ...rest }] of Object.entries(SETTINGS)) {
    expect([name, /^[A-ZÀ-Ú].*\.$/.test(about)]).toEqual([name, true]);
    const texts = [byDefault, ...Object.values('preset' in rest ? (rest.preset ?? {}) : {})] as string[];
    for (const text of texts) expect(() => parse(text)).not.toThrow();
  }
});
