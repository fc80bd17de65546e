/** A column of a list from the table of members of its records: heading and form are its own. */
import type { MemberTable } from '../../../catalogue/members/member.ts';
import { moment } from '../../words.ts';
import type { ListColumn } from './column-chooser.tsx';

export type MemberColumn = <Row>(
  name: string,
  width: number,
  more?: Pick<ListColumn<Row>, 'seen' | 'orderBy'>,
) => ListColumn<Row>;

/** What is cut for want of room is whole where somebody points at it. */
export const memberColumnOf =
  (table: MemberTable): MemberColumn =>
  (name, width, more = {}) => {
    const { kind = 'text', heading = name, choices } = table[name] ?? {};
    return {
      key: name,
      title: heading,
      width,
      ...more,
      code: !['text', 'choice', 'moment'].includes(kind),
      cell: (row) => {
        // A member of a record as JSON; lists of other things than texts are no columns.
        const value =
          (row as Readonly<Record<string, string | number | readonly string[] | null>>)[name] ?? '';
        const plain = typeof value === 'object' ? value.join(', ') : String(value);
        const text = kind === 'moment' ? moment(plain) : plain;
        return <bdi title={text}>{text === '' ? '–' : (choices?.[text] ?? text)}</bdi>;
      },
    };
  };
