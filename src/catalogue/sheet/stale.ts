/**
 * Handles a sheet that is older than the record: the column Versão has the version that its sender saw
 * (contract section 24).
 */
import { type Problem, unprocessable } from '../../errors.ts';
import { formatValue } from '../../validation/format-value.ts';
import { violated } from '../codes.ts';
import type { MemberChange, MemberText } from '../record.ts';
import { type VersionNumber, parseVersion } from '../version.ts';
import type { SheetInstructions } from './instructions.ts';
import { refusalOf } from './row-checks.ts';
import type { SheetReading } from './row.ts';

/** The record of a row, and the changes that the row would make. */
interface RecordState {
  /** The current version. */
  readonly versao: string;
  readonly changes: () => readonly MemberChange[];
  /** Returns the members of a version. Throws 404. */
  readonly membersAt: (number: VersionNumber) => ReadonlyMap<string, MemberText>;
}

/** Returns the change of the situation. Returns none if it is the same, or not in the row. */
export const situacaoChanges = (before: string, after: string | null | undefined): readonly MemberChange[] =>
  after === undefined || after === null || after === before
    ? []
    : [{ member: 'situacao', heading: 'Situação', before, after }];

/**
 * Finds the members that others changed since the version in the sheet. If the row still has the value of
 * that version, its sender did not change it, and the member stays. If the row has another value, it is
 * refused or overwrites the newer value.
 */
export function staleMembers(
  conflict: SheetInstructions['conflict'],
  reading: SheetReading,
  received: unknown,
  { versao, changes: changesOf, membersAt }: RecordState,
): ReadonlySet<string> {
  if (typeof received !== 'string' || received === versao) return new Set();
  const number = parseVersion(received);
  if (number === undefined)
    throw refusalOf(
      reading,
      'unknownKey',
      `recebido ${formatValue(received)}; aceita uma versão, como 2 ou 2.1.`,
      'versao',
    );
  const sheetMembers = membersAt(number);
  const textInSheet = (member: string): string | null => sheetMembers.get(member)?.text ?? null;
  const changes = changesOf();
  const stale = new Set(
    changes.filter(({ member, after }) => textInSheet(member) === after).map(({ member }) => member),
  );
  const conflicts = changes.filter(
    ({ member, before }) => !stale.has(member) && textInSheet(member) !== before,
  );
  if (conflicts.length > 0 && conflict === 'recusar')
    throw unprocessable(
      conflicts.map(({ member, heading, before, after }): Problem => {
        const message = `mudouDepois: ${heading}: a planilha viu ${formatValue(textInSheet(member))} na versão ${received}, a versão ${versao} tem ${formatValue(before)}, e a linha traz ${formatValue(after)}; confira, ou envie conflict: "sobrepor".`;
        const problem = { ...violated('changedSince', null, message), field: member, path: `/${member}` };
        return reading.withPosition(problem, member);
      }),
    );
  return stale;
}
