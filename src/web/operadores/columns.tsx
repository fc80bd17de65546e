/** Columns of the list of operators. */
import { Link } from 'wouter-preact';
import { OPERATOR } from '../../catalogue/members/foreign-operator.ts';
import type { PagedForeignOperator } from '../api/answers.ts';
import type { ListColumn } from '../kit/list/column-chooser.tsx';
import { memberColumnOf } from '../kit/list/member-column.tsx';
import { Situation } from '../ui/badge.tsx';
import { countryName } from '../ui/countries.ts';
import { addressOf } from './operator.ts';

const member = memberColumnOf(OPERATOR);

export const COLUMNS: readonly ListColumn<PagedForeignOperator>[] = [
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
