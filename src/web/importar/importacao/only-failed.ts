import type { Result } from '../../api/result.ts';
import type { Upload } from '../upload.ts';
import { textOfItems } from '../sheet/items.ts';
import { itemsOf } from './sent-items.ts';
import { allResults } from './use-results.ts';

/** A file with only those items of `upload` that failed in the import, each in its line; `undefined` where there is none. */
export async function onlyFailed(id: number, upload: Upload): Promise<Result<File | undefined>> {
  const failed = await allResults(id, 'failed');
  if (!failed.ok) return failed;
  const items = (await itemsOf(upload)) ?? [];
  const placed = failed.value.flatMap(({ index, line }) => {
    const item = items[index];
    return item === undefined ? [] : [{ line, item }];
  });
  const file =
    placed.length === 0
      ? undefined
      : new File([textOfItems(placed)], upload.file.name, { type: 'application/json' });
  return { ...failed, value: file };
}
