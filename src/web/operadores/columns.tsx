/** The columns of the list; on the sheet they are the same, as texts, and some more. */
import { Link } from 'wouter-preact';
import { Situation } from '../ui/badge.tsx';
import { countryName } from '../ui/countries.ts';
import type { Column } from '../ui/table.tsx';
import { moment } from '../words.ts';
import { addressOf, type ListedOperator, MEMBERS } from './model.ts';

export const COLUMNS: readonly Column<ListedOperator>[] = [
  { key: 'codigo', title: 'Código', width: 90, code: true, cell: ({ codigo }) => codigo },
  {
    ...{ key: 'nome', title: 'Nome' },
    cell: (operator) => (
      <Link href={addressOf(operator)} title={operator.nome}>
        <bdi>{operator.nome}</bdi>
      </Link>
    ),
  },
  {
    ...{ key: 'codigoPais', title: 'País', width: 160 },
    cell: ({ codigoPais }) => (
      <span title={countryName(codigoPais)}>
        <code>{codigoPais}</code> {countryName(codigoPais)}
      </span>
    ),
  },
  { key: 'tin', title: 'TIN', width: 130, code: true, cell: ({ tin }) => <bdi>{tin ?? '–'}</bdi> },
  {
    ...{ key: 'codigoInterno', title: 'Código interno', width: 130, code: true },
    cell: ({ codigoInterno }) => <bdi>{codigoInterno ?? '–'}</bdi>,
  },
  { key: 'versao', title: 'Versão', width: 70, code: true, cell: ({ versao }) => versao },
  {
    ...{ key: 'situacao', title: 'Situação', width: 130 },
    cell: ({ situacao }) => <Situation situacao={situacao} />,
  },
];

type SheetColumn = readonly [title: string, text: (operator: ListedOperator) => string | null];

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
