/** Writes a page as the JSON text of its response. */
import { cursorOf } from './cursor.ts';
import type { Page, PageRequest } from './model.ts';

export const pageText = <Row>(
  request: PageRequest,
  { rows, next, total, totalIsExact }: Page<Row>,
  textOf: (row: Row) => string,
): string =>
  `{"items":[${rows.map(textOf).join(',')}],"next":${JSON.stringify(cursorOf(request, next))},` +
  `"total":${total},"totalIsExact":${totalIsExact}}`;
