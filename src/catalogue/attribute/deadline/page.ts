/** Reads deadlines in a Worker: one page, or all rows as a table to download. */
import type { Db } from '../../../db/open.ts';
import { ncmWordsOn } from '../../../nomenclature/column.ts';
import { NCM_WORDS } from '../../members/ncm-words.ts';
import { resultText } from '../../../reading/stream.ts';
import {
  type TableColumn,
  type TableRead,
  requestedColumns,
  dayCell,
  tableTexts,
  yesOrNo,
} from '../../../sheet/table.ts';
import { PRODUCT } from '../../members/product.ts';
import { cursorOf } from '../../paging/cursor.ts';
import type { PageRequest } from '../../paging/model.ts';
import { deadlinesOf, orderKey } from './deadlines.ts';
import type { Deadline, DeadlineFilter, ListedCompany } from './model.ts';

export interface DeadlinesRead {
  readonly kind: 'deadlines';
  readonly filter: DeadlineFilter;
  readonly page: PageRequest;
}

export const deadlineTexts = (db: Db, { filter, page }: DeadlinesRead): Generator<string> =>
  resultText(deadlinesOf(db, filter), (all) => {
    const startIndex =
      page.after === undefined ? 0 : all.findIndex((deadline) => isAfter(deadline, page.after ?? []));
    const rest = startIndex === -1 ? [] : all.slice(startIndex);
    const items = rest.slice(0, page.limit);
    const last = rest.length > items.length ? items.at(-1) : undefined;
    return JSON.stringify({ items, next: cursorOf(page, last && orderKey(last)), total: all.length });
  });

const isAfter = (deadline: Deadline, end: readonly (string | number)[]): boolean =>
  orderKey(deadline).join(' ') > end.join(' ');

export type DeadlineTableRead = TableRead<'deadlineTable', DeadlineFilter>;

const KIND_WORDS: Readonly<Record<Deadline['kind'], string>> = {
  announced: 'Anunciado, se a tabela pública confirmar',
  certain: 'Certo',
};

/** Deadline with the description of its NCM; in a table of several companies, that of one company. */
export interface DeadlineRow extends Deadline {
  readonly ncmDescricao: string | null;
  readonly company?: ListedCompany;
}

/** The first columns of a table that names no company. */
const COMPANY_COLUMNS: readonly TableColumn<DeadlineRow>[] = [
  { target: 'cpfCnpjRaiz', heading: 'CPF/CNPJ raiz', cell: ({ company }) => company?.cpfCnpjRaiz ?? null },
  { target: 'empresa', heading: 'Empresa', cell: ({ company }) => company?.nome ?? null },
];

const DEADLINE_COLUMNS: readonly TableColumn<DeadlineRow>[] = [
  { target: 'on', heading: 'A partir de', cell: ({ on }) => dayCell(on) },
  { target: 'kind', heading: 'Prazo', cell: ({ kind }) => KIND_WORDS[kind] },
  { target: 'overdue', heading: 'Vencido', cell: ({ overdue }) => yesOrNo(overdue) },
  { target: 'ncm', heading: 'NCM', cell: ({ ncm }) => ncm },
  { ...NCM_WORDS, cell: ({ ncmDescricao }) => ncmDescricao },
  {
    target: 'modalidade',
    heading: 'Modalidade',
    cell: ({ modalidade }) => modalidade && PRODUCT.modalidade.choices[modalidade],
  },
  { target: 'codigo', heading: 'Atributo', cell: ({ codigo }) => codigo },
  {
    target: 'nome',
    heading: 'Nome do atributo',
    cell: ({ codigo, nome }) => (codigo === null ? 'A própria NCM termina' : nome),
  },
  { target: 'table', heading: 'Tabela', cell: ({ table }) => table },
  { target: 'products', heading: 'Produtos', cell: ({ products }) => products },
  { target: 'missing', heading: 'Sem valor', cell: ({ missing }) => missing },
];

export const DEADLINE_TARGETS = [...COMPANY_COLUMNS, ...DEADLINE_COLUMNS].map(({ target }) => target);

export const deadlineColumns = ({ listed }: Pick<DeadlineFilter, 'listed'>) =>
  listed === undefined ? DEADLINE_COLUMNS : [...COMPANY_COLUMNS, ...DEADLINE_COLUMNS];

export const deadlineTableTexts = (db: Db, { filter, columns, format }: DeadlineTableRead) =>
  tableTexts(format, requestedColumns(deadlineColumns(filter), columns), deadlineRows(db, filter));

/** Yields all rows; `undefined` lets other reads run. */
export function* deadlineRows(db: Db, filter: DeadlineFilter): Generator<DeadlineRow | undefined> {
  const words = ncmWordsOn(db, filter.today);
  for (const { companies = [], ...deadline } of yield* deadlinesOf(db, filter)) {
    const row = { ...deadline, ncmDescricao: words?.(deadline.ncm) ?? null };
    // Counts over all companies, and a deadline without products, belong to no company.
    if (companies.length === 0) yield row;
    for (const { products, missing, ...company } of companies) yield { ...row, products, missing, company };
  }
}
