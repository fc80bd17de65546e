/** Results of an import. The list has no pages; each request returns the results after an index. */
import type { ImportResult } from '../../api/answers.ts';
import { queryOf } from '../../api/client.ts';
import { type Page, everyRow } from '../../api/pages.ts';
import type { Result } from '../../api/result.ts';
import { IMPORTS } from '../kinds.ts';

/** Maximum number of results per request. */
const LARGEST_PAGE = 10_000;

export type Outcome = ImportResult['outcome'] | '';

export const resultsPath = (id: number): string => `${IMPORTS}/${id}/results`;

export function pageOfResults(answer: unknown, size: number): Page<ImportResult> {
  const items = answer as readonly ImportResult[]; // response of `listImportResults`
  return { items, next: items.length < size ? null : (items.at(-1)?.index ?? null) };
}

/** Returns the path of the first failed results. */
export const failedOf = (id: number): string =>
  `${resultsPath(id)}${queryOf({ outcome: 'failed', limit: LARGEST_PAGE })}`;

export const allResults = (id: number, outcome: Outcome): Promise<Result<readonly ImportResult[]>> =>
  everyRow(resultsPath(id), { outcome }, { size: LARGEST_PAGE, pageOf: pageOfResults });
