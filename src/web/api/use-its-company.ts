/** Whoever opens what is a company's by its number alone sees above whose it is, and confirms nothing under another name. */
import { useLayoutEffect } from 'preact/hooks';
import { addressFor, useCompany } from './use-company.ts';
import { useGo } from './use-go.ts';

/** `own`: whose it is, as soon as that is known. */
export function useItsCompany(address: string, own: string | null | undefined): void {
  const company = useCompany();
  const go = useGo();
  useLayoutEffect(() => {
    if (own != null && own !== company) go(addressFor(address, own), { replace: true });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the way is made anew in every render
  }, [address, own, company]);
}
