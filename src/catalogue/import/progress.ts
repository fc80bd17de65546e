/** Converts a job to the form that its readers receive. */
import { momentText } from '../../validation/calendar.ts';
import { type ImportJob, type ImportProgress, isOfSheet } from './model.ts';

export function progressIn(
  job: ImportJob,
): Omit<ImportProgress, 'correctedBy' | 'undoneBy' | 'cellsDropped'> {
  const { id, kind, source = null, tipo, modo, simular, fileName, sha256, state, error, total } = job;
  const { processed, created, newVersion, deactivated, unchanged, failed, failedNotKept } = job;
  const { createdAt, finishedAt } = job;
  const counts = { total, processed, created, newVersion, deactivated, unchanged, failed, failedNotKept };
  return {
    id,
    tipo,
    modo,
    simular,
    kind,
    changesMany: job.changesMany === true,
    corrects: kind === 'correcao' ? source : null,
    undoes: kind === 'desfazer' ? source : null,
    fromSheet: isOfSheet(job),
    cpfCnpjRaiz: job.company,
    fileName,
    sha256,
    state,
    error,
    ...counts,
    resultsForgotten: job.forgotten !== 0,
    notices: job.notices.map((message) => ({ message })),
    madeBy: job.documento,
    proposal: job.proposal?.id ?? null,
    proposedBy: job.proposal?.by ?? null,
    createdAt: momentText(createdAt),
    finishedAt: finishedAt === null ? null : momentText(finishedAt),
  };
}
