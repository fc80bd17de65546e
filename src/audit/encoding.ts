/**
 * Encodes the changes of one page as text, and decodes them. Most entries differ from the previous one only
 * in their key, the first member of a row. So a row ends before the members that equal those of the previous
 * row, and a row in which only the number at the end of the key differs is written as that number.
 */
import { type Change, type Members, type Proposed, nameOf, proposalOf } from '../change.ts';
import type { Channel, StoredChange } from './model.ts';

type Member = string | Members | null;
type Row = readonly [key: string, ...Member[]];

const MEMBERS = 9;
const NOTHING: readonly Member[] = Array.from({ length: MEMBERS }, () => '');

export function encode(changes: readonly Change[], channelOf: (change: Change) => Channel): string {
  let text = '';
  let last = NOTHING;
  for (const change of changes) {
    const { key, before, after, action, kind, by } = change;
    const session = typeof by === 'string' ? '' : (by.key ?? '');
    const actor = nameOf(by);
    const row: Row = [key, after, before, action, kind, actor, channelOf(change), session, proposalText(by)];
    let length = MEMBERS;
    while (length > 1 && row[length - 1] === last[length - 1]) length -= 1;
    text += `${text === '' ? '[' : ','}${(length === 1 && numberAtEnd(last[0] as string, key)) || JSON.stringify(row.slice(0, length))}`;
    last = row;
  }
  return `${text}]`;
}

/** Throws for a text that `encode` did not write. */
export function decode(text: string): StoredChange[] {
  let last: readonly Member[] = NOTHING;
  return (JSON.parse(text) as readonly (Row | number)[]).map((entry) => {
    const row: Row = typeof entry === 'number' ? [beginningOf(last[0] as string) + entry] : entry;
    last = row.concat(last.slice(row.length));
    const [key, after = null, before = null, action, kind, actor, channel, session, proposal = ''] =
      last as readonly string[];
    return {
      actor,
      key: session || null,
      channel,
      action,
      subject: `${kind} ${key}`,
      before,
      after,
      proposal: proposalIn(proposal),
    } as StoredChange;
  });
}

/** Returns a proposal as one text, so that a query can find its pages: the import, then the author. */
function proposalText(by: Change['by']): string {
  const proposal = proposalOf(by);
  return proposal === undefined ? '' : `${proposal.id}/${proposal.by}`;
}

function proposalIn(text: string): Proposed | null {
  const [id = '', by] = text.split('/');
  return by === undefined ? null : { id: Number(id), by };
}

/** Returns the key without its last part. */
const beginningOf = (key: string): string => key.slice(0, key.lastIndexOf('/') + 1);

/** A number that is the same text after reading and writing. */
const NUMBER = /^[1-9]\d{0,14}$/;

/** Returns the number at the end of a key that otherwise equals the last one. */
function numberAtEnd(last: string, key: string): string | undefined {
  const beginning = beginningOf(key);
  const end = key.slice(beginning.length);
  return beginning !== '' && beginning === beginningOf(last) && NUMBER.test(end) ? end : undefined;
}
