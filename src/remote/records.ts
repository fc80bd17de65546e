/** Reads the records of a comparison in a reading Worker: one page, or a table to download. */
import type { Db } from '../db/open.ts';
import { type TableColumn, type TableFormat, tableTexts } from '../sheet/table.ts';
import { STATE_WORDS } from './compare/model.ts';
import type { ComparedRecord, RecordFilter } from './model.ts';
import { countRecords, recordPage, recordsIn } from './record-list-query.ts';
import { recordOf } from './forms.ts';

export interface RecordPageRead {
  readonly kind: 'remoteRecords';
  readonly filter: RecordFilter;
  /** The position of the last record of the previous page. */
  readonly after: number;
  readonly limit: number;
}

export interface RecordTableRead {
  readonly kind: 'remoteRecordTable';
  readonly filter: RecordFilter;
  readonly format: TableFormat;
}

export function* recordPageText(db: Db, { filter, after, limit }: RecordPageRead): Generator<string> {
  const rows = recordPage(db, filter, after, limit + 1);
  const items = rows.slice(0, limit);
  const next = rows.length > limit ? (items.at(-1)?.n ?? null) : null;
  yield JSON.stringify({ items: items.map(recordOf), next, total: countRecords(db, filter) });
}

export const KIND_WORDS = { operador: 'Operador', produto: 'Produto', vinculo: 'Vínculo' } as const;

const COLUMNS: readonly TableColumn<ComparedRecord>[] = [
  { target: 'kind', heading: 'Tipo', cell: ({ kind }) => KIND_WORDS[kind] },
  { target: 'codigo', heading: 'Código', cell: ({ codigo }) => codigo },
  { target: 'remoteCodigo', heading: 'Código lá', cell: ({ remoteCodigo }) => remoteCodigo },
  { target: 'remoteVersao', heading: 'Versão lá', cell: ({ remoteVersao }) => remoteVersao },
  { target: 'name', heading: 'Nome', cell: ({ name }) => name },
  { target: 'state', heading: 'Estado', cell: ({ state }) => STATE_WORDS[state] },
  { target: 'reason', heading: 'Motivo', cell: ({ reason }) => reason },
  {
    target: 'here',
    heading: 'Aqui',
    cell: ({ differences }) =>
      differences.map(({ heading, here: localText }) => `${heading}: ${localText ?? ''}`).join('; '),
  },
  {
    target: 'there',
    heading: 'Lá',
    cell: ({ differences }) =>
      differences.map(({ heading, there: remoteText }) => `${heading}: ${remoteText ?? ''}`).join('; '),
  },
  {
    target: 'candidates',
    heading: 'Candidatos',
    cell: ({ candidates }) =>
      candidates.map(({ remoteCodigo, name }) => `${remoteCodigo} ${name}`).join('; '),
  },
];

/** Rows of one turn; then the read yields to others. */
const ROWS_PER_TURN = 200;

export const recordTableTexts = (db: Db, { filter, format }: RecordTableRead): AsyncGenerator<string> =>
  tableTexts(format, COLUMNS, rowsOf(db, filter));

function* rowsOf(db: Db, filter: RecordFilter): Generator<ComparedRecord | undefined> {
  let rows = 0;
  for (const record of recordsIn(db, filter)) {
    yield recordOf(record);
    if ((rows += 1) % ROWS_PER_TURN === 0) yield undefined;
  }
}
