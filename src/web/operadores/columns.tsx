/** The columns of the list; on the sheet they are the same, as texts, and some more. */
import { Link } from 'wouter-preact';
import type { PagedForeignOperator } from '../api/answers.ts';
import { Situation } from '../ui/badge.tsx';
import { countryName } from '../ui/countries.ts';
import type { ChoosableColumn } from '../ui/column-chooser.tsx';
import { moment } from '../words.ts';
import { OPERATOR } from '../../catalogue/members/foreign-operator.ts';
import { addressOf } from './operator.ts';

export const COLUMNS: readonly ChoosableColumn<PagedForeignOperator>[] = [
  {
    ...{
      key: 'codigo',
      title: OPERATOR.codigo.heading,
      width: 90,
      code: true,
      seen: 'always',
      orderBy: 'codigo',
    },
    cell: ({ codigo }) => codigo,
  },
  {
    ...{ key: 'nome', title: OPERATOR.nome.heading, seen: 'always', orderBy: 'nome' },
    cell: (operator) => (
      <Link href={addressOf(operator)} title={operator.nome}>
        <bdi>{operator.nome}</bdi>
      </Link>
    ),
  },
  {
    ...{
      key: 'codigoPais',
      title: OPERATOR.codigoPais.heading,
      width: 150,
      seen: 'at first',
      orderBy: 'codigoPais',
    },
    cell: ({ codigoPais }) => (
      <span title={countryName(codigoPais)}>
        <code>{codigoPais}</code> {countryName(codigoPais)}
      </span>
    ),
  },
  {
    ...{ key: 'tin', title: OPERATOR.tin.heading, width: 130, code: true, seen: 'at first' },
    cell: ({ tin }) => <bdi>{tin ?? '–'}</bdi>,
  },
  {
    ...{
      key: 'codigoInterno',
      title: OPERATOR.codigoInterno.heading,
      width: 120,
      code: true,
      seen: 'at first',
    },
    cell: ({ codigoInterno }) => <bdi>{codigoInterno ?? '–'}</bdi>,
  },
  {
    ...{ key: 'versao', title: OPERATOR.versao.heading, width: 75, code: true, seen: 'at first' },
    cell: ({ versao }) => versao,
  },
  {
    ...{ key: 'situacao', title: OPERATOR.situacao.heading, width: 130, seen: 'at first' },
    cell: ({ situacao }) => <Situation situacao={situacao} />,
  },
  {
    ...{ key: 'nomeCidade', title: OPERATOR.nomeCidade.heading, width: 180 },
    cell: ({ nomeCidade }) => <bdi>{nomeCidade}</bdi>,
  },
  { key: 'email', title: OPERATOR.email.heading, width: 220, cell: ({ email }) => <bdi>{email ?? '–'}</bdi> },
  {
    ...{ key: 'changedAt', title: OPERATOR.changedAt.heading, width: 155, orderBy: 'changedAt' },
    cell: ({ changedAt }) => moment(changedAt),
  },
];

type SheetColumn = readonly [title: string, text: (operator: PagedForeignOperator) => string | null];

/** What is downloaded. */
export const SHEET: readonly SheetColumn[] = [
  [OPERATOR.codigo.heading, ({ codigo }) => codigo],
  [OPERATOR.versao.heading, ({ versao }) => versao],
  [OPERATOR.situacao.heading, ({ situacao }) => situacao],
  [OPERATOR.nome.heading, ({ nome }) => nome],
  [OPERATOR.codigoPais.heading, ({ codigoPais }) => codigoPais],
  [OPERATOR.logradouro.heading, ({ logradouro }) => logradouro],
  [OPERATOR.nomeCidade.heading, ({ nomeCidade }) => nomeCidade],
  [OPERATOR.codigoSubdivisaoPais.heading, ({ codigoSubdivisaoPais }) => codigoSubdivisaoPais],
  [OPERATOR.cep.heading, ({ cep }) => cep],
  [OPERATOR.tin.heading, ({ tin }) => tin],
  [OPERATOR.codigoInterno.heading, ({ codigoInterno }) => codigoInterno],
  [OPERATOR.email.heading, ({ email }) => email],
  [OPERATOR.changedAt.heading, ({ changedAt }) => moment(changedAt)],
];
