/** Deliveries as a table to download: all that match the filters, newest first. */
import type { Db } from '../../../db/open.ts';
import {
  type TableColumn,
  type TableRead,
  requestedColumns,
  tableTexts,
  momentCell,
} from '../../../sheet/table.ts';
import { type DeliveryRecord, STATE_WORDS } from './model.ts';
import { type DeliveryFilter, DeliveryHistoryStore } from './store.ts';

export type DeliveryTableRead = TableRead<'deliveryTable', Omit<DeliveryFilter, 'limit' | 'before'>>;

export const DELIVERY_COLUMNS: readonly TableColumn<DeliveryRecord>[] = [
  { target: 'id', heading: 'Entrega', cell: ({ id }) => id },
  { target: 'evento', heading: 'Evento', cell: ({ evento }) => evento },
  { target: 'endpoint', heading: 'Endpoint', cell: ({ endpoint }) => endpoint },
  { target: 'subscriptionId', heading: 'Assinatura', cell: ({ subscriptionId }) => subscriptionId },
  { target: 'state', heading: 'Estado', cell: ({ state }) => STATE_WORDS[state] },
  { target: 'attempts', heading: 'Tentativas', cell: ({ attempts }) => attempts.length },
  {
    target: 'at',
    heading: 'Última tentativa',
    cell: (deliveryRecord) => momentOf(lastOf(deliveryRecord)?.at),
  },
  { target: 'status', heading: 'Status', cell: (deliveryRecord) => lastOf(deliveryRecord)?.status ?? null },
  { target: 'ms', heading: 'Duração (ms)', cell: (deliveryRecord) => lastOf(deliveryRecord)?.ms ?? null },
  {
    target: 'description',
    heading: 'O que aconteceu',
    cell: (deliveryRecord) => lastOf(deliveryRecord)?.description ?? null,
  },
  {
    target: 'nextAttemptAt',
    heading: 'Próxima tentativa',
    cell: ({ nextAttemptAt }) => momentOf(nextAttemptAt),
  },
];

const lastOf = ({ attempts }: DeliveryRecord) => attempts.at(-1);

const momentOf = (at: number | null | undefined): string | null => (at == null ? null : momentCell(at));

export const deliveryTableTexts = (db: Db, { filter, columns, format }: DeliveryTableRead) =>
  tableTexts(
    format,
    requestedColumns(DELIVERY_COLUMNS, columns),
    newestFirst(new DeliveryHistoryStore(db), filter),
  );

/** Yields `undefined` after each page, where other work may run. */
function* newestFirst(
  store: DeliveryHistoryStore,
  filter: DeliveryTableRead['filter'],
): Generator<DeliveryRecord | undefined> {
  for (const page of store.pages(filter)) {
    yield* page;
    yield undefined;
  }
}
