/** Development instance: a journal of its requests, faults on demand, a movable clock, and snapshots. */
import type { Feature } from '../feature.ts';
import type { AppContext } from '../app-context.ts';
import { type RequestHook, nestHooks } from '../../http/request-hook.ts';
import { lateFaultOf } from '../../http/kept-alive.ts';
import type { Neighbours } from '../../http/router.ts';
import type { DueWork } from '../../jobs/model.ts';
import type { Caller } from '../../session/model.ts';
import { type ConformityNeeds, openConformity } from './conformity.ts';
import { type FaultParts, type Faults, openFaults } from './fault.ts';
import type { Conformity } from '../../dev/conformity/conformity.ts';
import { conformityRoutes } from '../../dev/conformity/routes.ts';
import { adviserWith } from '../../dev/journal/advice.ts';
import { Journal } from '../../dev/journal/journal.ts';
import { LiveStreams } from '../../dev/journal/live.ts';
import { journalRoutes } from '../../dev/journal/routes.ts';
import { refill } from '../../dev/reset.ts';
import { devRoutes } from '../../dev/routes.ts';
import { tableAdvice } from '../../dev/table-advice.ts';
import { StubFolder } from '../../dev/stubs/folder.ts';
import { stubNeighbours } from '../../dev/stubs/neighbours.ts';
import { snapshotRoutes } from '../../dev/snapshot/routes.ts';
import { type SnapshotsOptions, Snapshots } from '../../dev/snapshot/service.ts';

export interface DevelopmentParts
  extends FaultParts, ConformityNeeds, Pick<SnapshotsOptions, 'pause' | 'onClockSet'> {
  readonly isSecure: (request: Request) => boolean;
  /** The attribute table, which decides what would have been valid. */
  readonly tableSource: Parameters<typeof tableAdvice>[0];
  /** Due background work, in the order in which a moved clock runs it. */
  readonly dueWork: readonly DueWork[];
  /** A folder of files that answer for other modules. */
  readonly stubs: string | undefined;
  /** Fills the instance when it is empty. */
  readonly fill: () => Promise<void>;
}

export interface Development extends Feature {
  /** Wraps each request. */
  readonly hook: RequestHook<Caller>;
  readonly journal: Journal;
  readonly snapshots: Snapshots;
  readonly conformity: Conformity;
  readonly beginFault: Faults['setInitialRule'];
  readonly neighbours: Neighbours<Caller> | undefined;
  /** Ends the streams that would keep a connection open forever. */
  readonly end: () => void;
}

export function openDevelopment(appContext: AppContext, parts: DevelopmentParts): Development {
  const { db, folder, clock, stopwatch, realTime, log, feed, writer } = appContext;
  const { isSecure, tableSource, dueWork, pause, onClockSet, fill, stubs } = parts;
  const journal = new Journal(clock, stopwatch, isSecure);
  const live = new LiveStreams(journal, realTime);
  const snapshots = new Snapshots({
    db,
    folder,
    clock,
    feed,
    writer,
    pause,
    onClockSet,
    refill: () => refill(appContext, fill),
  });
  const faults = openFaults(appContext, parts);
  const conformity = openConformity(appContext, parts);
  journal.listen(conformity.addFindings);
  feed.onReplaced(() => conformity.forgetPace());
  const reset = async (): Promise<void> => {
    await snapshots.reset();
    faults.reset();
    conformity.clear();
  };
  return {
    operations: () => [
      ...devRoutes({ dueWork, clock, realTime, reset, onLateFault: lateFaultOf(log) }),
      ...snapshotRoutes(snapshots),
      ...journalRoutes(journal, live, adviserWith(tableAdvice(tableSource))),
      ...conformityRoutes(conformity),
      ...(faults.operations?.() ?? []),
    ],
    hook: nestHooks(journal.hook, faults.hook),
    journal,
    snapshots,
    conformity,
    beginFault: faults.setInitialRule,
    neighbours: stubs === undefined ? undefined : stubNeighbours(new StubFolder(stubs)),
    end: () => live.end(),
  };
}
