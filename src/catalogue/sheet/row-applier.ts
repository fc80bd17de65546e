/** Applies the rows of a sheet, of any kind: reads a row, checks its company, and places its refusals. */
import type { Transaction } from '../../db/writer.ts';
import type { Caller } from '../../session/model.ts';
import type { AppliedItem, ItemApplier, ItemMode, ItemReading } from '../batch.ts';
import type { MemberColumn } from './member-column.ts';
import type { SheetInstructions } from './instructions.ts';
import { withoutProblemCells } from './further-problems.ts';
import { type IsStored, SheetReading } from './row.ts';
import { refuseOtherChanges, refuseCompany, withPlaces } from './row-checks.ts';
import type { SheetItem } from './rows.ts';

/** A row that is being applied. */
export interface SheetRowInput {
  readonly item: SheetItem;
  readonly reading: SheetReading;
  /** The members of the columns of one value. `null`: the member is emptied. */
  readonly members: Map<string, string | null>;
  readonly tx: Transaction;
  readonly caller: Caller;
  /** Applies an item in the form of a batch as a part of this row. */
  readonly applyItem: (items: ItemApplier, item: object) => AppliedItem;
}

export interface RowRules {
  readonly columns: readonly MemberColumn[];
  readonly isStored: IsStored;
  /** Returns false if no record has the key of the row. Absent: it is not known before the row is applied. */
  readonly mayMeetRecord?: (reading: SheetReading) => boolean;
  /** Throws the refusal of the row. */
  readonly apply: (row: SheetRowInput) => AppliedItem;
}

export const rowApplier = (
  instructions: SheetInstructions,
  { columns, isStored, mayMeetRecord, apply }: RowRules,
): ItemApplier => ({
  mayMeetRecord: (item) =>
    mayMeetRecord?.(new SheetReading(instructions, item as SheetItem, undefined, isStored)) ?? true,

  furtherProblems: (item, problems) => withoutProblemCells(instructions, item, problems),

  apply(
    tx: Transaction,
    caller: Caller,
    received: unknown,
    mode: ItemMode,
    itemReading: ItemReading,
  ): AppliedItem {
    const item = received as SheetItem; // written by this program
    const reading = new SheetReading(instructions, item, itemReading.note, isStored);
    const members = reading.members(columns);
    refuseCompany(caller, instructions.cpfCnpjRaiz, members.get('cpfCnpjRaiz'), reading);
    const applyItem = (items: ItemApplier, item: object) => items.apply(tx, caller, item, mode, itemReading);
    const applied = withPlaces(reading, () => apply({ item, reading, members, tx, caller, applyItem }));
    refuseOtherChanges(item, applied);
    return applied;
  },
});
