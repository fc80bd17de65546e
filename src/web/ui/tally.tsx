/** A number with its name; several stand in `<dl class="tally">`. */
import type { JSX } from 'preact';
import { count } from '../words.ts';

export const Tally = ({
  name,
  value,
  bad = false,
}: {
  readonly name: string;
  readonly value: number;
  readonly bad?: boolean;
}): JSX.Element => (
  <div class={bad ? 'bad' : ''}>
    <dt>{name}</dt>
    <dd>{count(value)}</dd>
  </div>
);
