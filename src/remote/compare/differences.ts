/**
 * Computes the members that differ between a local and a remote record, and their values at the last
 * agreement.
 */
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
  return differencesOf(ours, theirs).map(({ before: localText, after, ...named }) => {
    const [member, heading] = [foreignText(named.member), foreignText(named.heading)];
    const remoteText = after === null ? null : foreignLines(after);
    // A version does not contain the situation. Both sides had the same one at the last agreement.
    const was = member === 'situacao' ? undefined : then?.get(member);
    const wasThere = agreed ? (was?.text ?? null) : baseThere === one.thereWhole ? remoteText : null;
    const base =
      then === undefined || member === 'situacao' ? null : { here: was?.text ?? null, there: wasThere };
    return { member, heading, here: localText, there: remoteText, base };
  });
}
