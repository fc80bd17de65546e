/** Lists the operators that match the filters of the address, without a limit. */
import type { JSX } from 'preact';
import type { PagedForeignOperator } from '../api/answers.ts';
import { addressFor, useCompany } from '../api/use-company.ts';
import type { Filter } from '../kit/list/filters.tsx';
import { List } from '../kit/list/list.tsx';
import { NothingYet } from '../kit/list/nothing-yet.tsx';
import { useList } from '../kit/list/use-list.ts';
import { Combobox } from '../ui/combobox.tsx';
import { COUNTRIES } from '../ui/countries.ts';
import { Checkbox, Input } from '../ui/field.tsx';
import { COLUMNS } from './columns.tsx';
import { addressOf, OPERATOR_PAGES } from './operator.ts';

const FILTERS: readonly Filter[] = [
  {
    name: 'text',
    label: 'Palavras',
    field: (binding) => <Input type="search" placeholder="Nome, TIN ou código" {...binding} />,
  },
  { name: 'nome', label: 'Nome', field: (binding) => <Input {...binding} /> },
  {
    name: 'paisOrigem',
    label: 'País',
    field: (binding) => <Combobox placeholder="Sigla ou nome" options={COUNTRIES} {...binding} />,
  },
  { name: 'tin', label: 'TIN', field: (binding) => <Input code {...binding} /> },
  { name: 'codigo', label: 'Código', field: (binding) => <Input code placeholder="OPE_1" {...binding} /> },
  { name: 'codigoInterno', label: 'Código interno', field: (binding) => <Input code {...binding} /> },
  {
    name: 'exibirDesativados',
    label: 'Mostrar também os desativados',
    field: ({ label, value, onChange }) => (
      <Checkbox label={label} value={value === 'true'} onChange={(on) => onChange(on ? 'true' : '')} />
    ),
  },
];

const keyOf = ({ codigo }: PagedForeignOperator): string => codigo;

export function OperatorList({ canWrite }: { readonly canWrite: boolean }): JSX.Element {
  const company = useCompany();
  const baseQuery = { cpfCnpjRaiz: company };
  return (
    <List
      list={useList<PagedForeignOperator>({ path: OPERATOR_PAGES, baseQuery, filters: FILTERS, keyOf })}
      name="operadores"
      caption="Operadores estrangeiros"
      defaultOrder="codigo"
      downloads="choice"
      words={['operador', 'operadores', 'Nenhum operador']}
      columns={COLUMNS}
      openAt={addressOf}
      nothing={
        <NothingYet
          records="operadores estrangeiros neste catálogo"
          company={company}
          firstStep={
            canWrite ? ['um operador novo', `${addressFor('/operadores', company)}&novo=1`] : undefined
          }
        />
      }
    />
  );
}
