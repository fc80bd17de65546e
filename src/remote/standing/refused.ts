/**
 * Problems of products that remotes refused and nobody changed since, for the list of products to correct.
 */
import type { Db } from '../../db/open.ts';
import type { ItemProblem } from '../../errors.ts';
import { standingsByRemote } from './service.ts';
import type { Standing } from './standing.ts';

/** The length limit of a reason in a filter. */
const REASON_CHARACTERS = 40;
const WITHOUT_WORDS = 'recusado';

/** Yields the problems by product code. `''`: other reads may run. */
export function* refusedProblems(
  db: Db,
  cpfCnpjRaiz: string,
): Generator<string, ReadonlyMap<number, readonly ItemProblem[]>> {
  const problems = new Map<number, readonly ItemProblem[]>();
  for (const [remote, standings] of standingsByRemote(db, cpfCnpjRaiz)) {
    for (const codigo of yield* standings.codesIn('recusado')) {
      const standing = standings.find(codigo);
      if (standing === undefined) continue;
      problems.set(codigo, [...(problems.get(codigo) ?? []), problemOf(remote, standing)]);
    }
    yield '';
  }
  return problems;
}

/** Returns the problem with the remote's own code, or with the beginning of its message. */
function problemOf(remote: string, { code, reason }: Standing): ItemProblem {
  const words = reason ?? WITHOUT_WORDS;
  return {
    code: Array.from(code ?? words)
      .slice(0, REASON_CHARACTERS)
      .join('')
      .trim(),
    message: words,
    path: '',
    heading: `Remoto ${remote}`,
    member: `remoto:${remote}`,
  };
}
