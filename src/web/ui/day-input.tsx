/** A day, typed as people write it here: `20/11/2026`. Its value is as the API has it; what is no day stays as it was typed. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { day, isoDay } from '../words.ts';
import { type Bound, Input, type Labelled } from './field.tsx';

const shown = (value: string): string => (/^\d{4}-\d{2}-\d{2}$/.test(value) ? day(value) : value);

export function DayInput(props: Labelled & Bound<string>): JSX.Element {
  const { value, onChange } = props;
  const [typed, setTyped] = useState('');
  return (
    <Input
      {...props}
      placeholder="dd/mm/aaaa"
      // The value may be changed from outside: a link, the way back, a form that was emptied.
      value={isoDay(typed) === value ? typed : shown(value)}
      onChange={(text) => {
        setTyped(text);
        onChange(isoDay(text));
      }}
    />
  );
}
