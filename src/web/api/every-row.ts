/** All rows of a list in pages (contract section 14), for sheets and counts: one page after the other. */
import { api } from './api.ts';
import type { Query } from './client.ts';
import type { Result } from './result.ts';

const PAGE_ROWS = 500;

interface Answer<Row> {
  readonly items: readonly Row[];
  readonly next: string | null;
}

export async function everyRow<Row>(path: string, query: Query): Promise<Result<readonly Row[]>> {
  const rows: Row[] = [];
  for (let after: string | undefined; ;) {
    const answer = await api.get<Answer<Row>>(path, { query: { ...query, limit: PAGE_ROWS, after } });
    if (!answer.ok) return answer;
    rows.push(...answer.value.items);
    if (answer.value.next === null) return { ...answer, value: rows };
    after = answer.value.next;
  }
}
