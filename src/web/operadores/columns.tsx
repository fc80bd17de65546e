/** The columns of the list; on the sheet they are the same, as texts, and some more. */
import { Link } from 'wouter-preact';
import type { PagedForeignOperator } from '../api/answers.ts';
import { Situation } from '../ui/badge.tsx';
import { countryName } from '../ui/countries.ts';
import type { ChoosableColumn } from '../ui/column-chooser.tsx';
import { moment } from '../words.ts';
import { addressOf, MEMBERS } from './operator.ts';

export const COLUMNS: readonly ChoosableColumn<PagedForeignOperator>[] = [
  {
    ...{ key: 'codigo', title: 'Código', width: 90, code: true, seen: 'always', orderBy: 'codigo' },
    cell: ({ codigo }) => codigo,
  },
  {
    ...{ key: 'nome', title: 'Nome', seen: 'always', orderBy: 'nome' },
    cell: (operator) => (
      <Link href={addressOf(operator)} title={operator.nome}>
        <bdi>{operator.nome}</bdi>
      </Link>
    ),
  },
  {
    ...{ key: 'codigoPais', title: 'País', width: 150, seen: 'at first', orderBy: 'codigoPais' },
    cell: ({ codigoPais }) => (
      <span title={countryName(codigoPais)}>
        <code>{codigoPais}</code> {countryName(codigoPais)}
      </span>
    ),
  },
  {
    ...{ key: 'tin', title: 'TIN', width: 130, code: true, seen: 'at first' },
    cell: ({ tin }) => <bdi>{tin ?? '–'}</bdi>,
  },
  {
    ...{ key: 'codigoInterno', title: 'Código interno', width: 120, code: true, seen: 'at first' },
    cell: ({ codigoInterno }) => <bdi>{codigoInterno ?? '–'}</bdi>,
  },
  {
    ...{ key: 'versao', title: 'Versão', width: 75, code: true, seen: 'at first' },
    cell: ({ versao }) => versao,
  },
  {
    ...{ key: 'situacao', title: 'Situação', width: 130, seen: 'at first' },
    cell: ({ situacao }) => <Situation situacao={situacao} />,
  },
  {
    ...{ key: 'nomeCidade', title: MEMBERS.nomeCidade, width: 180 },
    cell: ({ nomeCidade }) => <bdi>{nomeCidade}</bdi>,
  },
  { key: 'email', title: MEMBERS.email, width: 220, cell: ({ email }) => <bdi>{email ?? '–'}</bdi> },
  {
    ...{ key: 'changedAt', title: 'Última alteração', width: 155, orderBy: 'changedAt' },
    cell: ({ changedAt }) => moment(changedAt),
  },
];

type SheetColumn = readonly [title: string, text: (operator: PagedForeignOperator) => string | null];

/** What is downloaded. */
export const SHEET: readonly SheetColumn[] = [
  ['Código', ({ codigo }) => codigo],
  ['Versão', ({ versao }) => versao],
  ['Situação', ({ situacao }) => situacao],
  [MEMBERS.nome, ({ nome }) => nome],
  [MEMBERS.codigoPais, ({ codigoPais }) => codigoPais],
  [MEMBERS.logradouro, ({ logradouro }) => logradouro],
  [MEMBERS.nomeCidade, ({ nomeCidade }) => nomeCidade],
  [MEMBERS.codigoSubdivisaoPais, ({ codigoSubdivisaoPais }) => codigoSubdivisaoPais],
  [MEMBERS.cep, ({ cep }) => cep],
  [MEMBERS.tin, ({ tin }) => tin],
  [MEMBERS.codigoInterno, ({ codigoInterno }) => codigoInterno],
  [MEMBERS.email, ({ email }) => email],
  ['Última alteração', ({ changedAt }) => moment(changedAt)],
];
