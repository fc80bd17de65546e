/**
 * Switches to the company of a record that was opened by its number alone, so that header and confirmations
 * show the right company.
 */
import { useLayoutEffect } from 'preact/hooks';
import { addressFor, useCompany } from './use-company.ts';
import { useGo } from './use-go.ts';

/** `own`: company of the record, once it is loaded. */
export function useCompanyOfRecord(address: string, recordCompany: string | null | undefined): void {
  const company = useCompany();
  const go = useGo();
  useLayoutEffect(() => {
    if (recordCompany != null && recordCompany !== company)
      go(addressFor(address, recordCompany), { replace: true });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `go` is created again in each render
  }, [address, recordCompany, company]);
}
