import type { Writer } from './writer.ts';

/** Maximum rows that one transaction deletes, so that requests run in between. */
export const DELETED_AT_ONCE = 500;

/** Deletes rows until `deleteSome` deletes fewer than its limit. Returns their number. */
export async function deleteInSlices(
  writer: Pick<Writer, 'write'>,
  deleteSome: (limit: number) => number,
): Promise<number> {
  for (let deleted = 0; ;) {
    const slice = await writer.write(() => deleteSome(DELETED_AT_ONCE));
    deleted += slice;
    if (slice < DELETED_AT_ONCE) return deleted;
  }
}
