/** Issue point 8: a strict Content-Security-Policy, nothing from outside. */
import { describe, expect, test } from 'bun:test';
import { commandsFor } from '../../src/cli/commands.ts';
import { webPages } from '../../src/web/pages.ts';
import { sourcesUnder } from '../support/sources.ts';

const pages = await webPages({ commands: () => commandsFor(undefined), operations: [], jobs: [] });
/** The pattern of all pages of help, and one of them. */
const HELP_PATTERN = '/ajuda/:page';
const HELP_PAGE = '/ajuda/configuracoes';
async function answerOf(path: string): Promise<Response> {
  const page = pages.get(path === HELP_PAGE ? HELP_PATTERN : path);
  if (page === undefined) throw new Error(`there is no ${path}`);
  return page(new Request(`http://catp.test${path}`));
}
const textOf = async (path: string): Promise<string> => (await answerOf(path)).text();
const paths = [...pages.keys()].map((path) => (path === HELP_PATTERN ? HELP_PAGE : path));
const HTML_PAGES = ['/', '/docs', '/ajuda', HELP_PAGE];

/** Addresses that name something without fetching it. */
const NAMESPACES = /http:\/\/www\.w3\.org\/[\w/]+/g;

describe('the web pages', () => {
  test('name nothing outside of the server', async () => {
    expect(paths).toEqual(expect.arrayContaining(HTML_PAGES));
    for (const path of paths) {
      const text = (await textOf(path)).replaceAll(NAMESPACES, '');
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

  test('forbid everything that is not the server’s own', async () => {
    for (const path of paths) {
      const { headers } = await answerOf(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:|data:|blob:/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  test('are asked for anew, while their assets, named by content, may be kept', async () => {
    for (const path of paths) {
      const life = (await answerOf(path)).headers.get('cache-control');
      expect({ path, life }).toEqual({
        path,
        life: HTML_PAGES.includes(path) ? 'no-cache' : 'public, max-age=31536000, immutable',
      });
    }
  });

  test('name only assets that are served, with a type that fits', async () => {
    for (const path of HTML_PAGES) {
      const named = [...(await textOf(path)).matchAll(/(?:src|href)="(\/[^"]+\.\w+)"/g)].map(
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
