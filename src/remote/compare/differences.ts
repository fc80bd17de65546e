/**
 * Computes the members that differ between a local and a remote record, and their values at the last
 * agreement.
 */
import { differencesOf } from '../../catalogue/record.ts';
import type { Db } from '../../db/open.ts';
import { foreignLines, foreignText } from '../../validation/text.ts';
import type { Difference } from './model.ts';
import type { LocalWithRemote } from './scratch-store.ts';
import type { Comparable } from './side.ts';

export function differences(
  db: Db,
  cpfCnpjRaiz: string,
  { members, version }: Comparable,
  record: Pick<
    LocalWithRemote,
    'key' | 'text' | 'remoteText' | 'remoteFingerprint' | 'baseVersao' | 'baseLocal' | 'baseRemote'
  >,
): Difference[] {
  const [localMembers, remoteMembers] = [members(record.text), members(record.remoteText ?? '')];
  const { key, baseVersao, baseLocal, baseRemote } = record;
  const text = baseVersao === null ? undefined : version(db, cpfCnpjRaiz, key, baseVersao);
  const baseMembers = text === undefined ? undefined : members(text);
  const wasEqual = baseLocal !== null && baseLocal === baseRemote;
  return differencesOf(localMembers, remoteMembers).map(({ before: localText, after, ...headed }) => {
    const [member, heading] = [foreignText(headed.member), foreignText(headed.heading)];
    const remoteText = after === null ? null : foreignLines(after);
    // A version does not contain the situation. Both sides had the same one at the last agreement.
    const baseText = member === 'situacao' ? undefined : baseMembers?.get(member);
    const remoteBase = wasEqual
      ? (baseText?.text ?? null)
      : baseRemote === record.remoteFingerprint
        ? remoteText
        : null;
    const base =
      baseMembers === undefined || member === 'situacao'
        ? null
        : { here: baseText?.text ?? null, there: remoteBase };
    return { member, heading, here: localText, there: remoteText, base };
  });
}
