/** The columns of the list, and of the workbook that is made of it. */
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import { OPERATOR, OPERATOR_READING, type OperatorMember } from '../../catalogue/members/foreign-operator.ts';
import type { PagedForeignOperator } from '../api/answers.ts';
import { Situation } from '../ui/badge.tsx';
import type { ChoosableColumn } from '../ui/column-chooser.tsx';
import { countryName } from '../ui/countries.ts';
import { moment } from '../words.ts';
import { addressOf } from './operator.ts';

type Column = ChoosableColumn<PagedForeignOperator>;

export const COLUMNS: readonly Column[] = [
  column('codigo', 'always', 90, plain('codigo'), { code: true, orderBy: 'codigo' }),
  column('nome', 'always', undefined, withLink, { orderBy: 'nome' }),
  column('codigoPais', 'at first', 150, withCountry, { orderBy: 'codigoPais' }),
  column('tin', 'at first', 130, plain('tin'), { code: true }),
  column('codigoInterno', 'at first', 120, plain('codigoInterno'), { code: true }),
  column('versao', 'at first', 75, plain('versao'), { code: true }),
  column('situacao', 'at first', 130, ({ situacao }) => <Situation situacao={situacao} />),
  column('nomeCidade', undefined, 180, plain('nomeCidade')),
  column('email', undefined, 220, plain('email')),
  column('changedAt', undefined, 155, ({ changedAt }) => moment(changedAt), { orderBy: 'changedAt' }),
];

function column(
  key: OperatorMember,
  seen: Column['seen'],
  width: number | undefined,
  cell: Column['cell'],
  more: Pick<Column, 'code' | 'orderBy'> = {},
): Column {
  return {
    ...{ key, title: OPERATOR[key].heading, cell, ...more },
    ...(seen !== undefined && { seen }),
    ...(width !== undefined && { width }),
  };
}

function plain(name: 'codigo' | 'tin' | 'codigoInterno' | 'versao' | 'nomeCidade' | 'email'): Column['cell'] {
  return (operator) => <bdi>{operator[name] ?? '–'}</bdi>;
}

function withLink(operator: PagedForeignOperator): JSX.Element {
  return (
    <Link href={addressOf(operator)} title={operator.nome}>
      <bdi>{operator.nome}</bdi>
    </Link>
  );
}

function withCountry({ codigoPais }: PagedForeignOperator): JSX.Element {
  return (
    <span title={countryName(codigoPais)}>
      <code>{codigoPais}</code> {countryName(codigoPais)}
    </span>
  );
}

/** What is downloaded as a workbook. */
export const SHEET = OPERATOR_READING.map((name) => {
  const text = (operator: PagedForeignOperator): string | null =>
    name === 'changedAt'
      ? moment(operator.changedAt)
      : (operator[name as keyof PagedForeignOperator] as string | null);
  return [OPERATOR[name].heading, text] as const;
});
