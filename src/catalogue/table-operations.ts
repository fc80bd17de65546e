/** The records of a list to take along, all that its filters find: the same columns as CSV and as XLSX (contract section 24). */
import type { Static, TSchema } from '@sinclair/typebox';
import type { Clock } from '../clock.ts';
import { type Operation, operation } from '../http/operation.ts';
import type { Reads } from '../reading/pool.ts';
import type { ReadRequest } from '../reading/protocol.ts';
import type { Caller } from '../session/model.ts';
import { XLSX_TYPE, csvAnswer, xlsxAnswer } from '../sheet/answers.ts';
import type { TableFormat } from '../sheet/table.ts';

export interface TableOperations<Query extends TSchema, Read extends ReadRequest> {
  /** Of the list. */
  readonly path: string;
  readonly tag: string;
  readonly csv: { readonly id: string; readonly description?: string };
  readonly xlsx: { readonly id: string; readonly description?: string };
  /** `os produtos que os filtros acham, todos` */
  readonly what: string;
  readonly query: Query;
  readonly guard: NonNullable<Operation<Caller>['guard']>;
  readonly reads: Reads<Read & { readonly format: TableFormat }>;
  readonly clock: Clock;
  /** Of the file, without its ending. */
  readonly nameOf: (query: Static<Query>) => string;
  readonly readOf: (query: Static<Query>, caller: Caller) => Read;
}

export function tableOperations<Query extends TSchema, Read extends ReadRequest>(
  parts: TableOperations<Query, Read>,
): Operation<Caller>[] {
  const { path, tag, csv, xlsx, what, query: schema, guard, reads, clock, nameOf, readOf } = parts;
  const both = { tag, source: 'contract, section 24', query: schema, guard } as const;
  return [
    operation<Caller, undefined, Query>('GET', `${path}.csv`, {
      ...{ ...both, ...csv, summary: `Baixa em CSV ${what}`, produces: 'text/csv' },
      handle: ({ query, holder, caller }) =>
        csvAnswer(reads, holder, nameOf(query), { ...readOf(query, caller), format: 'csv' }),
    }),
    operation<Caller, undefined, Query>('GET', `${path}.xlsx`, {
      ...{ ...both, ...xlsx, summary: `Baixa em XLSX ${what}`, produces: XLSX_TYPE },
      handle: ({ query, holder, caller }) =>
        xlsxAnswer(reads, holder, nameOf(query), { ...readOf(query, caller), format: 'xlsx' }, clock.now()),
    }),
  ];
}
