/** Serves the web pages, with their own headers. */
import type { HelpParts } from '../../docs/generated.ts';
import type { HelpPage } from '../../docs/help.ts';
import { notFound } from '../../errors.ts';
import { shown } from '../../validation/shown.ts';
import { ServedText } from '../../http/served-text.ts';
import { latest } from '../../system/latest.ts';
import { webBundle } from './bundled.ts';
import { ASSET_LIFE, HEADERS, htmlAnswer, wantsPage } from './answers.ts';
import { type Instance, helpShell, shell } from './shell.ts';

const HELP = '/ajuda';

/** Cache size for help pages, which contain the address of their request. The most recently used are kept. */
const HELP_KEPT = 100;

/** An image may change with the next version. */
const IMAGE_LIFE = 'public, max-age=3600';

type PageAnswer = (request: Request) => Response | Promise<Response>;

export interface WebPages {
  /** Every GET path of the web interface with its response. */
  readonly pages: ReadonlyMap<string, PageAnswer>;
  /** Returns the page for an address without a route, or `undefined` for a client that is no browser. */
  readonly missing: (request: Request) => Promise<Response> | undefined;
}

interface WebParts extends HelpParts, Instance {
  /** Returns the OpenAPI document as JSON. */
  readonly document: () => string;
  /** Returns the scheme of the client, possibly from a proxy. */
  readonly schemeOf: (request: Request) => 'http' | 'https';
}

/** Serves the pages, `/ajuda` and the assets. Everything is loaded or built on its first request. */
export function webPages(parts: WebParts): WebPages {
  const bundle = webBundle();
  const page = (title: string, status = 200) => {
    let html: ServedText | undefined;
    return async (request: Request): Promise<Response> =>
      htmlAnswer(request, (html ??= new ServedText(shell(title, await bundle.assets(), parts))), status);
  };
  const served = bundle.pages.filter(({ onlyInDev }) => parts.mode === 'dev' || !onlyInDev);
  const missing = page('Página não encontrada', 404);
  return {
    pages: new Map<string, PageAnswer>([
      ...served.map(({ address, title }): [string, PageAnswer] => [address, page(title)]),
      [HELP, help(parts)],
      [`${HELP}/:page`, help(parts)],
      [`${HELP}/imagens/:name`, image],
      ['/assets/:name', asset],
    ]),
    missing: (request) => (wantsPage(request) ? missing(request) : undefined),
  };

  /**
   * Returns the origin as the client wrote it. It is pasted into a shell, so a host with special characters
   * is replaced by the default.
   */
  function originOf(request: Request): string {
    const host = request.headers.get('host') ?? '';
    return `${parts.schemeOf(request)}://${/^[\w.:[\]-]+$/.test(host) ? host : '127.0.0.1:8080'}`;
  }

  async function image(request: Request): Promise<Response> {
    const name = lastOf(request.url);
    const { IMAGES } = await import('../../docs/images.ts'); // loaded with the first one
    const path = IMAGES.get(name);
    if (path === undefined) throw notFound(`Não existe a imagem ${shown(name)}.`);
    // The bytes are read: a returned file would be sent with the headers of Bun.
    return new Response(await Bun.file(path).bytes(), {
      headers: { ...HEADERS, 'content-type': 'image/png', 'cache-control': IMAGE_LIFE },
    });
  }

  async function asset(request: Request): Promise<Response> {
    const name = lastOf(request.url);
    const servedAsset = (await bundle.assets()).assets.get(name);
    if (servedAsset === undefined)
      throw notFound(`Não existe o arquivo ${shown(name)}; a página foi atualizada.`);
    const { bytes, headers } = await (await servedAsset.text()).sentTo(request);
    return new Response(bytes, {
      headers: { ...HEADERS, 'content-type': servedAsset.type, 'cache-control': ASSET_LIFE, ...headers },
    });
  }

  /** Returns a help page, which is complete without its script. */
  function help(of: WebParts): PageAnswer {
    // A page does not change while the process runs. Anybody may request it, and some take milliseconds to
    // render.
    const written = latest<string, ServedText>(HELP_KEPT);
    const framed = async (one: HelpPage): Promise<ServedText> =>
      new ServedText(helpShell(one, await bundle.assets(), of));
    return async (request) => {
      const name = request.url.includes(`${HELP}/`) ? lastOf(request.url) : '';
      const origin = originOf(request);
      const cachedPage = written.get(`${origin} ${name}`);
      if (cachedPage !== undefined) return htmlAnswer(request, cachedPage);
      // Loaded with the first page, so that the start does not wait and an idle server does not hold it.
      const { helpPage, missingPage } = await import('../../docs/help.ts');
      const content = await helpPage(name, of, origin);
      if (content !== undefined) {
        const html = await framed(content);
        written.set(`${origin} ${name}`, html);
        return htmlAnswer(request, html);
      }
      if (wantsPage(request)) return htmlAnswer(request, await framed(missingPage(name)), 404);
      throw notFound(`Não existe a página ${shown(name)} na ajuda. As páginas estão em ${HELP}.`);
    };
  }
}

/** Returns the last path segment. The path was already decoded once, so it is well-formed. */
const lastOf = (url: string): string => decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
