/** The results that are shown, as a file to download. */
import type { ImportProgress } from '../../api/answers.ts';
import type { Download } from '../../api/client.ts';
import type { Result } from '../../api/result.ts';
import { csvOf, xlsxOf } from '../sheet/write.ts';
import { uploadOf } from '../upload.ts';
import { tableOf } from './results-table.ts';
import { itemsOf } from './sent-items.ts';
import { type Outcome, allResults } from './all-results.ts';

export async function resultsFile(
  job: ImportProgress,
  outcome: Outcome,
  format: 'csv' | 'xlsx',
): Promise<Result<Download>> {
  const results = await allResults(job.id, outcome);
  if (!results.ok) return results;
  const upload = uploadOf(job.id);
  const items = upload === undefined ? undefined : await itemsOf(upload);
  const table = tableOf(results.value, items);
  const content = format === 'csv' ? csvOf(table) : await xlsxOf(table, `Importação ${job.id}`);
  const what = outcome === 'failed' ? '_errors' : '';
  return { ...results, value: { name: `importacao_${job.id}${what}.${format}`, content } };
}
