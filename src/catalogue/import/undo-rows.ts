/** Reads the rows of an import as items of its undo, in a Worker (contract section 24). */
import type { Db } from '../../db/open.ts';
import type { AppliedChange } from '../record.ts';
import { type ItemChanges, AppliedChangeStore } from './applied-change-store.ts';
import type { ImportKind } from './model.ts';
import { NAME_OF } from './slice.ts';

/** The message to the Worker. */
export interface UndoRowsRead {
  readonly kind: 'undoRows';
  readonly id: number;
  readonly tipo: ImportKind;
}

/** An item of the file that this program writes. The stored names never change. */
export interface UndoItem {
  readonly codigo: string;
  /** The changes to undo, in the order of their undo. */
  readonly did: readonly AppliedChange[];
}

/** Yields the JSON array that an import reads. An empty text lets other work run. */
export function* undoRowTexts(db: Db, { id, tipo }: UndoRowsRead): Generator<string> {
  const store = new AppliedChangeStore(db);
  const firstChanges = yield* firstChangesOfRepeated(store, id);
  const mergedRecords = new Set<string>();
  let lead = '[';
  for (const page of store.itemPages(id)) {
    let chunk = '';
    for (const itemChanges of page) {
      const changesToUndo = inUndoOrder(itemChanges).flatMap((change) =>
        mergedChanges(change, firstChanges, mergedRecords),
      );
      if (changesToUndo.length === 0) continue;
      const { codigo, name } = itemChanges;
      chunk += `${lead}${JSON.stringify({ [NAME_OF[tipo]]: name, codigo, did: changesToUndo })}`;
      lead = ',\n';
    }
    yield chunk;
  }
  yield lead === '[' ? '[]' : ']';
}

/** Returns the first change of each record that several rows changed, by the key of the record. */
function* firstChangesOfRepeated(
  store: AppliedChangeStore,
  id: number,
): Generator<'', Map<string, AppliedChange>> {
  const changedRecords = new Set<string>();
  const firstChanges = new Map<string, AppliedChange>();
  for (const page of store.itemPages(id)) {
    for (const change of page.flatMap(inUndoOrder)) {
      const record = recordOf(change);
      if (changedRecords.has(record)) firstChanges.set(record, change);
      else changedRecords.add(record);
    }
    yield '';
  }
  return firstChanges;
}

const inUndoOrder = ({ appliedChanges }: ItemChanges): readonly AppliedChange[] =>
  appliedChanges.toReversed();

/** Returns the key of the changed record. A change of a past version has its own key. */
const recordOf = ({ kind, key, isPast, is }: AppliedChange): string =>
  `${kind} ${key} ${isPast === true ? is : ''}`;

/**
 * Returns all changes of the rows to a record, with its last row, so that one item undoes them and a dry run
 * shows the same. Returns nothing for earlier rows of the record, and for a record that ended as it began.
 */
function mergedChanges(
  lastChange: AppliedChange,
  firstChanges: ReadonlyMap<string, AppliedChange>,
  mergedRecords: Set<string>,
): readonly AppliedChange[] {
  const record = recordOf(lastChange);
  const firstChange = firstChanges.get(record);
  if (firstChange === undefined) return [lastChange];
  if (mergedRecords.has(record)) return [];
  mergedRecords.add(record);
  const { was, held } = firstChange;
  const { held: _held, ...change } = lastChange;
  return was === lastChange.is ? [] : [{ ...change, was, ...(held !== undefined && { held }) }];
}
