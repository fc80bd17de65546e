/** Proposes the change of one record, for users who may only propose. */
import type { ImportStarted } from '../api/answers.ts';
import { api } from '../api/api.ts';
import type { Result } from '../api/result.ts';
import { PROPOSALS } from './proposals.ts';

export interface RecordChange {
  readonly cpfCnpjRaiz: string;
  readonly kind: 'produto' | 'operador' | 'vinculo';
  readonly operation: 'include' | 'newVersion' | 'rectify' | 'deactivate' | 'link' | 'unlink';
  readonly codigo?: string;
  readonly versao?: string;
  readonly content?: object;
}

/** Returns problems of the content at the places that the operation itself would report. */
export async function proposeRecord(change: RecordChange): Promise<Result<ImportStarted>> {
  const answer = await api.post<ImportStarted>(PROPOSALS, change);
  if (answer.ok) return answer;
  const problems = answer.error.problems.map((problem) => ({
    ...problem,
    place: problem.place.startsWith(IN_CONTENT) ? problem.place.slice(IN_CONTENT.length) : problem.place,
  }));
  return { ok: false, error: { ...answer.error, problems } };
}

const IN_CONTENT = 'content/';

/** Returns the address of the page that shows what a proposal would change. */
export const addressOfProposal = (cpfCnpjRaiz: string, id: number): string =>
  `/importar/${id}?cpfCnpjRaiz=${cpfCnpjRaiz}`;
