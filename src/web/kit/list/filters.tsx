/** Filters of a list: the usual ones immediately, further ones on request. */
import { Fragment, type JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ApiError } from '../../api/result.ts';
import type { FieldBinding } from '../../api/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { FilterBar } from '../../ui/page.tsx';
import { useFollowing } from '../../ui/use-following.ts';

export interface Filter {
  /** Name in the address. */
  readonly name: string;
  /** API parameter, if its name differs. */
  readonly asks?: string;
  readonly field: (bound: FieldBinding<string>) => JSX.Element;
  /** Converts typed text to API form. The text is already trimmed. */
  readonly tidy?: (typed: string) => string;
  /** True if it is initially hidden. */
  readonly further?: boolean;
}

/** Values by filter name; '' means no filter. */
export type FilterValues = Readonly<Record<string, string>>;

export const isFiltered = (values: FilterValues): boolean => Object.values(values).some((one) => one !== '');

/** Returns the values in API form, under their names in the address. */
export const tidied = (filters: readonly Filter[], values: FilterValues): FilterValues =>
  Object.fromEntries(
    filters.map(({ name, tidy = (text) => text }) => [name, tidy((values[name] ?? '').trim())]),
  );

/** Returns the API query of the filters. */
export function askedOf(filters: readonly Filter[], values: FilterValues): FilterValues {
  const tidy = tidied(filters, values);
  return Object.fromEntries(filters.map(({ name, asks = name }) => [asks, tidy[name] ?? '']));
}

export interface ListFiltersProps {
  readonly filters: readonly Filter[];
  /** Values in the address. */
  readonly values: FilterValues;
  /** Error of the server, with problems of filters. */
  readonly error: ApiError | undefined;
  readonly onFilter: (values: FilterValues) => void;
  /** Resolves when no search for typed text is pending. */
  readonly settled?: () => Promise<void>;
}

export function ListFilters({ filters, values, error, onFilter, settled }: ListFiltersProps): JSX.Element {
  // The address may change without this form: a link, the back button.
  const [typed, setTyped] = useFollowing(tidied(filters, values));
  const hasFurther = filters.some(({ further }) => further);
  const [isOpen, setOpen] = useFollowing(filters.some((one) => one.further && values[one.name] !== ''));
  const typedRef = useRef(typed);
  useLayoutEffect(() => {
    typedRef.current = typed;
  });
  const apply = (): void => onFilter(tidied(filters, typedRef.current));
  return (
    <FilterBar onFilter={() => (settled === undefined ? apply() : void settled().then(apply))}>
      {filters
        .filter(({ further }) => isOpen || !further)
        .map(({ name, asks = name, field }) => (
          <Fragment key={name}>
            {field({
              name,
              value: typed[name] ?? '',
              onChange: (value) => setTyped((before) => ({ ...before, [name]: value })),
              error: error?.problems.find(({ place }) => place === asks)?.message,
            })}
          </Fragment>
        ))}
      {(hasFurther || isFiltered(values)) && (
        <div class={`actions${hasFurther ? ' filter-rest' : ''}`}>
          {hasFurther && (
            <Button kind="bare" expanded={isOpen} onPress={() => setOpen(!isOpen)}>
              {isOpen ? 'Menos filtros' : 'Mais filtros'}
            </Button>
          )}
          {isFiltered(values) && (
            <Button kind="bare" onPress={() => onFilter(tidied(filters, {}))}>
              Limpar filtros
            </Button>
          )}
        </div>
      )}
    </FilterBar>
  );
}
