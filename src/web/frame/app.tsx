/** The frame of every page, and which page is in it. */
import type { JSX } from 'preact';
import { useCallback, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { matchRoute, Router, type RouterObject, useLocation, useRouter, useSearch } from 'wouter-preact';
import { ending, rolesOf, useWho, type Who } from '../api/session.ts';
import { addressFor, companyOf, useCompany } from '../api/use-company.ts';
import type { PageProps } from '../page.ts';
import { PAGES, type PageEntry } from '../pages.ts';
import { Toasts } from '../ui/toast.tsx';
import { Where } from '../ui/where.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { Forbidden, Missing, Recognising } from './instead.tsx';
import { offeredPages } from './navigation.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { ShownPage } from './shown-page.tsx';
import { Side } from './side.tsx';
import { useFocusNeverLost } from './use-focus-never-lost.ts';

export function App(): JSX.Element {
  const who = useWho();
  const found = useEntry();
  useRedirect(who, found?.entry);
  const main = useFocusOnNewPage();
  useFocusNeverLost();
  const offered = useMemo(() => offeredPages(who), [who]);
  const company = useCompany();
  const where = mayBeOfCompany(found?.entry) ? companyOf(who, company) : undefined;
  const hrefs = useNamedCompany(company);
  return (
    <Router hrefs={hrefs}>
      <div class="frame">
        <a class="skip" href="#main">
          Ir para o conteúdo
        </a>
        <Side current={found?.entry} />
        <div class="content">
          <ConnectionBanner />
          <main id="main" tabIndex={-1} ref={main}>
            <Where.Provider value={where}>
              <Inside who={who} found={found} />
            </Where.Provider>
          </main>
        </div>
        <Shortcuts offered={offered} />
        <Toasts />
      </div>
    </Router>
  );
}

/** Whoever represents a company sees it; what only administrators see, and what anybody does, is of none. */
const mayBeOfCompany = (entry: PageEntry | undefined): boolean =>
  entry !== undefined && entry.who !== 'anybody' && entry.who.includes('representative');

interface Found extends PageProps {
  readonly entry: PageEntry;
}

function Inside({ who, found }: { readonly who: Who; readonly found: Found | undefined }): JSX.Element {
  if (found === undefined) return <Missing />;
  const { entry, params } = found;
  let user = '';
  if (entry.who !== 'anybody') {
    if (typeof who === 'string') return <Recognising title={entry.title} />;
    const roles = rolesOf(who);
    if (!entry.who.some((role) => roles.includes(role))) return <Forbidden title={entry.title} />;
    user = `${who.documento} ${who.perfil}`;
  }
  // Of another record, or user, everything begins anew: nothing of one is ever sent to another.
  const key = [user, entry.address, ...Object.values(params)].join(' ');
  return <ShownPage key={key} entry={entry} params={params} />;
}

function useEntry(): Found | undefined {
  const [path] = useLocation();
  return entryAt(path, useRouter());
}

function entryAt(path: string, { parser }: RouterObject): Found | undefined {
  for (const entry of PAGES) {
    const [fits, params] = matchRoute(parser, entry.address, path);
    if (fits) return { entry, params: params as PageProps['params'] }; // of our addresses every part is required
  }
  return undefined;
}

/** What links say where another tab opens them, which knows nothing of this one: the same company. */
function useNamedCompany(company: string): (address: string) => string {
  const router = useRouter();
  return useCallback(
    (address) => {
      const found = entryAt(address.split(/[?#]/)[0] ?? '', router);
      return mayBeOfCompany(found?.entry) ? addressFor(address, company) : address;
    },
    [router, company],
  );
}

/** To the door and, once signed in, back to where one wanted to go; a page of a company has it in its address. */
function useRedirect(who: Who, entry: PageEntry | undefined): void {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const company = useCompany();
  // Before anybody can press anything on a page that is not the one to be shown.
  useLayoutEffect(() => {
    if (entry === undefined || who === 'unknown') return;
    const to = redirected();
    const isStart = who === 'nobody' && ending.value === '';
    if (to !== undefined) navigate(to, { replace: true, state: isStart ? AT_START : null });

    function redirected(): string | undefined {
      if (entry === undefined) return undefined;
      if (who === 'nobody') {
        if (entry.who === 'anybody') return undefined;
        const here = path + (search === '' ? '' : `?${search}`);
        return here === '/' ? '/entrar' : `/entrar?${new URLSearchParams({ voltar: here })}`;
      }
      if (path === '/entrar') return returnAddress(search);
      if (!entry.ofCompany || !entry.inNavigation || path === '/') return undefined;
      const here = path + (search === '' ? '' : `?${search}`);
      const named = addressFor(here, company);
      return named === here ? undefined : named;
    }
  }, [who, entry, path, search, company, navigate]);
}

/** Only an address of ours. */
function returnAddress(search: string): string {
  const wanted = new URLSearchParams(search).get('voltar') ?? '/';
  return /^\/(?![/\\])/.test(wanted) ? wanted : '/';
}

/** Of a page that was opened signed out, and the door shown in its place: nobody has moved yet. */
const AT_START = 'start';

/** Another page has the focus at its beginning; the first one leaves it to the browser. */
function useFocusOnNewPage() {
  const [path] = useLocation();
  const main = useRef<HTMLElement>(null);
  const shownRef = useRef(path);
  // As it is drawn: a frame later it would take the focus from the field that is typed in by then.
  useLayoutEffect(() => {
    if (shownRef.current === path) return;
    shownRef.current = path;
    if (history.state === AT_START) return;
    main.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [path]);
  return main;
}
