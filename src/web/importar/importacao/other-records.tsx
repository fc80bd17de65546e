/** Examples of records that an import makes something else: another name, another NCM (contract section 24). */
import type { JSX } from 'preact';
import { hasIdentity, identityChanges } from '../../../catalogue/members/identity.ts';
import type { ImportProgress, ImportResult } from '../../api/answers.ts';
import { useResource } from '../../api/use-resource.ts';
import { Notice } from '../../ui/alert.tsx';
import { Changes } from '../../ui/changes.tsx';
import { resultsPath } from './all-results.ts';

const EXAMPLES = { others: 'true', limit: 3 };

/** Returns true if the import may have such records. */
export const changesRecords = ({ tipo, newVersion, resultsForgotten }: ImportProgress): boolean =>
  newVersion > 0 && !resultsForgotten && hasIdentity(tipo);

export function OtherRecords({ job }: { readonly job: ImportProgress }): JSX.Element | null {
  // The table of the results below reports an error.
  const examples = useResource<readonly ImportResult[]>(resultsPath(job.id), { query: EXAMPLES }).value ?? [];
  if (examples.length === 0) return null;
  return (
    <Notice tone="warn">
      <p>{job.simular ? 'Passaria a ser outro, por exemplo:' : 'Passou a ser outro, por exemplo:'}</p>
      <ul class="plain">
        {examples.map(({ index, codigo, changes }) => (
          <li key={index}>
            {job.tipo === 'produto' ? 'Produto' : 'Operador'} <span class="code">{codigo}</span>
            <Changes changes={identityChanges(job.tipo, changes)} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}
