/** Filters stand in the address, under the API's parameter names (contract section 17): a link reproduces what is shown. */
import { useSearchParams } from 'wouter-preact';

export type Filters<Name extends string> = Readonly<Record<Name, string>>;

/** Absent ones are ''. Changing some leaves the others, and the company, as they are; '' takes one away. */
export function useFilters<Name extends string>(
  names: readonly Name[],
): readonly [Filters<Name>, (changed: Partial<Filters<Name>>) => void] {
  const [parameters, setParameters] = useSearchParams();
  const filters = Object.fromEntries(
    names.map((name) => [name, parameters.get(name) ?? '']),
  ) as Filters<Name>;
  const change = (changed: Partial<Filters<Name>>): void =>
    setParameters((before) => {
      const after = new URLSearchParams(before);
      for (const [name, value] of Object.entries<string | undefined>(changed))
        if (value === undefined || value === '') after.delete(name);
        else after.set(name, value);
      return after;
    });
  return [filters, change];
}
