/** The filters of the list: the usual ones at once, the others when they are asked for. */
import type { JSX } from 'preact';
import type { ApiError } from '../api/result.ts';
import { Button } from '../ui/button.tsx';
import { DayInput } from '../ui/day-input.tsx';
import { Input } from '../ui/field.tsx';
import { FilterBar } from '../ui/page.tsx';
import { Select } from '../ui/select.tsx';
import { useFollowing } from '../ui/use-following.ts';
import {
  type FilterName,
  FURTHER,
  isFiltered,
  NO_FILTERS,
  type ProductFilters,
  SITUACOES,
  situacaoNumber,
  tidied,
} from './filter.ts';
import { MODALIDADES } from './product.ts';

const ANY = { value: '', label: 'Qualquer' } as const;
const MODALIDADE_OPTIONS = [ANY, ...Object.entries(MODALIDADES).map(([value, label]) => ({ value, label }))];

export interface ProductFiltersProps {
  /** Those of the address. */
  readonly filters: ProductFilters;
  readonly onFilter: (filters: ProductFilters) => void;
  /** What the server said of them. */
  readonly error: ApiError | undefined;
}

export function ProductFilterBar({ filters, onFilter, error }: ProductFiltersProps): JSX.Element {
  // The address may change by itself: a link, the way back.
  const [typed, setTyped] = useFollowing({ ...filters, situacao: situacaoNumber(filters.situacao) });
  const [isOpen, setOpen] = useFollowing(FURTHER.some((name) => filters[name] !== ''));
  const bound = (name: FilterName) => ({
    name,
    value: typed[name],
    onChange: (value: string) => setTyped((before) => ({ ...before, [name]: value })),
    error: error?.problems.find(({ place }) => place === PLACES[name])?.message,
  });
  return (
    <FilterBar onFilter={() => onFilter(tidied(typed))}>
      <Input label="Denominação" {...bound('denominacao')} />
      <Input label="Descrição" {...bound('descricao')} />
      <Input label="NCM" code inputMode="numeric" placeholder="8 dígitos" {...bound('ncm')} />
      <Select label="Modalidade" options={MODALIDADE_OPTIONS} {...bound('modalidade')} />
      <Input label="Códigos internos" code {...bound('codigoInterno')} />
      <DayInput label="Como estava em" {...bound('dataReferencia')} />
      {isOpen && (
        <>
          <Select label="Situação" options={[ANY, ...SITUACOES]} {...bound('situacao')} />
          <Input label="Código" code inputMode="numeric" {...bound('codigo')} />
          <Input label="País de origem" code placeholder="Sigla: CN" {...bound('paisOrigem')} />
          <Input label="Fabricante" code placeholder="CPF ou CNPJ" {...bound('cpfCnpjFabricante')} />
          <Input label="Operador" code placeholder="Código ou TIN" {...bound('operadorEstrangeiroCodigo')} />
          <DayInput label="Registrado de" {...bound('periodoRegistroInicio')} />
          <DayInput label="Registrado até" {...bound('periodoRegistroFim')} />
          <DayInput label="Alterado de" {...bound('ultimaAlteracaoInicio')} />
          <DayInput label="Alterado até" {...bound('ultimaAlteracaoFim')} />
        </>
      )}
      <div class="actions products-filter-rest">
        <Button kind="bare" expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          {isOpen ? 'Menos filtros' : 'Mais filtros'}
        </Button>
        {isFiltered(filters) && (
          <Button kind="bare" onPress={() => onFilter(NO_FILTERS)}>
            Limpar filtros
          </Button>
        )}
      </div>
    </FilterBar>
  );
}

/** Where the server says that a problem stands: the name of the parameter that it was asked by. */
const PLACES: Readonly<Record<FilterName, string>> = {
  ...(Object.fromEntries(Object.keys(NO_FILTERS).map((name) => [name, name])) as Record<FilterName, string>),
  codigoInterno: 'internalCode',
};
