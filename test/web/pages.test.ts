/** Issue point 8: a strict Content-Security-Policy, nothing from outside. */
import { describe, expect, test } from 'bun:test';
import { LEDGER } from '../../src/fidelity/ledger.ts';
import { commandsFor } from '../../src/cli/commands.ts';
import { webPages } from '../../src/web/serving/pages.ts';
import { webBundle } from '../../src/web/serving/bundled.ts';
import { PAGES } from '../../src/web/pages.ts';
import { sourcesUnder } from '../support/sources.ts';

const DOCUMENT = {
  info: { title: 'T', version: '1' },
  paths: { '/a': { get: { operationId: 'getA', tags: ['A'], summary: 'Mostra A', responses: {} } } },
};
const PARTS = {
  commands: () => commandsFor(undefined),
  jobs: [],
  operations: async () => [],
  ambiente: 'validacao',
  fixedSecrets: true,
  hasPasswords: () => false,
  sendsEmail: false,
  certificates: false,
  provider: '',
  document: async () => JSON.stringify(DOCUMENT),
  ledger: async () => LEDGER,
  schemeOf: () => 'http' as const,
};
const { pages, missing } = webPages({ ...PARTS, mode: 'dev' });
const HELP_PAGE = '/ajuda/configuracoes';
const OPERATION_PAGE = '/docs/getA';
const PATTERN_OF: Readonly<Record<string, string>> = {
  [HELP_PAGE]: '/ajuda/:page',
  [OPERATION_PAGE]: '/docs/:operation',
};
async function answerOf(path: string, headers: Record<string, string> = {}): Promise<Response> {
  const page = pages.get(path.startsWith('/assets/') ? '/assets/:name' : (PATTERN_OF[path] ?? path));
  if (page === undefined) throw new Error(`there is no ${path}`);
  return page(new Request(`http://catp.test${path}`, { headers }));
}
const textOf = async (path: string): Promise<string> => (await answerOf(path)).text();
const HTML_PAGES = [
  ...PAGES.map(({ address }) => address),
  '/ajuda',
  HELP_PAGE,
  '/docs',
  OPERATION_PAGE,
  '/fidelidade',
];
const assets = [...(await webBundle().assets()).assets.keys()].map((name) => `/assets/${name}`);
const paths = [...HTML_PAGES, ...assets];

/** The server's own origin, for a request without `Host`. */
const OWN_ORIGIN = 'http://127.0.0.1:8080';

/** Addresses that identify something and are never fetched. */
const NAMESPACES =
  /http:\/\/(?:www\.w3\.org|schemas\.openxmlformats\.org|schemas\.microsoft\.com|purl\.oclc\.org)\/[\w/.-]+/g;

/** The public service: pages offer its address for a remote and for a table, and only the server contacts it. */
const PUBLIC_SERVICE = /https:\/\/(?:val\.)?portalunico\.siscomex\.gov\.br\b/g;

describe('the web pages', () => {
  test('name nothing outside the server', async () => {
    for (const path of paths) {
      const text = (await textOf(path))
        .replaceAll(NAMESPACES, '')
        .replaceAll(PUBLIC_SERVICE, '')
        .replaceAll(OWN_ORIGIN, '');
      expect({ path, outside: text.match(/(https?:)?\/\/[\w-]+\.[\w.-]+/g) }).toEqual({
        path,
        outside: null,
      });
    }
  });

  test('contain no inline script, style or handler, and never write HTML', async () => {
    for (const path of HTML_PAGES) {
      const html = await textOf(path);
      expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
      expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/);
    }
    for (const { path, code } of await sourcesUnder('src/web'))
      expect({ path, html: code.match(/innerHTML|dangerouslySet|document\.write|\beval\(/) }).toEqual({
        path,
        html: null,
      });
  });

  test('forbid everything except content of the server', async () => {
    for (const path of paths) {
      const { headers } = await answerOf(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:|data:|blob:/);
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  test('are revalidated at each request, while their assets, named by content, are cached', async () => {
    for (const path of paths) {
      const lifecycle = (await answerOf(path)).headers.get('cache-control');
      expect({ path, lifecycle }).toEqual({
        path,
        lifecycle: HTML_PAGES.includes(path) ? 'no-cache' : 'public, max-age=31536000, immutable',
      });
    }
  });

  test('exist at every address of the table, each with its title; /requisicoes only in dev', async () => {
    for (const { address, title } of PAGES)
      expect(await textOf(address)).toContain(`<title>${title} · Validação · catp</title>`);
    const served = webPages({ ...PARTS, mode: 'serve' }).pages;
    const hidden = PAGES.filter(({ address }) => !served.has(address)).map(({ address }) => address);
    expect(hidden).toEqual(['/requisicoes']);
  });

  test('name the environment, and that it has no legal effect, before any script has run', async () => {
    for (const path of HTML_PAGES) {
      const html = await textOf(path);
      expect(html).toContain('Validação');
      expect(html).toContain('sem efeito legal');
    }
  });

  test('answer a browser at an unknown address with a page, and leave other clients to the API', async () => {
    const answerTo = (accept: string) =>
      missing(new Request('http://catp.test/nada', { headers: { accept } }));
    const page = await answerTo('text/html,application/xhtml+xml');
    expect(page?.status).toBe(404);
    expect(await page?.text()).toContain('<title>Página não encontrada · Validação · catp</title>');
    expect(answerTo('application/json')).toBeUndefined();
    expect(answerTo('*/*')).toBeUndefined();
  });

  test('name only existing assets, with the right type', async () => {
    for (const path of HTML_PAGES) {
      const named = [...(await textOf(path)).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
        ([, asset = '']) => asset,
      );
      expect(named.length).toBeGreaterThanOrEqual(2);
      for (const asset of named) {
        const type = (await answerOf(asset)).headers.get('content-type') ?? 'missing';
        expect(type).toStartWith(
          asset.endsWith('.js') ? 'text/javascript' : asset.endsWith('.css') ? 'text/css' : 'image/svg+xml',
        );
      }
    }
  });
});
