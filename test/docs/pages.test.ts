/** `/ajuda` describes every feature (design, Style 17), and is served without a session. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { commandsFor } from '../../src/cli/commands.ts';
import { environmentName } from '../../src/settings/config.ts';
import { PAGES } from '../../src/docs/contents.ts';
import { IMAGES } from '../../src/docs/images.ts';
import { EVENT_TYPES } from '../../src/notification/event/types.ts';
import { SETTINGS } from '../../src/settings/settings.ts';
import { type TestApp, openApp } from '../support/app.ts';
import { README, documents } from '../support/documents.ts';
import { ROOT, sourcesUnder } from '../support/sources.ts';
import { type ServedPage, idsOf, linksOf, mainOf, rowsOf, textOf } from './support.ts';

let server: TestApp;
const pages = new Map<string, ServedPage>();

async function ask(path: string, headers: Record<string, string> = {}): Promise<ServedPage> {
  const reply = await server.anybody.call('GET', path, undefined, headers);
  return { status: reply.status, html: reply.text, headers: reply.headers, text: textOf(reply.text) };
}

beforeAll(async () => {
  server = await openApp();
  for (const path of ['/ajuda', ...PAGES.map(({ name }) => `/ajuda/${name}`)])
    pages.set(path, await ask(path));
});
afterAll(() => server.close());

function page(name: string): ServedPage {
  const served = pages.get(`/ajuda/${name}`);
  if (served === undefined) throw new Error(`there is no page ${name}`);
  return served;
}

const MAINTAINERS = ['src/docs/maintainers/architecture.md', 'src/docs/maintainers/decisions.md'];

/** The only script of the page, by which tabs share the session (contract section 17). */
const SCRIPT = /    <script type="module" src="\/assets\/help-\w+\.js"><\/script>\n/;

const cells = (name: string): readonly (readonly string[])[] => rowsOf(page(name).html);

describe('every page of help', () => {
  test('is public, with one title, h1, main and list of pages, and no script except its own', () => {
    const titles = new Set<string>();
    for (const [path, { status, html, headers }] of pages) {
      expect({ path, status, type: headers.get('content-type') }).toEqual({
        path,
        status: 200,
        type: 'text/html; charset=utf-8',
      });
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      for (const element of ['h1', 'main', 'title'])
        expect({ path, element, count: html.split(`<${element}`).length - 1 }).toEqual({
          path,
          element,
          count: 1,
        });
      expect(html).toContain('<aside aria-label="Páginas da ajuda">');
      expect(html).toMatch(SCRIPT);
      expect(html.replace(SCRIPT, '')).not.toMatch(/<script|<style|\sstyle=|\son\w+=|\{\{|<!-- gerado/);
      titles.add(/<title>(.*?)<\/title>/.exec(html)?.[1] ?? '');
    }
    expect(titles.size).toBe(pages.size);
  });

  test('is marked as the current one in the list of all pages', () => {
    for (const { name } of PAGES) {
      const { html } = page(name);
      expect(html).toContain(`<a href="/ajuda/${name}" aria-current="page">`);
      for (const other of PAGES) expect(linksOf(html)).toContain(`/ajuda/${other.name}`);
    }
  });

  test('links only to existing pages and sections', async () => {
    for (const [path, { html }] of pages)
      for (const href of linksOf(html)) {
        const [target = '', anchor] = href.split('#');
        const place = target === '' ? path : target;
        const linked = pages.get(place) ?? (await ask(place));
        expect({ path, href, status: linked.status }).toEqual({ path, href, status: 200 });
        if (anchor !== undefined)
          expect({ path, href, is: idsOf(linked.html).has(anchor) }).toMatchObject({ is: true });
      }
  });

  test('shows only existing pictures, each with a text alternative; no picture is unused', async () => {
    const images = [...pages.values()].flatMap(({ html }) =>
      [...html.matchAll(/<img src="([^"]+)" alt="([^"]*)"/g)].map(([, src = '', alt = '']) => ({ src, alt })),
    );
    expect(images.filter(({ alt }) => alt === '')).toEqual([]);
    for (const { src } of images) {
      const { status, headers } = await ask(src);
      expect({ src, status, type: headers.get('content-type') }).toEqual({
        src,
        status: 200,
        type: 'image/png',
      });
    }
    expect(images.map(({ src }) => src.replace('/ajuda/imagens/', '')).sort()).toEqual(
      [...IMAGES.keys()].sort(),
    );
    expect((await ask('/ajuda/imagens/nada.png')).status).toBe(404);
  });

  test('has more text than its title', () => {
    for (const [path, { html }] of pages)
      expect({ path, isLong: textOf(mainOf(html)).length > 500 }).toEqual({ path, isLong: true });
  });

  test('is linked from every page of the web interface, by the common navigation', async () => {
    const code = await sourcesUnder('src/web/frame');
    expect(code.filter(({ text }) => text.includes('href="/ajuda"')).map(({ path }) => path)).toEqual([
      'src/web/frame/navigation.tsx',
    ]);
  });
});

test('a page is the same at the second request', async () => {
  for (const [path, { html }] of pages) expect([path, (await ask(path)).html === html]).toEqual([path, true]);
});

test('each page has its readers and its result, in at most 12 KB', () => {
  for (const { name, markdown } of PAGES) {
    const [, , start = ''] = markdown.split('\n', 3);
    const paragraph = markdown.slice(markdown.indexOf(start)).split('\n\n', 1)[0]?.replaceAll('\n', ' ');
    expect([name, paragraph]).toEqual([name, expect.stringMatching(/^Para .+Ao fim desta página/)]);
    expect([name, Buffer.byteLength(markdown) <= 12_288]).toEqual([name, true]);
  }
});

test('no page cites the contract, which its readers do not have', () => {
  for (const [path, { text }] of pages)
    expect({ path, cited: text.match(/\bcontratos?\b|\bseção \d/gi) }).toEqual({ path, cited: null });
});

describe('an unknown page', () => {
  test('is 404 with the common error body for a program', async () => {
    const { status, html } = await ask('/ajuda/nada');
    expect(status).toBe(404);
    expect(JSON.parse(html)).toMatchObject({
      code: 'APPL-ER0404',
      message: 'Não existe a página "nada" na ajuda. As páginas estão em /ajuda.',
    });
  });

  test('is 404 with a page for a browser, which shows nothing of the address as HTML', async () => {
    const { status, html, headers } = await ask('/ajuda/%3Cscript%3E', { accept: 'text/html,*/*;q=0.8' });
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(html).toContain('<h1>Página não encontrada</h1>');
    expect(html).toContain('&lt;script&gt;');
    expect(html.replace(SCRIPT, '')).not.toContain('<script');
  });

  test('includes names of object members, and deeper paths', async () => {
    for (const path of ['/ajuda/constructor', '/ajuda/__proto__', '/ajuda/comandos/dev'])
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
  });

  test('accepts no method but GET, like every page', async () => {
    const { status, headers } = await server.anybody.call('POST', '/ajuda/comandos');
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('the pages describe', () => {
  test('every setting, with its default, its preset, its meaning and its variable, and no other', () => {
    const valueInWords = (value: string): string => (value === '' ? '–' : value);
    const wanted = Object.entries(SETTINGS).map(([name, setting]) => [
      name,
      'portal' in setting && setting.portal !== undefined
        ? `${valueInWords(setting.default)} ; portal: ${valueInWords(setting.portal)}`
        : valueInWords(setting.default),
      setting.about,
      environmentName(name),
    ]);
    expect(cells('configuracoes').filter(({ length }) => length > 0)).toEqual(wanted);
  });

  test('no unknown setting', async () => {
    const variables = new Set([
      ...Object.keys(SETTINGS).map(environmentName),
      'CATP_CONFIG',
      'CATP_RECEIVER_SECRET',
    ]);
    for (const { path, text } of await documents())
      for (const [name] of text.matchAll(/\bCATP_[A-Z_]+\b/g))
        expect({ path, name, isKnown: variables.has(name) || name.endsWith('_') }).toMatchObject({
          isKnown: true,
        });
  });

  test('every code of an answer, each with its meaning', async () => {
    const quoted = (await sourcesUnder('src'))
      .filter(({ path }) => !/^src\/(web|docs|fidelity)\//.test(path))
      .flatMap(({ code }) => [...code.matchAll(/'([A-Z]{4}-ER\d{4})(?:'| )/g)].map(([, one = '']) => one));
    const rows = cells('codigos').filter(({ length }) => length > 0);
    expect(quoted.length).toBeGreaterThan(60);
    const names = new Set(
      rows.flatMap((row) => [...row.join(' ').matchAll(/[A-Z]{4}-ER\d{4}/g)].map(([one]) => one)),
    );
    expect([...new Set(quoted)].filter((one) => !names.has(one))).toEqual([]);
    expect(rows.filter((row) => (row.at(-1) ?? '').length < 8)).toEqual([]);
    for (const status of [400, 403, 404, 405, 413, 415, 422, 431, 500, 503])
      expect(rows.map(([first]) => first)).toContain(String(status));
  });

  test('every command with every flag that its help shows', async () => {
    const { text, html } = page('comandos');
    const everyCommand = (from: Command, above: string): (readonly [string, Command])[] => {
      const name = `${above} ${from.name()}`;
      return [[name, from], ...from.commands.flatMap((one) => everyCommand(one, name))];
    };
    const all = (await commandsFor(undefined)).flatMap((one) => everyCommand(one, 'catp'));
    expect(all.length).toBeGreaterThan(30);
    for (const [name, command] of all) {
      const part = html
        .split(/<h[23] /)
        .find(
          (one) => textOf(one).includes(`>${name} #`) || textOf(`<${one}`).trim().startsWith(`${name} #`),
        );
      expect({ name, isTold: part !== undefined }).toEqual({ name, isTold: true });
      for (const { long, hidden } of command.options)
        if (!hidden && long !== '--help')
          expect({ name, long, isTold: textOf(part ?? '').includes(`${long} `) }).toMatchObject({
            isTold: true,
          });
    }
    // The remarks of a help outside its lists are present, too.
    for (const remark of ['200+70000', 'Ctrl+C, a importação para entre dois itens', 'para a de erros'])
      expect({ remark, isTold: text.includes(remark) }).toEqual({ remark, isTold: true });
    expect(text).not.toMatch(/\b(Usage|Options|default|choices)\b/);
  });

  test('every operation, and no other', async () => {
    const { html } = await ask('/docs');
    const listed = [...html.matchAll(/<li id="(\w+)"/g)].map(([, id = '']) => id);
    const operations = await server.app.operations();
    const served = operations.filter(({ retired }) => !retired).map(({ id }) => id);
    expect(listed.toSorted()).toEqual(served.toSorted());
  });

  test('every job and every event', async () => {
    const jobs = server.app.core.jobs.map(({ name }) => name);
    expect(jobs.length).toBeGreaterThan(2);
    expect(jobs.filter((name) => !cells('acompanhar').some(([first]) => first === name))).toEqual([]);
    const events = cells('notificacoes').map(([first]) => first);
    expect(EVENT_TYPES.filter(({ evento }) => !events.includes(evento))).toEqual([]);
  });
});

test('an error that this server answers, to the last member', async () => {
  const { text = '' } = (await documents()).find(({ path }) => path.endsWith('/codigos.md')) ?? {};
  const [, sample = ''] = /```json\n([^]*?)```/.exec(text) ?? [];
  const demo = await server.as('demo');
  const body = { denominacao: 'Caixa', modalidade: 'IMPORTACAO', ncm: '3926' };
  const { json } = await demo.call('POST', '/catp/api/ext/produto/12345678', body);
  const { tag, date, info } = JSON.parse(sample) as {
    tag: string;
    date: string;
    info: { trackerId: string };
  };
  expect({ ...json, tag, date, info: { ...json.info, trackerId: info.trackerId } }).toEqual(
    JSON.parse(sample),
  );
  expect(Object.keys(json)).toEqual(Object.keys(JSON.parse(sample)));
});

test('only scripts and files that exist in the repository', async () => {
  const { scripts } = (await Bun.file(join(ROOT, 'package.json')).json()) as { scripts: object };
  const ofMaintainers = await Promise.all(
    ['CONTRIBUTING.md', ...MAINTAINERS].map(async (path) => ({
      path,
      text: await Bun.file(join(ROOT, path)).text(),
    })),
  );
  const missing: string[] = [];
  let linkCount = 0;
  for (const { path, text } of [...(await documents()), ...ofMaintainers]) {
    for (const [, named = ''] of text.matchAll(
      /(?<![\w/.-])(?:\.\/)?((?:scripts|src|test|migrations)\/[\w./-]*\w)/g,
    )) {
      linkCount += 1;
      if (!existsSync(join(ROOT, named))) missing.push(`${path}: ${named}`);
    }
    for (const [, script = ''] of text.matchAll(/\bbun run ([\w:]+)/g))
      if (!Object.hasOwn(scripts, script)) missing.push(`${path}: bun run ${script}`);
  }
  expect(linkCount).toBeGreaterThan(40);
  expect(missing).toEqual([]);
});

describe('README', () => {
  const MAX_LINES = 200;

  test('is short, and has the reason of each dependency', async () => {
    const [readme] = await documents();
    expect(readme?.path).toBe(README);
    expect((readme?.text ?? '').split('\n').length).toBeLessThanOrEqual(MAX_LINES);
    const { dependencies, devDependencies } = (await Bun.file(join(ROOT, 'package.json')).json()) as Record<
      string,
      Record<string, string>
    >;
    const packages = Object.keys({ ...dependencies, ...devDependencies });
    const isNamed = (name: string): boolean =>
      (readme?.text ?? '').includes(`\`${name}\``) || name.startsWith('@types/');
    expect(packages.filter((name) => !isNamed(name))).toEqual([]);
  });

  test('and the other files next to it link only to existing files; all pages are linked', async () => {
    const targets: string[] = [];
    for (const file of [README, 'CONTRIBUTING.md', 'CHANGELOG.md', ...MAINTAINERS]) {
      const text = await Bun.file(join(ROOT, file)).text();
      for (const [, target = ''] of text.matchAll(/\]\(([^)#]+)\)/g)) {
        const path = join(dirname(file), target);
        expect({ file, target, is: existsSync(join(ROOT, path)) }).toEqual({ file, target, is: true });
        if (file === README) targets.push(path);
      }
    }
    expect(
      PAGES.map(({ name }) => `src/docs/pages/${name}.md`).filter((path) => !targets.includes(path)),
    ).toEqual([]);
  });
});
