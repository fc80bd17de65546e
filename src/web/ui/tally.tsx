/** Number with its name, optionally with a link to the counted items. Several form a `<dl class="tally">`. */
import { Link } from 'wouter-preact';
import { countText } from '../words.ts';

export const Tally = ({
  name,
  value,
  href,
  bad = false,
}: {
  readonly name: string;
  readonly value: number | string;
  readonly href?: string;
  readonly bad?: boolean;
}) => (
  <div class={bad ? 'bad' : ''}>
    <dt>{href === undefined ? name : <Link href={href}>{name}</Link>}</dt>
    <dd>{typeof value === 'string' ? value : countText(value)}</dd>
  </div>
);
