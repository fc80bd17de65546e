/** Input that shows the readable form and stores the API form. Typed text stays as typed. */
import { useState } from 'preact/hooks';
import { dayText, isoDay, hasDayForm } from '../words.ts';
import { type Bound, Input, type InputProps, type Labelled } from './field.tsx';

export function TypedInput({
  format,
  parse,
  ...props
}: InputProps & { readonly format: (value: string) => string; readonly parse: (text: string) => string }) {
  const { value, onChange } = props;
  const [typedText, setTypedText] = useState('');
  return (
    <Input
      {...props}
      // The value may change from outside: a link, the back button, a reset of the form.
      value={parse(typedText) === value ? typedText : format(value)}
      onChange={(text) => {
        setTypedText(text);
        onChange(parse(text));
      }}
    />
  );
}

const dayOrTyped = (value: string): string => (hasDayForm(value) ? dayText(value) : value);

/** Day in the form `20/11/2026`. An invalid day stays as typed. */
export const DayInput = (props: Labelled & Bound<string>) => (
  <TypedInput {...props} format={dayOrTyped} parse={isoDay} placeholder="dd/mm/aaaa" />
);
