/** The filters of the journal. The address keeps them under the names of the API. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { LoggedRequest } from '../../api/answers.ts';
import { useFilters } from '../../api/use-filters.ts';
import { Button } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { Input } from '../../ui/field.tsx';
import { FilterBar } from '../../ui/page.tsx';
import { Select } from '../../ui/select.tsx';
import { useCopyOf } from '../../ui/use-copy-of.ts';
import { METHODS } from '../fault/rule.ts';

const NAMES = ['operation', 'status', 'method', 'path'] as const;
const NONE = { operation: '', status: '', method: '', path: '' };

export function JournalFilterBar({ rows }: { readonly rows: readonly LoggedRequest[] }): JSX.Element {
  const [filters, setFilters] = useFilters(NAMES);
  // Back and forward in the browser history also change the fields.
  const [typed, setTyped] = useCopyOf(filters);
  const update = (changes: Partial<typeof filters>): void =>
    setTyped((before) => ({ ...before, ...changes }));
  const operations = useMemo(
    () => [...new Set(rows.flatMap(({ operation }) => operation ?? []))].toSorted().map(optionOf),
    [rows],
  );
  const methods = useMemo(() => [...new Set([...METHODS, filters.method])].filter(Boolean), [filters.method]);
  return (
    <FilterBar onFilter={() => setFilters(typed)}>
      <Input label="Caminho" code value={typed.path} onChange={(path) => update({ path })} />
      <Combobox
        label="Operação"
        free
        value={typed.operation}
        options={operations}
        onChange={(operation) => update({ operation })}
      />
      <Select
        label="Método"
        value={typed.method}
        options={[{ value: '', label: 'Todos' }, ...methods.map(optionOf)]}
        onChange={(method) => update({ method })}
      />
      <Input
        label="Status"
        code
        inputMode="numeric"
        value={typed.status}
        onChange={(status) => update({ status })}
      />
      {Object.values(filters).some(Boolean) && (
        <Button kind="bare" onPress={() => setFilters(NONE)}>
          Limpar
        </Button>
      )}
    </FilterBar>
  );
}

const optionOf = (value: string) => ({ value, label: value });
