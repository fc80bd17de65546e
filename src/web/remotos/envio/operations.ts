/** Counts the steps of a run. */
import { KIND_NAMES, OPERATIONS } from '../words.ts';
import type { Run, RunOperation, RunStep } from '../../api/answers.ts';
import { withCount } from '../../words.ts';

export interface OperationCount extends Pick<RunOperation, 'kind' | 'operation'> {
  readonly count: number;
}

const ORDER = Object.keys(OPERATIONS) as readonly RunStep['operation'][];

/** Returns the pending steps by kind and operation. */
export const toDo = ({ operations }: Run): readonly OperationCount[] =>
  operations
    .filter(({ outcome }) => outcome === 'pending')
    .toSorted(
      (runOperation, other) =>
        KIND_NAMES.indexOf(runOperation.kind) - KIND_NAMES.indexOf(other.kind) ||
        ORDER.indexOf(runOperation.operation) - ORDER.indexOf(other.operation),
    );

export const sum = (counts: readonly Pick<OperationCount, 'count'>[]): number =>
  counts.reduce((total, { count }) => total + count, 0);

/** Counts the deactivated products and operators, which the limit applies to. */
export const deactivations = (run: Run): number =>
  sum(toDo(run).filter(({ operation }) => operation === 'deactivate'));

export const deactivationsText = (deactivated: number): string =>
  withCount(deactivated, 'produto ou operador será desativado', 'produtos e operadores serão desativados');
