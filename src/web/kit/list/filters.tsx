/** Filters of a list: the usual ones are visible, and the user adds others. */
import { Fragment, type JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { searchesDone } from '../../api/pending-searches.ts';
import type { ApiError } from '../../api/result.ts';
import type { FieldBinding } from '../../api/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { FilterBar } from '../../ui/page.tsx';
import { fieldsIn, useFocusAdded } from '../../ui/use-focus-added.ts';
import { useCopyOf } from '../../ui/use-copy-of.ts';

export interface Filter {
  /** Name in the address. */
  readonly name: string;
  /** API parameter, if its name differs. */
  readonly parameter?: string;
  readonly label: string;
  readonly field: (bound: FilterBinding) => JSX.Element;
  /** Converts typed text to API form. The text is already trimmed. */
  readonly normalize?: (typedText: string) => string;
  /** `added`: the user adds it. `hidden`: only an address does. Both are visible while they have a value. */
  readonly offer?: 'added' | 'hidden';
}

export interface FilterBinding extends FieldBinding<string> {
  readonly label: string;
}

/** Values by filter name; '' means no filter. */
export type FilterValues = Readonly<Record<string, string>>;

export const isFiltered = (values: FilterValues): boolean =>
  Object.values(values).some((value) => value !== '');

/** Returns the values in API form, under their names in the address. */
export const normalized = (filters: readonly Filter[], values: FilterValues): FilterValues =>
  Object.fromEntries(
    filters.map(({ name, normalize = (text) => text }) => [name, normalize((values[name] ?? '').trim())]),
  );

/** Returns the API query of the filters. */
export function apiQueryOf(filters: readonly Filter[], values: FilterValues): FilterValues {
  const normalize = normalized(filters, values);
  return Object.fromEntries(filters.map(({ name, parameter = name }) => [parameter, normalize[name] ?? '']));
}

export interface ListFiltersProps {
  readonly filters: readonly Filter[];
  /** Values in the address. */
  readonly values: FilterValues;
  /** Error of the server, with problems of filters. */
  readonly error: ApiError | undefined;
  readonly onFilter: (values: FilterValues) => void;
}

export function ListFilters({ filters, values, error, onFilter }: ListFiltersProps) {
  // The address may change without this form: a link, the back button.
  const [typedValues, setTypedValues] = useCopyOf(normalized(filters, values));
  const optional = filters.filter(({ offer }) => offer !== undefined);
  const [added, setAdded] = useCopyOf(
    optional.map(({ name }) => name).filter((name) => (values[name] ?? '') !== ''),
  );
  const id = useId();
  const newestRef = useRef<HTMLDivElement>(null);
  const focusNewest = useFocusAdded(added.length, () => fieldsIn(newestRef.current)[0]);
  const typedValuesRef = useRef(typedValues);
  useLayoutEffect(() => {
    typedValuesRef.current = typedValues;
  });
  const add = (name: string): void => {
    focusNewest();
    setAdded((before) => [...before, name]);
  };
  const remove = (name: string): void => {
    if ((values[name] ?? '') !== '')
      return onFilter({ ...normalized(filters, typedValuesRef.current), [name]: '' });
    setAdded((before) => before.filter((addedName) => addedName !== name));
    setTypedValues((before) => ({ ...before, [name]: '' }));
  };
  const fieldOf = ({ name, label, parameter = name, field }: Filter) =>
    field({
      name,
      label,
      value: typedValues[name] ?? '',
      onChange: (value) => setTypedValues((before) => ({ ...before, [name]: value })),
      error: error?.problems.find(({ place }) => place === parameter)?.message,
    });
  const offered = optional.filter(({ name, offer }) => offer === 'added' && !added.includes(name));
  const apply = (): void => onFilter(normalized(filters, typedValuesRef.current));
  return (
    <FilterBar
      onFilter={() => void searchesDone().then(apply)}
      after={
        (offered.length > 0 || isFiltered(values)) && (
          <div class="actions">
            {offered.length > 0 && (
              <Menu
                label="Adicionar filtro"
                icon="plus"
                actions={offered.map(({ name, label }) => ({ label, onPress: () => add(name) }))}
              />
            )}
            {isFiltered(values) && (
              <Button kind="bare" onPress={() => onFilter(normalized(filters, {}))}>
                Limpar filtros
              </Button>
            )}
          </div>
        )
      }
    >
      {filters
        .filter(({ offer }) => offer === undefined)
        .map((filter) => (
          <Fragment key={filter.name}>{fieldOf(filter)}</Fragment>
        ))}
      {optional
        .filter(({ name }) => added.includes(name))
        .toSorted((a, b) => added.indexOf(a.name) - added.indexOf(b.name))
        .map((filter) => (
          <div class="filter-chip" key={filter.name} ref={newestRef}>
            {fieldOf(filter)}
            <span id={`${id}-${filter.name}`} hidden>
              {filter.label}
            </span>
            <Button
              kind="bare"
              small
              icon="cross"
              label="Tirar o filtro"
              describedBy={`${id}-${filter.name}`}
              onPress={() => remove(filter.name)}
            >
              {''}
            </Button>
          </div>
        ))}
    </FilterBar>
  );
}
