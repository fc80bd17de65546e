/** In what one of our records and the one there differ, member by member, and what stood there when they agreed last. */
import { differencesOf } from '../../catalogue/record.ts';
import type { Db } from '../../db/open.ts';
import { foreignLines, foreignText } from '../../validation/text.ts';
import type { Difference } from './model.ts';
import type { Facing } from './scratch-store.ts';
import type { Comparable } from './side.ts';

export function differences(
  db: Db,
  cpfCnpjRaiz: string,
  { members, version }: Comparable,
  one: Pick<Facing, 'key' | 'text' | 'thereText' | 'thereWhole' | 'baseVersao' | 'baseHere' | 'baseThere'>,
): Difference[] {
  const [ours, theirs] = [members(one.text), members(one.thereText ?? '')];
  const { key, baseVersao, baseHere, baseThere } = one;
  const text = baseVersao === null ? undefined : version(db, cpfCnpjRaiz, key, baseVersao);
  const then = text === undefined ? undefined : members(text);
  const agreed = baseHere !== null && baseHere === baseThere;
  return differencesOf(ours, theirs).map(({ before: here, after, ...named }) => {
    const [member, heading] = [foreignText(named.member), foreignText(named.heading)];
    const there = after === null ? null : foreignLines(after);
    // The situation is no part of a version's content, and both sides had the same.
    const was = member === 'situacao' ? undefined : then?.get(member);
    const wasThere = agreed ? (was?.text ?? null) : baseThere === one.thereWhole ? there : null;
    const base =
      then === undefined || member === 'situacao' ? null : { here: was?.text ?? null, there: wasThere };
    return { member, heading, here, there, base };
  });
}
