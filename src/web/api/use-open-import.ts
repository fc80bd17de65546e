/**
 * Opens the page of an import that a page started. Corrections and the import after a dry run keep the way
 * back to that page (contract section 17).
 */
import { returnAddress, withReturn } from './return-address.ts';
import { useGo } from './use-go.ts';

const IMPORT_FORM = '/importar';

/** Returns a function that returns true if it navigated. */
export function useOpenImport(): (id: number, company: string) => boolean {
  const go = useGo();
  return (id, company) => {
    const { pathname, search } = location;
    const origin = pathname.startsWith(`${IMPORT_FORM}/`) ? returnAddress(search) : pathname + search;
    const address = `${IMPORT_FORM}/${id}?cpfCnpjRaiz=${company}`;
    return go(origin === undefined || pathname === IMPORT_FORM ? address : withReturn(address, origin));
  };
}
