/** Makes the members of a record the columns of a table to download (contract section 24). */
import { type TableColumn, momentCell } from '../sheet/table.ts';
import { parsed } from './member-record.ts';
import type { Member, MemberTable } from './members/member.ts';
import { codesCell } from './members/cell-text.ts';
import { type VersionNumber, versionText } from './version.ts';

/** Returns a column for each of the members, as stored in a row. */
export const memberColumns = <Row extends VersionNumber>(
  table: MemberTable,
  names: readonly string[],
): readonly TableColumn<Row>[] =>
  names.map((name) => {
    const member = table[name] as Member;
    const cell = cellBy(member);
    return {
      target: name,
      heading: member.heading,
      cell: (row) => cell((row as unknown as Readonly<Record<string, Value>>)[name] ?? null, row),
    };
  });

type Value = string | number | null;

function cellBy({ kind, choices = {} }: Member): (value: Value, row: VersionNumber) => Value {
  if (kind === 'version') return (_value, row) => versionText(row);
  if (kind === 'choice') return (value) => (value === null ? null : (choices[value] ?? value));
  if (kind === 'codes') return (value) => codesCell(parsed<string>(value as string | null));
  return kind === 'moment' ? (value) => momentCell(value as number) : (value) => value;
}
