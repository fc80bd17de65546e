/** Content for a catalogue without such a record, with the first step. */
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import { addressFor } from '../../api/use-company.ts';

export interface NothingYetProps {
  /** `produtos neste catálogo` */
  readonly what: string;
  readonly company: string;
  /** `um produto novo` and its address; absent without write permission. */
  readonly first?: readonly [what: string, address: string] | undefined;
}

export const NothingYet = ({ what, company, first }: NothingYetProps): JSX.Element => (
  <>
    <p>Ainda não há {what}.</p>
    {first !== undefined && (
      <p>
        Comece por <Link href={first[1]}>{first[0]}</Link>, ou{' '}
        <Link href={addressFor('/importar', company)}>importe um arquivo</Link>.
      </p>
    )}
  </>
);
