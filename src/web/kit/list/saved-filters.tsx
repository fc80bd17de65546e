/** Filters of a list that the user saved under a name, stored in the browser. */
import { useState } from 'preact/hooks';
import { Actions, Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { instead } from '../../ui/form.tsx';
import { Menu } from '../../ui/menu.tsx';
import { isString, storedList, storeList } from '../../api/user-storage.ts';
import type { FilterValues } from './filters.tsx';

interface SavedFilter {
  readonly name: string;
  /** Filters with a value. */
  readonly values: FilterValues;
}

/** Maximum saved filters of a list. The oldest one is dropped. */
const FILTERS_MAX = 30;

export function SavedFilters(props: {
  /** Storage key of the list. */
  readonly list: string;
  readonly values: FilterValues;
  readonly onFilter: (values: FilterValues) => void;
}) {
  const { list, values, onFilter } = props;
  const [saved, setSaved] = useState(() => savedFilters(list));
  const [name, setName] = useState<string>();
  const store = (all: readonly SavedFilter[]): void => {
    storeList(PREFIX + list, all.slice(-FILTERS_MAX));
    setSaved(savedFilters(list));
  };
  const current = withoutEmpty(values);
  const same = saved.find((savedFilter) => isSame(savedFilter.values, current));
  const save = (): void => {
    const trimmedName = (name ?? '').trim();
    if (trimmedName === '') return;
    store([
      ...saved.filter((savedFilter) => savedFilter.name !== trimmedName),
      { name: trimmedName, values: current },
    ]);
    setName(undefined);
  };
  const isFiltered = Object.keys(current).length > 0;
  if (saved.length === 0 && !isFiltered) return null;
  return (
    <Actions>
      {saved.length > 0 && (
        <Menu
          label="Filtros guardados"
          actions={saved.map((savedFilter) => ({
            label: savedFilter.name,
            onPress: () => onFilter(savedFilter.values),
          }))}
        />
      )}
      {isFiltered &&
        (same === undefined ? (
          <Button kind="bare" onPress={() => setName('')}>
            Guardar filtro
          </Button>
        ) : (
          <Button kind="bare" onPress={() => store(saved.filter((savedFilter) => savedFilter !== same))}>
            Esquecer “{same.name}”
          </Button>
        ))}
      {name !== undefined && (
        <Dialog title="Guardar filtro" onClose={() => setName(undefined)}>
          <form class="stack" onSubmit={instead(save)}>
            <Input
              label="Nome do filtro"
              value={name}
              onChange={setName}
              help="Fica neste navegador. O mesmo nome substitui o filtro guardado com ele."
            />
            <Actions>
              <Button type="submit" kind="primary" disabled={name.trim() === ''}>
                Guardar
              </Button>
              <Button onPress={() => setName(undefined)}>Cancelar</Button>
            </Actions>
          </form>
        </Dialog>
      )}
    </Actions>
  );
}

const PREFIX = 'filters.';

const savedFilters = (list: string): readonly SavedFilter[] => storedList(PREFIX + list, isSavedFilter) ?? [];

const isSavedFilter = (value: unknown): value is SavedFilter => {
  const { name, values } = (value ?? {}) as Partial<SavedFilter>;
  return (
    isString(name) && typeof values === 'object' && values !== null && Object.values(values).every(isString)
  );
};

const withoutEmpty = (values: FilterValues): FilterValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

const isSame = (values: FilterValues, other: FilterValues): boolean =>
  Object.keys(values).length === Object.keys(other).length &&
  Object.entries(values).every(([name, value]) => other[name] === value);
