/** Reads the rows of an import as items of its undo, in a Worker (contract section 24). */
import type { Db } from '../../db/open.ts';
import type { Did } from '../record.ts';
import { type DoneRow, DidStore } from './did-store.ts';
import type { ImportKind } from './model.ts';
import { NAME_OF } from './slice.ts';

/** The message to the Worker. */
export interface UndoRowsRead {
  readonly kind: 'undoRows';
  readonly id: number;
  readonly tipo: ImportKind;
}

export interface UndoItem {
  readonly codigo: string;
  /** The changes in the order of their undo. */
  readonly did: readonly Did[];
}

/** Yields the JSON array that an import reads. An empty text lets other work run. */
export function* undoRowTexts(db: Db, { id, tipo }: UndoRowsRead): Generator<string> {
  const store = new DidStore(db);
  const first = yield* firstOfSeveral(store, id);
  const isTaken = new Set<string>();
  let lead = '[';
  for (const page of store.donePages(id)) {
    let chunk = '';
    for (const { codigo, name, did } of page) {
      const undone = did.toReversed().flatMap((one) => wholeOf(one, first, isTaken));
      if (undone.length === 0) continue;
      chunk += `${lead}${JSON.stringify({ [NAME_OF[tipo]]: name, codigo, did: undone })}`;
      lead = ',\n';
    }
    yield chunk;
  }
  yield lead === '[' ? '[]' : ']';
}

/** Returns the first change of each record that several rows changed. */
function* firstOfSeveral(store: DidStore, id: number): Generator<'', Map<string, Did>> {
  const names = new Set<string>();
  const first = new Map<string, Did>();
  for (const page of store.donePages(id)) {
    for (const one of didsOf(page)) {
      const name = nameOf(one);
      if (names.has(name)) first.set(name, one);
      else names.add(name);
    }
    yield '';
  }
  return first;
}

const didsOf = (page: readonly DoneRow[]): readonly Did[] => page.flatMap(({ did }) => did.toReversed());

const nameOf = ({ kind, key, isPast, is }: Did): string => `${kind} ${key} ${isPast === true ? is : ''}`;

/**
 * Returns all changes of the rows to a record, with its last row, so that one item undoes them and a dry run
 * shows the same. Earlier rows return nothing for the record, and neither does a record that ended as it
 * began.
 */
function wholeOf(last: Did, first: ReadonlyMap<string, Did>, isTaken: Set<string>): readonly Did[] {
  const name = nameOf(last);
  const begun = first.get(name);
  if (begun === undefined) return [last];
  if (isTaken.has(name)) return [];
  isTaken.add(name);
  const { held: _held, ...rest } = last;
  return begun.was === last.is
    ? []
    : [{ ...rest, was: begun.was, ...(begun.held !== undefined && { held: begun.held }) }];
}
