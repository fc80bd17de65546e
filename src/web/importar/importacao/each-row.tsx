/** Dialog for the rows that were refused for one reason, each with its own value. */
import type { JSX } from 'preact';
import type { ImportProgress, ImportReason, ImportResult } from '../../api/answers.ts';
import { useResource } from '../../api/use-resource.ts';
import { EACH_MAX, fillsOf } from '../../kit/each/cells.ts';
import { EachDialog } from '../../kit/each/each-dialog.tsx';
import { ResourceView } from '../../ui/page.tsx';
import { failedOf } from './all-results.ts';
import { type Values, rowKey } from './chosen-corrections.ts';
import { resultOf } from '../../api/result.ts';

export interface EachRowProps {
  readonly job: ImportProgress;
  readonly importReason: ImportReason;
  readonly values: Values;
  /** Called with the values of the rows in the dialog; '' where none is filled in. */
  readonly onFill: (values: Values) => void;
  readonly onClose: () => void;
}

export function EachRow({ job, importReason, values, onFill, onClose }: EachRowProps): JSX.Element {
  const failed = useResource<readonly ImportResult[]>(failedOf(job.id));
  const fills = fillsOf(importReason);
  return (
    <ResourceView resource={failed}>
      {(results) => {
        const rows = results
          .filter(isRefusedFor(importReason))
          .slice(0, EACH_MAX)
          .map(({ row, line, name }) => ({ number: row ?? line, name: name ?? '', currentOf: () => '' }));
        const keys = rows.map(({ number }) =>
          fills.map(({ target }) => rowKey(importReason, target, number)),
        );
        return (
          <EachDialog
            storageKey={JSON.stringify([job.id, importReason.reason, importReason.member])}
            fills={fills}
            words={['linha', 'linhas']}
            rows={rows}
            initial={keys.map((row) => row.map((key) => values[key] ?? ''))}
            submit="Usar estes valores"
            send={async (cells) => resultOf(cells)}
            onDone={(cells) =>
              onFill(
                Object.fromEntries(
                  keys.flatMap((row, index) => row.map((key, column) => [key, cells[index]?.[column] ?? ''])),
                ),
              )
            }
            onClose={onClose}
          />
        );
      }}
    </ResourceView>
  );
}

const isRefusedFor =
  ({ reason, member }: ImportReason) =>
  ({ problems }: ImportResult): boolean =>
    problems.some((problem) => problem.code === reason && problem.member === member);
