/** Lists the operators that match the filters of the address, without a limit. */
import { Link } from 'wouter-preact';
import { OPERATOR } from '../../catalogue/members/foreign-operator.ts';
import type { PagedForeignOperator } from '../api/answers.ts';
import { addressFor, useCompany } from '../api/use-company.ts';
import type { Filter } from '../kit/list/filters.tsx';
import { List } from '../kit/list/list.tsx';
import { NothingYet } from '../kit/list/nothing-yet.tsx';
import { useList } from '../kit/list/use-list.ts';
import { Combobox } from '../ui/combobox.tsx';
import { COUNTRIES, countryName } from '../ui/countries.ts';
import { Checkbox, Input } from '../ui/field.tsx';
import type { ListColumn } from '../kit/list/column-chooser.tsx';
import { memberColumnOf } from '../kit/list/member-column.tsx';
import { Situation } from '../ui/badge.tsx';
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

export function OperatorList({ canWrite }: { readonly canWrite: boolean }) {
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

const member = memberColumnOf(OPERATOR);

/** Columns of the list of operators. */
const COLUMNS: readonly ListColumn<PagedForeignOperator>[] = [
  member('codigo', 90, { visibility: 'always', orderBy: 'codigo' }),
  {
    key: 'nome',
    title: OPERATOR.nome.heading,
    visibility: 'always',
    orderBy: 'nome',
    cell: (operator) => (
      <Link href={addressOf(operator)} title={operator.nome}>
        <bdi>{operator.nome}</bdi>
      </Link>
    ),
  },
  {
    ...member('codigoPais', 150, { visibility: 'at first', orderBy: 'codigoPais' }),
    code: false,
    cell: ({ codigoPais }) => (
      <span title={countryName(codigoPais)}>
        <code>{codigoPais}</code> {countryName(codigoPais)}
      </span>
    ),
  },
  member('tin', 130, { visibility: 'at first' }),
  member('codigoInterno', 120, { visibility: 'at first' }),
  member('versao', 75, { visibility: 'at first' }),
  {
    ...member('situacao', 130, { visibility: 'at first' }),
    cell: ({ situacao }) => <Situation situacao={situacao} />,
  },
  member('nomeCidade', 180),
  member('email', 220),
  member('changedAt', 155, { orderBy: 'changedAt' }),
];
