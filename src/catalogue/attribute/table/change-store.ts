/**
 * Stores what each table changed, also after its rows are deleted: compressed, a few KB for a small
 * difference.
 */
import { Store } from '../../../db/prepared.ts';
import { nodeZlib } from '../../../system/builtin.ts';
import { type ChangeCounts, type ChangedNcm, HISTORY_TABLES, type TableChange, countsOf } from './model.ts';

/** Stored form of a changed NCM: a tuple, so that member names are not repeated ten thousand times. */
type PackedNcm = readonly [
  ncm: string,
  added: readonly string[],
  removed: readonly string[],
  changed: readonly string[],
  pairs?: ChangedNcm['pairs'],
];
interface PackedChange extends Pick<TableChange, 'attributes' | 'descriptions'> {
  readonly ncms: readonly [readonly string[], readonly string[], readonly PackedNcm[]];
}

export class TableChangeStore extends Store {
  readonly find = this.one<[tableId: number, sinceId: number], TableChange>(
    'SELECT changes FROM attribute_table_change WHERE table_id = ? AND since_id = ?',
    ({ changes }: { readonly changes: Uint8Array }) => unpackChange(changes),
  );
  readonly #counts = this.value<[number, number], string>(
    'SELECT counts FROM attribute_table_change WHERE table_id = ? AND since_id = ?',
  );
  readonly #put = this.runs(
    'INSERT OR IGNORE INTO attribute_table_change (table_id, since_id, counts, changes) VALUES (?, ?, ?, ?)',
  );
  /** Deletes changes that are older than the newest tables. */
  readonly deleteOld = this.runs<[]>(
    `DELETE FROM attribute_table_change WHERE table_id < (SELECT min(id) FROM
       (SELECT id FROM attribute_table WHERE state = 'loaded' ORDER BY id DESC LIMIT ${HISTORY_TABLES}))`,
  );

  counts(tableId: number, sinceId: number): ChangeCounts | undefined {
    const counts = this.#counts(tableId, sinceId);
    return counts === undefined ? undefined : (JSON.parse(counts) as ChangeCounts); // written by this program
  }

  put(tableId: number, sinceId: number, change: TableChange): void {
    this.#put(tableId, sinceId, JSON.stringify(countsOf(change)), packChange(change));
  }
}

function packChange({ ncms, ...others }: TableChange): Uint8Array {
  const changed = ncms.changed.map((changedNcm): PackedNcm => [
    changedNcm.ncm,
    changedNcm.added,
    changedNcm.removed,
    changedNcm.changed,
    changedNcm.pairs,
  ]);
  const change: PackedChange = { ncms: [ncms.added, ncms.removed, changed], ...others };
  return nodeZlib().gzipSync(JSON.stringify(change));
}

function unpackChange(bytes: Uint8Array): TableChange {
  const { ncms, ...others } = JSON.parse(nodeZlib().gunzipSync(bytes).toString()) as PackedChange; // written by this program
  const changed = ncms[2].map(([ncm, added, removed, codes, pairs = {}]): ChangedNcm => ({
    ncm,
    added,
    removed,
    changed: codes,
    pairs,
  }));
  return { ncms: { added: ncms[0], removed: ncms[1], changed }, ...others };
}
