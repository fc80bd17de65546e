/** Content for a catalogue without such a record, with the first step. */
import { Link } from 'wouter-preact';
import { addressFor } from '../../api/use-company.ts';

export interface NothingYetProps {
  /** `produtos neste catálogo` */
  readonly records: string;
  readonly company: string;
  /** `um produto novo` and its address; absent without write permission. */
  readonly firstStep?: readonly [what: string, address: string] | undefined;
}

export const NothingYet = ({ records, company, firstStep }: NothingYetProps) => (
  <>
    <p>Ainda não há {records}.</p>
    {firstStep !== undefined && (
      <p>
        Comece por <Link href={firstStep[1]}>{firstStep[0]}</Link>, ou{' '}
        <Link href={addressFor('/importar', company)}>importe um arquivo</Link>.
      </p>
    )}
  </>
);
