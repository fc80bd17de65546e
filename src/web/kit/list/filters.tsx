/** The filters of a list: the usual ones at once, further ones when they are asked for. */
import { Fragment, type JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ApiError } from '../../api/result.ts';
import type { FieldBinding } from '../../api/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { FilterBar } from '../../ui/page.tsx';
import { useFollowing } from '../../ui/use-following.ts';

export interface Filter {
  /** In the address. */
  readonly name: string;
  /** The API's parameter, where it is another one. */
  readonly asks?: string;
  readonly field: (bound: FieldBinding<string>) => JSX.Element;
  /** What people type, as the API takes it; blanks round it are gone by then. */
  readonly tidy?: (typed: string) => string;
  /** Seen only when it is asked for. */
  readonly further?: boolean;
}

/** By the names of the filters; '' asks nothing. */
export type FilterValues = Readonly<Record<string, string>>;

export const isFiltered = (values: FilterValues): boolean => Object.values(values).some((one) => one !== '');

/** Each as the API takes it, under its name in the address. */
export const tidied = (filters: readonly Filter[], values: FilterValues): FilterValues =>
  Object.fromEntries(
    filters.map(({ name, tidy = (text) => text }) => [name, tidy((values[name] ?? '').trim())]),
  );

/** What the API is asked. */
export function askedOf(filters: readonly Filter[], values: FilterValues): FilterValues {
  const tidy = tidied(filters, values);
  return Object.fromEntries(filters.map(({ name, asks = name }) => [asks, tidy[name] ?? '']));
}

export interface ListFiltersProps {
  readonly filters: readonly Filter[];
  /** Those of the address. */
  readonly values: FilterValues;
  /** What the server said of them. */
  readonly error: ApiError | undefined;
  readonly onFilter: (values: FilterValues) => void;
  /** Resolves when nothing that is typed is looked for any more. */
  readonly settled?: () => Promise<void>;
}

export function ListFilters({ filters, values, error, onFilter, settled }: ListFiltersProps): JSX.Element {
  // The address may change by itself: a link, the way back.
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
