/** Decides whether an import can be proposed (contract section 27). */
import { unprocessable } from '../../errors.ts';
import { violated } from '../codes.ts';
import type { ImportJob } from '../import/model.ts';
import { refuseAwaiting } from '../import/awaiting.ts';
import type { ImportService } from '../import/service.ts';

/** Returns the import with its company. Throws 422 if it is not a dry run that somebody could approve. */
export function proposable(imports: ImportService, job: ImportJob): ImportJob & { readonly company: string } {
  refuseAwaiting(job);
  const { id, company } = job;
  const reason = reasonNotTo(job) ?? reasonOfRows(imports, job);
  if (reason !== undefined || company === null)
    throw unprocessable([
      violated('notProposable', null, `A importação ${id} não pode ser proposta: ${reason ?? SEVERAL}.`),
    ]);
  return { ...job, company };
}

const NOTHING = 'nenhuma de suas linhas mudaria algo; não há o que aprovar';
const SEVERAL =
  'suas linhas são de várias empresas, ou não dizem de qual; envie um arquivo para cada empresa';

function reasonNotTo({ simular, state, kind, company, created, newVersion, deactivated }: ImportJob) {
  if (!simular || kind === 'remoto') return 'não é uma simulação; simule antes, e proponha a simulação';
  if (state === 'queued' || state === 'running')
    return 'a simulação ainda não terminou; espere até que termine';
  if (state !== 'done') return 'a simulação não terminou bem; simule de novo';
  if (company === null) return SEVERAL;
  if (created + newVersion + deactivated === 0) return NOTHING;
  return undefined;
}

function reasonOfRows(imports: ImportService, job: ImportJob): string | undefined {
  if (job.forgotten !== 0 || !imports.hasFirstResult(job))
    return 'seus resultados foram apagados; simule de novo';
  if (!imports.keepsRows(job)) return 'suas linhas não são mais guardadas; envie o arquivo e simule de novo';
  return undefined;
}

/** Returns the refusal of a record that is already as proposed. */
export const nothingToApprove = () =>
  unprocessable([
    violated('notProposable', null, 'O registro já está como na proposta; não há o que aprovar.'),
  ]);
