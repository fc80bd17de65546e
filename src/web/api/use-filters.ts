/** Filters stand in the address, under the API's parameter names (contract section 17): a link reproduces what is shown. */
import { useLocation, useSearch } from 'wouter-preact';

export type Filters<Name extends string> = Readonly<Record<Name, string>>;

export interface ChangeOptions {
  /** In the place of the address before: what changes with each key is no step of the way back. */
  readonly replace?: boolean;
}

/**
 * Absent ones are ''. Changing some leaves the others, and the company, as they are; '' takes one away. The others are those
 * that the address has by then, and of another page it changes none: an answer may come after the page was left.
 */
export function useFilters<Name extends string>(
  names: readonly Name[],
): readonly [Filters<Name>, (changed: Partial<Filters<Name>>, options?: ChangeOptions) => void] {
  const [, navigate] = useLocation();
  const parameters = new URLSearchParams(useSearch());
  const { pathname } = location;
  const filters = Object.fromEntries(
    names.map((name) => [name, parameters.get(name) ?? '']),
  ) as Filters<Name>;
  const change = (changed: Partial<Filters<Name>>, options: ChangeOptions = {}): void => {
    if (location.pathname !== pathname) return;
    const after = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries<string | undefined>(changed))
      if (value === undefined || value === '') after.delete(name);
      else after.set(name, value);
    navigate(after.size === 0 ? pathname : `?${after}`, options);
  };
  return [filters, change];
}
