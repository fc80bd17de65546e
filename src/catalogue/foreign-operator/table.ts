/** Operators as a table to download (contract section 24). */
import type { Db } from '../../db/open.ts';
import { type TableColumn, type TableRead, chosenOf, csvTexts, momentCell } from '../../sheet/table.ts';
import type { Order } from '../paging/model.ts';
import { SITUACAO_WORDS } from '../members/member.ts';
import { versionText } from '../version.ts';
import type { OperatorFilter } from './filter.ts';
import type { OperatorOrder } from './model.ts';
import { type PagedOperator, operatorsInOrder } from './page-list-query.ts';

export interface OperatorTableRead extends TableRead<'operatorTable', OperatorFilter> {
  readonly order: Order<OperatorOrder>;
}

export const OPERATOR_COLUMNS: readonly TableColumn<PagedOperator>[] = [
  { target: 'codigo', heading: 'Código', cell: ({ codigo }) => codigo },
  { target: 'versao', heading: 'Versão', cell: versionText },
  { target: 'situacao', heading: 'Situação', cell: ({ situacao }) => SITUACAO_WORDS[situacao] },
  { target: 'nome', heading: 'Nome', cell: ({ nome }) => nome },
  { target: 'codigoPais', heading: 'País', cell: ({ codigoPais }) => codigoPais },
  { target: 'logradouro', heading: 'Logradouro', cell: ({ logradouro }) => logradouro },
  { target: 'nomeCidade', heading: 'Cidade', cell: ({ nomeCidade }) => nomeCidade },
  {
    ...{ target: 'codigoSubdivisaoPais', heading: 'Subdivisão (ISO 3166-2)' },
    cell: ({ codigoSubdivisaoPais }) => codigoSubdivisaoPais,
  },
  { target: 'cep', heading: 'CEP', cell: ({ cep }) => cep },
  { target: 'tin', heading: 'TIN', cell: ({ tin }) => tin },
  { target: 'codigoInterno', heading: 'Código interno', cell: ({ codigoInterno }) => codigoInterno },
  { target: 'email', heading: 'E-mail', cell: ({ email }) => email },
  { target: 'changedAt', heading: 'Última alteração', cell: ({ changedAt }) => momentCell(changedAt) },
];

export const operatorTableTexts = (db: Db, { filter, order, columns }: OperatorTableRead) =>
  csvTexts(chosenOf(OPERATOR_COLUMNS, columns), operatorsInOrder(db, filter, order));
