/** The web pages as the server answers them: the embedded bundle, under our own headers. */
import { basename } from 'node:path';
import type { HTMLBundle } from 'bun';
import type { HelpParts } from '../docs/generated.ts';
import type { HelpPage } from '../docs/help.ts';
import { notFound, shown } from '../errors.ts';
import docs from './docs.html';
import help from './help.html';
import index from './index.html';

const HELP = '/ajuda';
const PAGES: Readonly<Record<string, HTMLBundle>> = { '/': index, '/docs': docs, [HELP]: help };

/** Nothing from outside, nothing inline; `blob:` is never needed, downloads are no part of the policy. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** The names of assets carry a hash of their content; a page's name does not. */
const ASSET_LIFE = 'public, max-age=31536000, immutable';
const PAGE_LIFE = 'no-cache';

interface BuiltFile {
  readonly name: string;
  readonly type: string;
  readonly content: Blob;
}

/** Every path that the web interface answers GET on, with what it answers. */
export type WebPages = ReadonlyMap<string, (request: Request) => Response | Promise<Response>>;

let bundled: ReturnType<typeof answers> | undefined;

/** The pages, `/`, `/docs` and `/ajuda`, and the assets that they name. Bundled once per process. */
export async function webPages(parts: HelpParts): Promise<WebPages> {
  const answered = await (bundled ??= answers());
  const frame = withoutScript((await answered.get(HELP)?.().text()) ?? '');
  return new Map([...answered, ...helpPages(frame, parts)]);
}

/** The bundler gives each page one, also where it would be empty. */
const withoutScript = (html: string): string => html.replaceAll(/<script[^<>]*><\/script>/g, '');

/** Help is written by the server, into the frame that the bundler made: it needs no script. */
function helpPages(frame: string, parts: HelpParts): WebPages {
  // Nothing of a page changes while the process lives; anybody may ask, and some take milliseconds to write.
  const written = new Map<string, string>();
  const answer = async (request: Request): Promise<Response> => {
    const name = nameOf(request.url);
    const known = written.get(name);
    if (known !== undefined) return helpAnswer(200, known);
    // With the first page that is asked for: nobody waits for it at the start, and an idle server does not keep it.
    const { helpPage, missingPage } = await import('../docs/help.ts');
    const page = await helpPage(name, parts);
    if (page !== undefined) {
      const html = framed(frame, page);
      written.set(name, html);
      return helpAnswer(200, html);
    }
    if (wantsPage(request)) return helpAnswer(404, framed(frame, missingPage(name)));
    throw notFound(`Não existe a página ${shown(name)} na ajuda. As páginas estão em ${HELP}.`);
  };
  return new Map([
    [HELP, answer],
    [`${HELP}/:page`, answer],
  ]);
}

const framed = (frame: string, { title, main, contents }: HelpPage): string =>
  frame
    .replace('{{title}}', () => title)
    .replace('{{main}}', () => main)
    .replace('{{contents}}', () => contents);

const helpAnswer = (status: number, html: string): Response =>
  new Response(html, {
    status,
    headers: { ...HEADERS, 'content-type': 'text/html; charset=utf-8', 'cache-control': PAGE_LIFE },
  });

/** What follows `/ajuda/`; it has been read once as a path, so that it is well-formed. */
const nameOf = (url: string): string => decodeURIComponent(new URL(url).pathname.split('/')[2] ?? '');

/** A browser, by what it says it reads (contract section 17). */
const wantsPage = ({ headers }: Request): boolean => (headers.get('accept') ?? '').includes('text/html');

async function answers(): Promise<ReadonlyMap<string, () => Response>> {
  const bundles = Object.values(PAGES);
  const files = bundles.every(isBuilt) ? await embeddedFiles(bundles) : await freshlyBuilt(bundles);
  const pageOf = (name: string): string | undefined =>
    Object.entries(PAGES).find(([, { index }]) => basename(index) === name)?.[0];
  return new Map(
    files.map(({ name, type, content }) => {
      const page = pageOf(name);
      const headers = {
        ...HEADERS,
        'content-type': type,
        'cache-control': page === undefined ? ASSET_LIFE : PAGE_LIFE,
      };
      return [page ?? `/${name}`, () => new Response(content, { headers })];
    }),
  );
}

/** In the executable the bundler has put a list of files in the place of an imported page. */
function isBuilt(bundle: HTMLBundle): boolean {
  return bundle.files !== undefined;
}

async function embeddedFiles(bundles: readonly HTMLBundle[]): Promise<readonly BuiltFile[]> {
  const files = bundles.flatMap(({ files }) => files ?? []);
  return Promise.all(
    files.map(async ({ path, headers }) => ({
      name: basename(path),
      type: headers['content-type'],
      // Kept as text in memory: some 100 KB, read once.
      content: new Blob([await Bun.file(path).arrayBuffer()]),
    })),
  );
}

/** Run from the sources (`bun run`, `bun test`) the same bundler does it now, in some 20 ms. */
async function freshlyBuilt(bundles: readonly HTMLBundle[]): Promise<readonly BuiltFile[]> {
  const { outputs } = await Bun.build({
    entrypoints: bundles.map(({ index }) => index),
    target: 'browser',
    publicPath: '/',
  });
  return outputs.map((output) => ({ name: basename(output.path), type: output.type, content: output }));
}
