/** Writes the links in force as a table to download (contract section 24). */
import type { Db } from '../../db/open.ts';
import {
  type TableColumn,
  type TableRead,
  requestedColumns,
  tableTexts,
  dayCell,
  yesOrNo,
} from '../../sheet/table.ts';
import { type LinkPageFilter, type PagedLink, iterateLinkPage } from './page-list-query.ts';

export type LinkTableRead = TableRead<'linkTable', LinkPageFilter>;

export const LINK_COLUMNS: readonly TableColumn<PagedLink>[] = [
  { target: 'codigoProduto', heading: 'Código do produto', cell: ({ codigoProduto }) => codigoProduto },
  { target: 'denominacao', heading: 'Denominação', cell: ({ denominacao }) => denominacao },
  { target: 'conhecido', heading: 'Conhecido', cell: ({ conhecido }) => yesOrNo(conhecido) },
  { target: 'codigoPais', heading: 'País', cell: ({ codigoPais }) => codigoPais },
  {
    target: 'codigoOperadorEstrangeiro',
    heading: 'Operador estrangeiro',
    cell: ({ codigoOperadorEstrangeiro }) => codigoOperadorEstrangeiro,
  },
  { target: 'nome', heading: 'Nome do operador', cell: ({ nome }) => nome },
  {
    target: 'cpfCnpjFabricante',
    heading: 'CPF/CNPJ do fabricante',
    cell: ({ cpfCnpjFabricante }) => cpfCnpjFabricante,
  },
  { target: 'startsOn', heading: 'Desde', cell: ({ startsOn }) => dayCell(startsOn) },
];

export const linkTableTexts = (db: Db, { filter, columns, format }: LinkTableRead) =>
  tableTexts(format, requestedColumns(LINK_COLUMNS, columns), iterateLinkPage(db, filter));
