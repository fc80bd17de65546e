/** The frame around every page, and the choice of the page. */
import type { ComponentType } from 'preact';
import {
  useCallback,
  useLayoutEffect,
  useRef,
  useMemo,
  useEffect,
  useErrorBoundary,
  useState,
} from 'preact/hooks';
import {
  matchRoute,
  Router,
  type RouterObject,
  useLocation,
  useRouter,
  useSearch,
  Link,
} from 'wouter-preact';
import { returnAddress, withReturn } from '../api/return-address.ts';
import { endReason, rolesOf, useCurrentUser, type CurrentUser, loadUser, userError } from '../api/session.ts';
import { addressFor, companyOf, useCompany, useCompanyChoice } from '../api/use-company.ts';
import type { PageProps, Role } from '../page.ts';
import { PAGES, type PageEntry } from '../pages.ts';
import { Toasts } from '../ui/toast.tsx';
import { CompanyContext } from '../ui/company-name.tsx';
import { api } from '../api/api.ts';
import { useObserved } from '../api/observed.ts';
import type { Remote } from '../api/answers.ts';
import { instance } from '../api/instance.ts';
import { useResource } from '../api/use-resource.ts';
import { REMOTES } from '../remotos/words.ts';
import { Notice, ErrorAlert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Skeleton } from '../ui/progress.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { Side } from './side.tsx';
import { useFocusNeverLost } from './use-focus-never-lost.ts';

export function App() {
  const currentUser = useCurrentUser();
  const opened = useEntry();
  useRedirect(currentUser, opened?.entry);
  const mainRef = useFocusOnNewPage();
  useFocusNeverLost();
  const offered = useOfferedPages(currentUser, opened?.entry);
  const { company, showsAllCompanies } = useCompanyChoice();
  const currentCompany =
    mayBeOfCompany(opened?.entry) && !showsAllCompanies ? companyOf(currentUser, company) : undefined;
  const hrefs = useNamedCompany(company);
  return (
    <Router hrefs={hrefs}>
      <div class="frame">
        <a class="skip" href="#main">
          Ir para o conteúdo
        </a>
        <Side current={opened?.entry} offered={offered} />
        <div class="content">
          <ConnectionBanner />
          <main id="main" tabIndex={-1} ref={mainRef}>
            <CompanyContext.Provider value={currentCompany}>
              <PageContent currentUser={currentUser} opened={opened} />
            </CompanyContext.Provider>
          </main>
        </div>
        <Shortcuts offered={offered} />
        <Toasts />
      </div>
    </Router>
  );
}

/**
 * Returns true when the page may show a company. Pages for administrators only, and public pages, belong to
 * no company.
 */
const mayBeOfCompany = (entry: PageEntry | undefined): boolean =>
  entry !== undefined && entry.audience !== 'anybody' && entry.audience.includes('representative');

interface OpenedPage extends PageProps {
  readonly entry: PageEntry;
}

function PageContent(props: { readonly currentUser: CurrentUser; readonly opened: OpenedPage | undefined }) {
  const { currentUser, opened } = props;
  if (opened === undefined) return <Missing />;
  const { entry, params } = opened;
  let user = '';
  if (entry.audience !== 'anybody') {
    if (typeof currentUser === 'string') return <LoadingUser title={entry.title} />;
    const roles = rolesOf(currentUser);
    if (!entry.audience.some((role) => roles.includes(role))) return <Forbidden title={entry.title} />;
    user = `${currentUser.documento} ${currentUser.perfil}`;
  }
  // Another record or user resets all state: nothing of one is ever sent to another.
  const key = [user, entry.address, ...Object.values(params)].join(' ');
  return <CurrentPage key={key} entry={entry} params={params} />;
}

function useEntry(): OpenedPage | undefined {
  const [path] = useLocation();
  return entryAt(path, useRouter());
}

function entryAt(path: string, { parser }: RouterObject): OpenedPage | undefined {
  for (const entry of PAGES) {
    const [isMatch, params] = matchRoute(parser, entry.address, path);
    if (isMatch) return { entry, params: params as PageProps['params'] }; // every part of our addresses is required
  }
  return undefined;
}

/** Adds the company to the address of links, because another tab does not share this tab's state. */
function useNamedCompany(company: string): (address: string) => string {
  const router = useRouter();
  return useCallback(
    (address) => {
      // The panel without a company shows all of them.
      if (address === '/') return address;
      const linked = entryAt(address.split(/[?#]/)[0] ?? '', router);
      return mayBeOfCompany(linked?.entry) ? addressFor(address, company) : address;
    },
    [router, company],
  );
}

/**
 * Redirects to the sign-in page and, after it, back to the requested page. The address of a company page
 * names its company.
 */
function useRedirect(currentUser: CurrentUser, entry: PageEntry | undefined): void {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const company = useCompany();
  // Runs before the user can act on a page that is about to be replaced.
  useLayoutEffect(() => {
    if (entry === undefined || currentUser === 'unknown') return;
    const to = redirectTarget();
    const isStart = currentUser === 'nobody' && endReason.value === '';
    if (to !== undefined) navigate(to, { replace: true, state: isStart ? AT_START : null });

    function redirectTarget(): string | undefined {
      if (entry === undefined) return undefined;
      if (currentUser === 'nobody') {
        if (entry.audience === 'anybody') return undefined;
        const address = path + (search === '' ? '' : `?${search}`);
        return address === '/' ? '/entrar' : withReturn('/entrar', address);
      }
      if (path === '/entrar') return returnAddress(search) ?? '/';
      if (!entry.ofCompany || entry.group === undefined || path === '/') return undefined;
      const address = path + (search === '' ? '' : `?${search}`);
      const companyAddress = addressFor(address, company);
      return companyAddress === address ? undefined : companyAddress;
    }
  }, [currentUser, entry, path, search, company, navigate]);
}

/**
 * History state of the sign-in page when it replaces a page that was opened signed out: no navigation has
 * happened yet.
 */
const AT_START = 'start';

/** Focuses the beginning of each page after a navigation. The browser decides on the first page. */
function useFocusOnNewPage() {
  const [path] = useLocation();
  const main = useRef<HTMLElement>(null);
  const currentPathRef = useRef(path);
  // Runs with the rendering: one frame later it would take the focus from a field that is already in use.
  useLayoutEffect(() => {
    if (currentPathRef.current === path) return;
    currentPathRef.current = path;
    if (history.state === AT_START) return;
    main.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [path]);
  return main;
}

/** Reports a lost connection and retries until it is restored. */
function ConnectionBanner() {
  const state = useObserved(api.connection.state);
  return (
    <div role="status" class="connection">
      {state === 'lost' && <p>Sem conexão com o servidor. Tentando de novo…</p>}
    </div>
  );
}

const REMOTES_PAGE = '/remotos';

/** Lists the pages of the navigation that the user may open. The remotes are offered once there is one. */
function useOfferedPages(currentUser: CurrentUser, current: PageEntry | undefined): readonly PageEntry[] {
  const hasRemotes = useHasRemotes(currentUser, current?.address === REMOTES_PAGE);
  return useMemo(
    () =>
      PAGES.filter(
        (entry) =>
          isOffered(entry, rolesOfCurrentUser(currentUser)) && (entry.address !== REMOTES_PAGE || hasRemotes),
      ),
    [currentUser, hasRemotes],
  );
}

/** `isOnPage`: the page of remotes is open. It may change their number, so they are requested again when the
 * user leaves it. */
function useHasRemotes(currentUser: CurrentUser, isOnPage: boolean): boolean {
  const mayRead = rolesOfCurrentUser(currentUser).some((role) => role !== 'agent');
  const { value } = useResource<readonly Remote[]>(mayRead && !isOnPage ? REMOTES : undefined);
  return mayRead && (isOnPage || (value !== undefined && value.length > 0));
}

const rolesOfCurrentUser = (currentUser: CurrentUser): readonly Role[] =>
  typeof currentUser === 'string' ? [] : rolesOf(currentUser);

function isOffered({ group, audience: may, onlyInDev = false }: PageEntry, roles: readonly Role[]): boolean {
  if (group === undefined || (onlyInDev && !instance.isDev)) return false;
  return may === 'anybody' || may.some((role) => roles.includes(role));
}

const loaded = new Map<string, ComponentType<PageProps>>();

/** Shows a page, which is loaded at its first visit. */
function CurrentPage({ entry, params }: PageProps & { readonly entry: PageEntry }) {
  const [Component, setComponent] = useState(() => loaded.get(entry.address));
  const [isLost, setLost] = useState(false);
  const [fault] = useErrorBoundary();

  useEffect(() => {
    let isCancelled = false;
    const load = async (): Promise<void> => {
      const module = await entry.load();
      loaded.set(entry.address, module.default);
      if (!isCancelled) setComponent(() => module.default);
    };
    load()
      .catch(() => api.connection.waitForServer().then(load))
      .catch(() => isCancelled || setLost(true));
    return () => {
      isCancelled = true;
    };
  }, [entry]);

  if (isLost || fault !== undefined)
    return (
      <Page title={entry.title}>
        <Notice tone="bad">
          <p>
            {isLost
              ? 'A página não pôde ser carregada: o servidor não respondeu, ou foi atualizado.'
              : `A página parou por uma falha nossa: ${fault instanceof Error ? fault.message : String(fault)}`}
          </p>
          <Button small onPress={() => location.reload()}>
            Carregar de novo
          </Button>
        </Notice>
      </Page>
    );
  return Component === undefined ? <Waiting title={entry.title} /> : <Component params={params} />;
}

/** Pages that are shown instead of an unavailable page. */
const Missing = () => (
  <Page title="Página não encontrada">
    <p>
      Não existe uma página no endereço <code>{location.pathname}</code>. Confira o endereço, ou comece pelo{' '}
      <Link href="/">painel</Link>.
    </p>
  </Page>
);

const Forbidden = ({ title }: { readonly title: string }) => (
  <Page title={title}>
    <Notice tone="warn">
      <p>
        O seu usuário não tem acesso a esta página. Saia e entre com outro usuário ou perfil, ou volte ao{' '}
        <Link href="/">painel</Link>.
      </p>
    </Notice>
  </Page>
);

const Waiting = ({ title }: { readonly title: string }) => (
  <Page title={title}>
    <Skeleton />
  </Page>
);

/** Shown until the server has identified the user. */
function LoadingUser({ title }: { readonly title: string }) {
  const error = useObserved(userError);
  if (error === undefined) return <Waiting title={title} />;
  return (
    <Page title={title}>
      <ErrorAlert error={error} onRetry={() => void loadUser()} />
    </Page>
  );
}
