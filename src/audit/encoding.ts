/**
 * The changes of one page as text and back. Most have everything but their key in common with the one before: so an entry is
 * a list of its members in this order, without those at its end that are as before; and but a number, where only the number
 * at the end of the key is another.
 */
import { type Change, type Members, nameOf } from '../change.ts';
import type { Channel, Noted } from './model.ts';

type Member = string | Members | null;
type Row = readonly [key: string, ...Member[]];

const MEMBERS = 8;
const NOTHING: readonly Member[] = Array.from({ length: MEMBERS }, () => '');

export function encode(changes: readonly Change[], channelOf: (change: Change) => Channel): string {
  let text = '';
  let last = NOTHING;
  for (const change of changes) {
    const { key, before = null, after = null, action, kind, by } = change;
    const session = typeof by === 'string' ? '' : (by.key ?? '');
    const row: Row = [key, after, before, action, kind, nameOf(by), channelOf(change), session];
    let length = MEMBERS;
    while (length > 1 && row[length - 1] === last[length - 1]) length -= 1;
    text += `${text === '' ? '[' : ','}${(length === 1 && numberBehind(last[0] as string, key)) || JSON.stringify(row.slice(0, length))}`;
    last = row;
  }
  return `${text}]`;
}

/** Throws for a text that was not made by `encode`. */
export function decode(text: string): Noted[] {
  let last: readonly Member[] = NOTHING;
  return (JSON.parse(text) as readonly (Row | number)[]).map((entry) => {
    const row: Row = typeof entry === 'number' ? [beginningOf(last[0] as string) + entry] : entry;
    last = row.concat(last.slice(row.length));
    const [key, after = null, before = null, action, kind, actor, channel, session] =
      last as readonly string[];
    return {
      actor,
      key: session || null,
      channel,
      action,
      subject: `${kind} ${key}`,
      before,
      after,
    } as Noted;
  });
}

/** Up to its last part. */
const beginningOf = (key: string): string => key.slice(0, key.lastIndexOf('/') + 1);

/** As it is written, and read again as the same. */
const NUMBER = /^[1-9]\d{0,14}$/;

/** The number at the end of a key that has all else in common with the last one. */
function numberBehind(last: string, key: string): string | undefined {
  const beginning = beginningOf(key);
  const end = key.slice(beginning.length);
  return beginning !== '' && beginning === beginningOf(last) && NUMBER.test(end) ? end : undefined;
}
