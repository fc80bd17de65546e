/** Protects a proposed dry run until somebody decides (contract section 27). */
import { unprocessable } from '../../errors.ts';
import { violated } from '../codes.ts';
import type { ImportJob } from './model.ts';

/** Throws 422 for a proposal that waits: its rows stay as they are until somebody decides. */
export function refuseAwaiting(job: Pick<ImportJob, 'id' | 'state'> | undefined): void {
  if (job?.state !== 'awaiting') return;
  const message = `A simulação ${job.id} foi proposta e espera uma decisão; retire a proposta antes.`;
  throw unprocessable([violated('awaitingDecision', null, message)]);
}
