/** A sheet that is older than the record: the column Versão says what its sender saw (contract section 24). */
import { type Problem, unprocessable } from '../../errors.ts';
import { shown } from '../../validation/shown.ts';
import { violated } from '../codes.ts';
import type { MemberChange, MemberText } from '../record.ts';
import { type VersionNumber, parseVersion } from '../version.ts';
import type { SheetOrder } from './order.ts';
import { refusalOf } from './row-checks.ts';
import type { SheetReading } from './row.ts';

/** The record of a row, and what the row would change of it. */
interface Aged {
  /** The current version. */
  readonly versao: string;
  readonly changes: () => readonly MemberChange[];
  /** The members of a version. Throws 404. */
  readonly membersAt: (number: VersionNumber) => ReadonlyMap<string, MemberText>;
}

/** What a row would make of a situation; as it is, or not asked for, it is no change. */
export const situacaoChanges = (before: string, after: string | null | undefined): readonly MemberChange[] =>
  after === undefined || after === null || after === before
    ? []
    : [{ member: 'situacao', heading: 'Situação', before, after }];

/**
 * What others changed since the version that the sheet says: where the row has what that version had, its sender changed
 * nothing, and the member is to be left as it is; where it has something else, that is refused, or goes over theirs.
 */
export function staleMembers(
  conflict: SheetOrder['conflict'],
  reading: SheetReading,
  said: unknown,
  { versao, changes: changesOf, membersAt }: Aged,
): ReadonlySet<string> {
  if (typeof said !== 'string' || said === versao) return new Set();
  const number = parseVersion(said);
  if (number === undefined)
    throw refusalOf(
      reading,
      'unknownKey',
      `recebido ${shown(said)}; aceita uma versão, como 2 ou 2.1.`,
      'versao',
    );
  const seen = membersAt(number);
  const seenText = (member: string): string | null => seen.get(member)?.text ?? null;
  const changes = changesOf();
  const stale = new Set(
    changes.filter(({ member, after }) => seenText(member) === after).map(({ member }) => member),
  );
  const lost = changes.filter(({ member, before }) => !stale.has(member) && seenText(member) !== before);
  if (lost.length > 0 && conflict === 'recusar')
    throw unprocessable(
      lost.map(({ member, heading, before, after }): Problem => {
        const message = `mudouDepois: ${heading}: a planilha viu ${shown(seenText(member))} na versão ${said}, a versão ${versao} tem ${shown(before)}, e a linha traz ${shown(after)}; confira, ou envie conflict: "sobrepor".`;
        return reading.located(violated('changedSince', `/${member}`, message), member);
      }),
    );
  return stale;
}
