/** Column of a list from the member table of its records, which defines heading and format. */
import type { MemberTable } from '../../../catalogue/members/member.ts';
import { momentText } from '../../words.ts';
import type { ListColumn } from './column-chooser.tsx';

export type MemberColumn = <Row>(
  name: string,
  width: number,
  more?: Pick<ListColumn<Row>, 'visibility' | 'orderBy'>,
) => ListColumn<Row>;

/** Returns the column of a member. The tooltip shows truncated text completely. */
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
        // The record is JSON; arrays of anything but strings have no column.
        const value =
          (row as Readonly<Record<string, string | number | readonly string[] | null>>)[name] ?? '';
        const plain = typeof value === 'object' ? value.join(', ') : String(value);
        const text = kind === 'moment' ? momentText(plain) : plain;
        return <bdi title={text}>{text === '' ? '–' : (choices?.[text] ?? text)}</bdi>;
      },
    };
  };
