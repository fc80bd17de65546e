/**
 * Downloads all records of a list that match its filters: the same columns as CSV and as XLSX (contract
 * section 24).
 */
import type { Static, TSchema } from '@sinclair/typebox';
import type { Clock } from '../clock.ts';
import type { QuotaOwner } from '../fair-shares.ts';
import { type Input, type Operation, type Typed, operation } from '../http/operation.ts';
import type { Reads } from '../reading/pool.ts';
import type { ReadRequest } from '../reading/protocol.ts';
import type { Caller } from '../session/model.ts';
import { XLSX_TYPE, csvAnswer, xlsxAnswer } from '../sheet/answers.ts';
import type { TableFormat } from '../sheet/table.ts';

type TableRequest<Params extends TSchema | undefined, Query extends TSchema> = Pick<
  Input<Caller, Typed<Params>, Static<Query>, undefined>,
  'caller' | 'params' | 'query'
>;

export interface TableOperations<
  Params extends TSchema | undefined,
  Query extends TSchema,
  Read extends ReadRequest,
> {
  /** Path of the list. */
  readonly path: string;
  readonly tag: string;
  readonly source?: string;
  readonly params?: Params;
  readonly csv: { readonly id: string; readonly description?: string };
  readonly xlsx: { readonly id: string; readonly description?: string };
  /** Example: `os produtos que os filtros acham, todos`. */
  readonly subject: string;
  readonly query: Query;
  readonly guard?: NonNullable<Operation<Caller>['guard']>;
  readonly reads: Reads<Read & { readonly format: TableFormat }>;
  readonly clock: Clock;
  /** Returns the file name without its extension. Throws if the caller may not read it. */
  readonly nameOf: (request: TableRequest<Params, Query>) => string;
  readonly readOf: (request: TableRequest<Params, Query>) => Read;
  /** Returns the quota owner of the read. Default: that of the request. */
  readonly quotaOwnerOf?: (
    request: TableRequest<Params, Query> & { readonly quotaOwner: QuotaOwner },
  ) => QuotaOwner;
}

export function tableOperations<
  Query extends TSchema,
  Read extends ReadRequest,
  Params extends TSchema | undefined = undefined,
>(parts: TableOperations<Params, Query, Read>): Operation<Caller>[] {
  const { path, csv, xlsx, subject, reads, clock, nameOf, readOf, quotaOwnerOf, ...rest } = parts;
  const quotaOwnerIn: typeof quotaOwnerOf = (request) => quotaOwnerOf?.(request) ?? request.quotaOwner;
  const both = { source: 'contract, section 24', ...rest };
  return [
    operation<Caller, Params, Query>('GET', `${path}.csv`, {
      ...both,
      ...csv,
      summary: `Baixa em CSV ${subject}`,
      produces: 'text/csv',
      handle: (request) =>
        csvAnswer(reads, quotaOwnerIn(request), nameOf(request), { ...readOf(request), format: 'csv' }),
    }),
    operation<Caller, Params, Query>('GET', `${path}.xlsx`, {
      ...both,
      ...xlsx,
      summary: `Baixa em XLSX ${subject}`,
      produces: XLSX_TYPE,
      handle: (request) =>
        xlsxAnswer(
          reads,
          quotaOwnerIn(request),
          nameOf(request),
          { ...readOf(request), format: 'xlsx' },
          clock.now(),
        ),
    }),
  ];
}
