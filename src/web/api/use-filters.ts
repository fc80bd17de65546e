/**
 * Filters in the address, under the parameter names of the API (contract section 17): a link reproduces the
 * view.
 */
import { useLocation, useSearch } from 'wouter-preact';

export type Filters<Name extends string> = Readonly<Record<Name, string>>;

export interface ChangeOptions {
  /** Replaces the history entry: a change per key must not become a step of the back button. */
  readonly replace?: boolean;
}

/**
 * Returns the filters and a function that changes them. Absent filters are ''; '' removes one. A change keeps
 * the company and the other filters of the current address. It does nothing on another page: a response may
 * arrive after the page was left.
 */
export function useFilters<Name extends string>(
  names: readonly Name[],
): readonly [Filters<Name>, (changes: Partial<Filters<Name>>, options?: ChangeOptions) => void] {
  const [, navigate] = useLocation();
  const parameters = new URLSearchParams(useSearch());
  const { pathname } = location;
  const filters = Object.fromEntries(
    names.map((name) => [name, parameters.get(name) ?? '']),
  ) as Filters<Name>;
  const change = (changes: Partial<Filters<Name>>, options: ChangeOptions = {}): void => {
    if (location.pathname !== pathname) return;
    const parametersAfter = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries<string | undefined>(changes))
      if (value === undefined || value === '') parametersAfter.delete(name);
      else parametersAfter.set(name, value);
    navigate(parametersAfter.size === 0 ? pathname : `?${parametersAfter}`, options);
  };
  return [filters, change];
}
