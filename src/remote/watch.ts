/**
 * Job that compares every remote that has a connection with each of its companies, one after the other
 * (contract section 18).
 */
import type { Clock } from '../clock.ts';
import type { Writer } from '../db/writer.ts';
import { OperatorError } from '../errors.ts';
import { SYSTEM } from '../session/model.ts';
import { comparedByOtherProcess } from './comparisons.ts';
import type { ExportFetcher } from './exports.ts';
import type { Comparison, Remote } from './model.ts';
import type { RemoteLocks } from './remote-locks.ts';
import type { ComparisonRunner } from './runner.ts';
import type { RemoteStore } from './store.ts';
import { remoteWork } from './service.ts';

export function createRemoteWatch({
  store,
  writer,
  runner,
  fetcher,
  clock,
  remoteLocks,
  hasConnection,
}: {
  readonly store: RemoteStore;
  readonly writer: Writer;
  readonly runner: ComparisonRunner;
  readonly fetcher: ExportFetcher;
  readonly clock: Clock;
  readonly remoteLocks: RemoteLocks;
  readonly hasConnection: (remoteId: number) => boolean;
}) {
  /** Runs the job once. Throws after all comparisons when one failed. */
  async function runOnce(): Promise<{ readonly comparisons: number }> {
    const failed: string[] = [];
    let comparisons = 0;
    for (const remote of store.list().filter(({ id }) => hasConnection(id)))
      for (const cpfCnpjRaiz of remote.companies) {
        const comparison = await compare(remote, cpfCnpjRaiz);
        if (comparison?.state === 'failed')
          failed.push(`${remote.name}, ${cpfCnpjRaiz}: ${comparison.error?.message ?? ''}`);
        // A stop interrupted the job, or the manual clock must move. The comparison under way continues
        // automatically.
        else if (comparison?.state !== 'done') return { comparisons };
        comparisons += 1;
      }
    if (failed.length > 0)
      throw new OperatorError(`Comparações que não puderam ser feitas: ${failed.join(' ')}`);
    return { comparisons };
  }

  /** Uses the server's loop when it runs in this process, because it makes one comparison at a time. */
  async function compare(
    { id: remoteId, name: remote }: Remote,
    cpfCnpjRaiz: string,
  ): Promise<Comparison | undefined> {
    const { isServing } = runner;
    // A server would end the comparison of a command that holds no lock.
    using lock = isServing ? undefined : remoteLocks.takeComparison({ remoteId, cpfCnpjRaiz });
    if (!isServing && lock === undefined) throw comparedByOtherProcess(remote, cpfCnpjRaiz);
    const by = isServing
      ? ({ documento: SYSTEM, state: 'queued' } as const)
      : ({ documento: '', state: 'running' } as const);
    const newComparison = { remoteId, cpfCnpjRaiz, forced: false, files: null, byJob: true, ...by };
    const id = await writer.write((tx) => {
      const inserted = store.insertComparison(newComparison, tx.now);
      tx.record(remoteWork({ id: inserted, remote, cpfCnpjRaiz }, 'COMPARACAO', SYSTEM));
      return inserted;
    });
    if (isServing) {
      runner.wake();
      await Promise.race([runner.idle(remoteId), ...(clock.test ? [fetcher.whenWaiting(remoteId)] : [])]);
    } else await runner.fetchAndRun(id);
    return store.findComparison(id);
  }

  return { runOnce };
}
