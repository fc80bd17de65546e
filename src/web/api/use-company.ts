/** Company of the pages: from the address, else the last one of this tab, else the first. */
import { useLocation, useSearchParams } from 'wouter-preact';
import { useCurrentUser, type CurrentUser } from './session.ts';
import { isString, storedList, storeList } from './user-storage.ts';

const KEY = 'catp.company';

const PARAMETER = 'cpfCnpjRaiz';

export interface CompanyChoice {
  /** '' without any company. */
  readonly company: string;
  readonly choose: (cpfCnpjRaiz: string) => void;
  /** True on the panel without a company in its address, for users with several (contract section 17). */
  readonly showsAllCompanies: boolean;
  /** The companies of the last pages, newest first. */
  readonly recent: readonly string[];
}

const RECENT = 'recent-companies';
/** The current one and the five before it. */
const RECENT_MAX = 6;

const recentCompanies = (): readonly string[] => storedList(RECENT, isString) ?? [];

function remember(cpfCnpjRaiz: string): void {
  sessionStorage.setItem(KEY, cpfCnpjRaiz);
  const others = recentCompanies().filter((recentCompany) => recentCompany !== cpfCnpjRaiz);
  storeList(RECENT, [cpfCnpjRaiz, ...others].slice(0, RECENT_MAX));
}

export function useCompanyChoice(): CompanyChoice {
  const session = useCurrentUser();
  const [parameters] = useSearchParams();
  const [path, navigate] = useLocation();
  const companies = typeof session === 'string' ? [] : session.companies;
  const isKnown = (raiz: string | null): raiz is string =>
    raiz !== null &&
    raiz !== '' &&
    (companies.length === 0 || companies.some(({ cpfCnpjRaiz }) => cpfCnpjRaiz === raiz));
  const pathCompany = companyInPath(path);
  const requestedCompany = pathCompany ?? parameters.get(PARAMETER);
  const storedCompany = sessionStorage.getItem(KEY);
  const company =
    requestedCompany ?? (isKnown(storedCompany) ? storedCompany : (companies[0]?.cpfCnpjRaiz ?? ''));
  if (requestedCompany !== null && requestedCompany !== storedCompany) remember(requestedCompany);
  return {
    company,
    showsAllCompanies: path === '/' && requestedCompany === null && companies.length > 1,
    recent: recentCompanies(),
    choose: (cpfCnpjRaiz) => {
      remember(cpfCnpjRaiz);
      // A record, an import or a run belongs to one company. Switching the company leads to the list.
      const isOfOneCompany = pathCompany !== null || /^\/(?:importar|remotos)\//.test(path);
      const to = isOfOneCompany ? path.split('/').slice(0, 2).join('/') : path;
      navigate(`${to}?${new URLSearchParams({ [PARAMETER]: cpfCnpjRaiz })}`);
    },
  };
}

/**
 * Returns the company with its name. A public agent, or a received link, may request a company that the user
 * does not represent.
 */
export function companyOf(
  currentUser: CurrentUser,
  cpfCnpjRaiz: string,
): { cpfCnpjRaiz: string; nome: string } | undefined {
  if (typeof currentUser === 'string' || currentUser.companies.length === 0 || cpfCnpjRaiz === '')
    return undefined;
  const nome =
    currentUser.companies.find((sessionCompany) => sessionCompany.cpfCnpjRaiz === cpfCnpjRaiz)?.nome ??
    'não representada';
  return { cpfCnpjRaiz, nome };
}

/** Returns the CPF or CNPJ root of the current company. */
export const useCompany = (): string => useCompanyChoice().company;

/** Adds the company to an address that does not contain one. */
export function addressFor(address: string, company: string): string {
  const { pathname, searchParams, hash } = new URL(address, ANY_ORIGIN);
  if (company === '' || companyInPath(pathname) !== null || searchParams.has(PARAMETER)) return address;
  return `${pathname}?${new URLSearchParams([[PARAMETER, company], ...searchParams])}${hash}`;
}

/** Base for relative addresses, which have no origin. */
const ANY_ORIGIN = 'http://pages';

const companyInPath = (path: string): string | null =>
  /^\/(?:produtos|operadores)\/([^/]+)\/[^/]+$/.exec(path)?.[1] ?? null;
