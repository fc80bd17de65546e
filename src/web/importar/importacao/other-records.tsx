/** Examples of records that an import makes something else: another name, another NCM (contract section 24). */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ImportProgress, ImportResult } from '../../api/answers.ts';
import { onePage } from '../../api/pages.ts';
import { useAsking } from '../../api/use-asking.ts';
import { Notice } from '../../ui/alert.tsx';
import { Changes } from '../../ui/changes.tsx';
import { pageOfResults, resultsPath } from './all-results.ts';
import type { ImportKind } from '../kinds.ts';

/** Members that say what a record is. */
const SAYS_WHAT: Partial<Record<ImportKind, readonly string[]>> = {
  produto: ['denominacao', 'ncm'],
  'operador-estrangeiro': ['nome', 'codigoPais'],
};

const EXAMPLES = 3;
const PAGE = { size: 1000, pageOf: pageOfResults };
/** Maximum number of requests for examples. */
const PAGES = 10;

/** Returns true if the import may have such records. */
export const changesRecords = ({ tipo, newVersion, resultsForgotten }: ImportProgress): boolean =>
  newVersion > 0 && !resultsForgotten && SAYS_WHAT[tipo] !== undefined;

export function OtherRecords({ job }: { readonly job: ImportProgress }): JSX.Element | null {
  const [examples, setExamples] = useState<readonly ImportResult[]>([]);
  useAsking(String(job.id), async (signal) => {
    const records = await examplesOf(job, signal);
    if (!signal.aborted) setExamples(records);
  });
  if (examples.length === 0) return null;
  return (
    <Notice tone="warn">
      <p>{job.simular ? 'Passaria a ser outro, por exemplo:' : 'Passou a ser outro, por exemplo:'}</p>
      <ul class="plain">
        {examples.map(({ index, codigo, changes }) => (
          <li key={index}>
            {job.tipo === 'produto' ? 'Produto' : 'Operador'} <span class="code">{codigo}</span>
            <Changes of={changes} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

async function examplesOf(job: ImportProgress, signal: AbortSignal): Promise<readonly ImportResult[]> {
  const members = SAYS_WHAT[job.tipo] ?? [];
  const examples: ImportResult[] = [];
  let after: string | number | null | undefined;
  for (let page = 0; page < PAGES && after !== null && examples.length < EXAMPLES; page += 1) {
    const query = { outcome: 'newVersion', after };
    const answer = await onePage<ImportResult>(resultsPath(job.id), query, { ...PAGE, signal });
    // The table of the results below reports the error.
    if (!answer.ok) break;
    for (const result of answer.value.items) {
      // A member that was empty before is filled in, and makes no other record.
      const changes = result.changes.filter(
        ({ member, before }) => members.includes(member) && before !== null,
      );
      if (changes.length > 0) examples.push({ ...result, changes });
    }
    after = answer.value.next;
  }
  return examples.slice(0, EXAMPLES);
}
