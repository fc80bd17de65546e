import type { ImportProgress, ImportResult } from '../../api/answers.ts';
import { type Result, faultOf } from '../../api/result.ts';
import { withCount } from '../../words.ts';
import type { Upload } from '../upload.ts';
import { type Item, itemsOf, textOfItems } from './sent-items.ts';
import { allResults } from './all-results.ts';

/** Returns `upload` with only the items that failed in the import, each on its original line. */
export async function withOnlyFailed(job: ImportProgress, upload: Upload): Promise<Result<Upload>> {
  const failed = await allResults(job.id, 'failed');
  if (!failed.ok) return failed;
  const items = await itemsOf(upload);
  if (items === undefined) return { ok: false, error: faultOf(UNREADABLE) };
  // The file contains only the failed lines, and is sent unchanged.
  if (items.length === failed.value.length) return { ...failed, value: upload };
  const itemsToSend = itemsWithLines(items, failed.value);
  if (items.length < (job.total ?? 0) || itemsToSend.length === 0)
    return { ok: false, error: faultOf(otherFile(items.length, job, failed.value.length)) };
  const file = new File([textOfItems(itemsToSend)], upload.file.name, { type: 'application/json' });
  return { ...failed, value: { ...upload, file } };
}

const itemsWithLines = (items: readonly Item[], failed: readonly ImportResult[]) =>
  failed.flatMap(({ index, line }) => {
    const item = items[index];
    return item === undefined ? [] : [{ line, item }];
  });

const UNREADABLE =
  'O arquivo não pôde ser lido: é grande demais para o navegador, ou não traz uma lista de itens em JSON.';

/** Returns the message for a file with another number of lines, in which the failed ones are unknown. */
const otherFile = (count: number, { total }: ImportProgress, failed: number): string =>
  `Este arquivo tem ${withCount(count, 'linha', 'linhas')}; o importado tinha ${withCount(total ?? 0, 'linha', 'linhas')}, das quais ${failed} com erro. Escolha o mesmo arquivo com as linhas corrigidas, ou um só com as que falharam.`;
