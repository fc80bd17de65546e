/**
 * The changes of one page as text and back. Most have everything but their key in common with the one before: so an entry is
 * a list of its members in this order, without those at its end that are as before.
 */
import type { Change } from '../change.ts';
import type { Channel, Noted } from './model.ts';

type Member = string | null;
type Row = readonly [key: string, ...Member[]];

const MEMBERS = 7;
const NOTHING: readonly Member[] = Array.from({ length: MEMBERS }, () => '');

export function encode(changes: readonly Change[], channelOf: (change: Change) => Channel): string {
  let text = '';
  let last = NOTHING;
  for (const change of changes) {
    const { key, before = null, after = null, action, kind, by } = change;
    const row = [key, after, before, action, kind, by, channelOf(change)];
    let length = MEMBERS;
    while (length > 1 && row[length - 1] === last[length - 1]) length -= 1;
    text += `${text === '' ? '[' : ','}${JSON.stringify(length === MEMBERS ? row : row.slice(0, length))}`;
    last = row;
  }
  return `${text}]`;
}

/** Throws a `SyntaxError` for a text that was not made by `encode`. */
export function decode(text: string): Noted[] {
  let last: readonly Member[] = NOTHING;
  return (JSON.parse(text) as readonly Row[]).map((row) => {
    last = row.concat(last.slice(row.length));
    const [key, after = null, before = null, action, kind, by, channel] = last as readonly string[];
    return { actor: by, channel, action, subject: `${kind} ${key}`, before, after } as Noted;
  });
}
