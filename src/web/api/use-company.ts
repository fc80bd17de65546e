/** The company that the pages are about: that of the address, else the one that this tab had last, else the first. */
import { useLocation, useSearchParams } from 'wouter-preact';
import { useWho, type Who } from './session.ts';

const KEY = 'catp.company';

const PARAMETER = 'cpfCnpjRaiz';

export interface CompanyChoice {
  /** '' when there is none to choose. */
  readonly company: string;
  readonly choose: (cpfCnpjRaiz: string) => void;
}

export function useCompanyChoice(): CompanyChoice {
  const session = useWho();
  const [parameters] = useSearchParams();
  const [path, navigate] = useLocation();
  const own = typeof session === 'string' ? [] : session.companies;
  const isKnown = (raiz: string | null): raiz is string =>
    raiz !== null && raiz !== '' && (own.length === 0 || own.some(({ cpfCnpjRaiz }) => cpfCnpjRaiz === raiz));
  const inPath = companyInPath(path);
  const asked = inPath ?? parameters.get(PARAMETER);
  const kept = sessionStorage.getItem(KEY);
  const company = asked ?? (isKnown(kept) ? kept : (own[0]?.cpfCnpjRaiz ?? ''));
  if (asked !== null && asked !== kept) sessionStorage.setItem(KEY, asked);
  return {
    company,
    choose: (cpfCnpjRaiz) => {
      sessionStorage.setItem(KEY, cpfCnpjRaiz);
      // A record belongs to its company, as an import and a run do: of another one its list is shown.
      const isOfOne = inPath !== null || /^\/(?:importar|remotos)\//.test(path);
      const to = isOfOne ? path.split('/').slice(0, 2).join('/') : path;
      navigate(`${to}?${new URLSearchParams({ [PARAMETER]: cpfCnpjRaiz })}`);
    },
  };
}

/** Its name: a public agent, or an address that somebody sent, may ask for a company that one does not represent. */
export function companyOf(who: Who, cpfCnpjRaiz: string): { cpfCnpjRaiz: string; nome: string } | undefined {
  if (typeof who === 'string' || who.companies.length === 0 || cpfCnpjRaiz === '') return undefined;
  const nome = who.companies.find((one) => one.cpfCnpjRaiz === cpfCnpjRaiz)?.nome ?? 'não representada';
  return { cpfCnpjRaiz, nome };
}

/** The root of the company that the page is about. */
export const useCompany = (): string => useCompanyChoice().company;

/** The address of a page, for the company, where it does not name one itself. */
export function addressFor(address: string, company: string): string {
  const { pathname, searchParams, hash } = new URL(address, ANY_ORIGIN);
  if (company === '' || companyInPath(pathname) !== null || searchParams.has(PARAMETER)) return address;
  return `${pathname}?${new URLSearchParams([[PARAMETER, company], ...searchParams])}${hash}`;
}

/** An address of ours has none. */
const ANY_ORIGIN = 'http://pages';

const companyInPath = (path: string): string | null =>
  /^\/(?:produtos|operadores)\/([^/]+)\/[^/]+$/.exec(path)?.[1] ?? null;
