/** Proposes the change of one record: what a form sends for whoever may only propose. */
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

/** Problems of the content keep the places that they have in the form of the operation itself. */
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

/** The page of a proposal, which shows what it would change. */
export const addressOfProposal = (cpfCnpjRaiz: string, id: number): string =>
  `/importar/${id}?cpfCnpjRaiz=${cpfCnpjRaiz}`;
