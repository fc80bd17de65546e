/** Which requests are shown; under the API's names in the address. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useFilters } from '../../api/use-filters.ts';
import { Button } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { Input } from '../../ui/field.tsx';
import { FilterBar } from '../../ui/page.tsx';
import { Select } from '../../ui/select.tsx';
import { METHODS } from '../fault/rule.ts';
import type { LoggedRequest } from '../model.ts';

const NAMES = ['operation', 'status', 'method', 'path'] as const;
const NONE = { operation: '', status: '', method: '', path: '' };

export function JournalFilterBar({ rows }: { readonly rows: readonly LoggedRequest[] }): JSX.Element {
  const [filters, setFilters] = useFilters(NAMES);
  const [typed, setTyped] = useState(filters);
  const address = Object.values(filters).join('\n');
  // Going back in the history changes the fields, too.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- `filters` is made anew in every render; `address` is what it says
  useEffect(() => setTyped(filters), [address]);
  const operations = useMemo(
    () => [...new Set(rows.flatMap(({ operation }) => operation ?? []))].toSorted().map(optionOf),
    [rows],
  );
  const methods = useMemo(() => [...new Set([...METHODS, filters.method])].filter(Boolean), [filters.method]);
  return (
    <FilterBar onFilter={() => setFilters(typed)}>
      <Input label="Caminho" code value={typed.path} onChange={(path) => setTyped({ ...typed, path })} />
      <Combobox
        label="Operação"
        free
        value={typed.operation}
        options={operations}
        onChange={(operation) => setTyped({ ...typed, operation })}
      />
      <Select
        label="Método"
        value={typed.method}
        options={[{ value: '', label: 'Todos' }, ...methods.map(optionOf)]}
        onChange={(method) => setTyped({ ...typed, method })}
      />
      <Input
        label="Status"
        code
        inputMode="numeric"
        value={typed.status}
        onChange={(status) => setTyped({ ...typed, status })}
      />
      {address.trim() !== '' && (
        <Button kind="bare" onPress={() => setFilters(NONE)}>
          Limpar
        </Button>
      )}
    </FilterBar>
  );
}

const optionOf = (value: string) => ({ value, label: value });
