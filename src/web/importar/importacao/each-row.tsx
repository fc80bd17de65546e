/** Dialog for the rows that were refused for one reason, each with its own value. */
import type { JSX } from 'preact';
import type { Corrections, ImportProgress, ImportReason, ImportResult } from '../../api/answers.ts';
import { useResource } from '../../api/use-resource.ts';
import { type Cells, EACH_MAX, type Fill } from '../../kit/each/cells.ts';
import { EachDialog, type EachDialogProps } from '../../kit/each/each-dialog.tsx';
import { Fetched } from '../../ui/page.tsx';
import { failedOf } from './all-results.ts';

export interface EachRowProps extends Pick<EachDialogProps, 'sending' | 'onClose' | 'submit'> {
  readonly job: ImportProgress;
  readonly of: ImportReason;
  readonly fills: readonly Fill[];
  readonly onSubmit: (set: Corrections['set']) => void;
}

export function EachRow({ job, of, fills, onSubmit, ...dialog }: EachRowProps): JSX.Element {
  const failed = useResource<readonly ImportResult[]>(failedOf(job.id));
  return (
    <Fetched of={failed}>
      {(results) => {
        const rows = results.filter(isRefusedFor(of)).slice(0, EACH_MAX);
        return (
          <EachDialog
            {...dialog}
            fills={fills}
            words={['linha', 'linhas']}
            rows={rows.map(({ row, line, name }) => ({
              number: row ?? line,
              name: name ?? '',
              now: () => '',
            }))}
            onSubmit={(cells) => onSubmit(setOf(of, fills, rows, cells))}
          />
        );
      }}
    </Fetched>
  );
}

const isRefusedFor =
  ({ reason, member }: ImportReason) =>
  ({ problems }: ImportResult): boolean =>
    problems.some((problem) => problem.code === reason && problem.member === member);

/** Returns one correction for each value of a member, with the rows that have it. */
const setOf = (
  { reason }: ImportReason,
  fills: readonly Fill[],
  rows: readonly ImportResult[],
  cells: Cells,
): Corrections['set'] =>
  fills.flatMap(({ target: member }, column) =>
    [...Map.groupBy(rows, (_, at) => cells[at]?.[column] ?? '')]
      .filter(([value]) => value !== '')
      .map(([value, given]) => ({ reason, member, value, rows: given.map(({ row, line }) => row ?? line) })),
  );
