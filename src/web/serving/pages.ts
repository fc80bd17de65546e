/** Serves the web pages, with their own headers. */
import type { HelpParts } from '../../docs/generated.ts';
import type { HelpPage } from '../../docs/help.ts';
import { notFound } from '../../errors.ts';
import { formatValue } from '../../validation/format-value.ts';
import { originOf } from '../../http/address.ts';
import { ServedText } from '../../http/served-text.ts';
import { lruCache } from '../../system/lru-cache.ts';
import { webBundle } from './bundled.ts';
import { ASSET_LIFE, HEADERS, htmlAnswer, wantsPage } from './answers.ts';
import type { FidelityEntry } from '../api/answers.ts';
import type { Reference } from './reference/reference.tsx';
import type { RefusedSignIn } from './refused-sign-in.tsx';
import { type Instance, helpShell, shell, stillShell } from './shell.ts';

const HELP = '/ajuda';
const REFERENCE = '/docs';
const LEDGER = '/fidelidade';

/**
 * Cache size for pages of the handbook, which contain the address of their request. They do not change while
 * the process runs; anybody may request them, and some take milliseconds to render.
 */
const CACHED_PAGES = 100;

/** Maximum characters of a search, whose cost grows with its words. */
const SEARCH_MAX = 100;

interface HandbookRequest {
  /** The last part of the path; '' for the first page. */
  readonly name: string;
  readonly origin: string;
  /** Words to find; '' for none. */
  readonly search: string;
  /** The certainty of the ledger's entries to list; '' for any. */
  readonly certainty: string;
}

/** An image may change with the next version. */
const IMAGE_LIFE = 'public, max-age=3600';

type PageAnswer = (request: Request) => Response | Promise<Response>;

export interface WebPages {
  /** Every GET path of the web interface with its response. */
  readonly pages: ReadonlyMap<string, PageAnswer>;
  /** Returns the page for an address without a route; `undefined` for a client that is not a browser. */
  readonly missing: (request: Request) => Promise<Response> | undefined;
  /** Returns the page of a refused sign-in by the provider. */
  readonly refusedSignIn: (request: Request, refusal: RefusedSignIn, status: number) => Promise<Response>;
}

interface WebOptions extends HelpParts, Instance {
  readonly ledger: () => Promise<readonly FidelityEntry[]>;
  /** Returns the OpenAPI document as JSON. */
  readonly document: () => Promise<string>;
  /** Returns the scheme of the client, possibly from a proxy. */
  readonly schemeOf: (request: Request) => 'http' | 'https';
}

/** Serves the pages, the handbook and the assets. Everything is loaded or built on its first request. */
export function webPages(options: WebOptions): WebPages {
  const bundle = webBundle();
  const renderedPages = lruCache<string, ServedText>(CACHED_PAGES);
  let reference: Reference | undefined;
  const page = (title: string, status = 200) => {
    const texts = new Map<string, ServedText>();
    return async (request: Request): Promise<Response> => {
      const html = shell(title, await bundle.assets(), options);
      const servedText = texts.get(html) ?? new ServedText(html);
      texts.set(html, servedText);
      return htmlAnswer(request, servedText, status);
    };
  };
  const servedPages = bundle.pages.filter(({ onlyInDev }) => options.mode === 'dev' || !onlyInDev);
  const missing = page('Página não encontrada', 404);
  return {
    pages: new Map<string, PageAnswer>([
      ...servedPages.map(({ address, title }): [string, PageAnswer] => [address, page(title)]),
      [HELP, handbook(HELP, helpPageOf)],
      [`${HELP}/:page`, handbook(HELP, helpPageOf)],
      [REFERENCE, handbook(REFERENCE, referencePageOf)],
      [`${REFERENCE}/:operation`, handbook(REFERENCE, referencePageOf)],
      [LEDGER, handbook(LEDGER, ledgerPageOf)],
      [`${HELP}/imagens/:name`, image],
      ['/assets/:name', asset],
    ]),
    missing: (request) => (wantsPage(request) ? missing(request) : undefined),
    refusedSignIn: async (request, refusal, status) => {
      const { REFUSED_SIGN_IN_TITLE, refusedSignInPage } = await import('./refused-sign-in.tsx');
      const main = refusedSignInPage(refusal);
      const html = stillShell(REFUSED_SIGN_IN_TITLE, main, await bundle.assets(), options);
      return htmlAnswer(request, new ServedText(html), status);
    },
  };

  async function image(request: Request): Promise<Response> {
    const name = lastSegment(request.url);
    const { IMAGES } = await import('../../docs/images.ts'); // loaded with the first one
    const path = IMAGES.get(name);
    if (path === undefined) throw notFound(`Não existe a imagem ${formatValue(name)}.`);
    // The bytes are read: a returned file would be sent with the headers of Bun.
    return new Response(await Bun.file(path).bytes(), {
      headers: { ...HEADERS, 'content-type': 'image/png', 'cache-control': IMAGE_LIFE },
    });
  }

  async function asset(request: Request): Promise<Response> {
    const name = lastSegment(request.url);
    const servedAsset = (await bundle.assets()).assets.get(name);
    if (servedAsset === undefined)
      throw notFound(`Não existe o arquivo ${formatValue(name)}; a página foi atualizada.`);
    const { bytes, headers } = await (await servedAsset.text()).sentTo(request);
    return new Response(bytes, {
      headers: { ...HEADERS, 'content-type': servedAsset.type, 'cache-control': ASSET_LIFE, ...headers },
    });
  }

  async function helpPageOf({ name, origin }: HandbookRequest): Promise<HelpPage | undefined> {
    // Loaded with the first page, so that the start does not wait and an idle server does not hold it.
    const { helpPage } = await import('../../docs/help.ts');
    return helpPage(name, options, origin);
  }

  async function referencePageOf({ name, search, origin }: HandbookRequest): Promise<HelpPage | undefined> {
    const { Reference } = await import('./reference/reference.tsx');
    const pages = (reference ??= new Reference(await options.document()));
    return name === '' ? pages.contents(search) : pages.operation(name, origin);
  }

  async function ledgerPageOf({ search, certainty }: HandbookRequest): Promise<HelpPage> {
    const { ledgerPage } = await import('./ledger.tsx');
    return ledgerPage(await options.ledger(), search, certainty);
  }

  /** Answers the pages of one part of the handbook, which are complete without a script. */
  function handbook(
    address: string,
    pageOf: (request: HandbookRequest) => Promise<HelpPage | undefined>,
  ): PageAnswer {
    const withFrame = async (page: HelpPage): Promise<ServedText> =>
      new ServedText(helpShell(page, await bundle.assets(), options, address));
    return async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const name = pathname.startsWith(`${address}/`) ? lastSegment(request.url) : '';
      const origin = originOf(request, options.schemeOf(request));
      const search = (searchParams.get('busca') ?? '').slice(0, SEARCH_MAX);
      const certainty = searchParams.get('certeza') ?? '';
      // Only a first page lists what is searched; nothing else in the query changes a page.
      const isSearched = name === '' && (search !== '' || certainty !== '');
      const key = isSearched ? undefined : `${origin} ${address}/${name}`;
      const cachedPage = key === undefined ? undefined : renderedPages.get(key);
      if (cachedPage !== undefined) return htmlAnswer(request, cachedPage);
      const page = await pageOf({ name, origin, search, certainty });
      if (page !== undefined) {
        const html = await withFrame(page);
        if (key !== undefined) renderedPages.set(key, html);
        return htmlAnswer(request, html);
      }
      if (wantsPage(request)) {
        const { missingPage } = await import('../../docs/help.ts');
        return htmlAnswer(request, await withFrame(missingPage(name)), 404);
      }
      throw notFound(`Não existe a página ${formatValue(name)} na ajuda. As páginas estão em ${address}.`);
    };
  }
}

/** Returns the last path segment. The path was already decoded once, so it is well-formed. */
const lastSegment = (url: string): string =>
  decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
