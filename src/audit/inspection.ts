/**
 * Verifies the whole trail of a server in the background, because the last page does not show changes before
 * it.
 */
import type { DataFolder } from '../db/folder.ts';
import type { Reads } from '../reading/pool.ts';
import { streamOf } from '../reading/stream.ts';
import { SYSTEM } from '../session/model.ts';
import type { Fault } from './fault.ts';
import type { SealUpdater } from './seal-updater.ts';
import type { TrailRead } from './complete-check.ts';

/** Verifies the trail and records a fault in it. An interrupted check runs again at the next start. */
export async function inspectTrail(parts: {
  readonly reads: Reads<TrailRead>;
  readonly sealUpdater: SealUpdater;
  readonly folder: Pick<DataFolder, 'path'>;
}): Promise<void> {
  const { reads, sealUpdater, folder } = parts;
  try {
    const read = reads.read({ kind: 'trail', folder: folder.path }, { user: SYSTEM });
    const text = await new Response(streamOf(read)).text();
    const fault = JSON.parse(text) as Fault | null;
    if (fault !== null) await sealUpdater.inspect(fault);
  } catch {
    // The reader logs its failures.
  }
}
