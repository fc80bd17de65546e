/** What remotes refused and nobody changed since, as what is wrong with each product: for the queue of what waits to be mended. */
import type { Db } from '../../db/open.ts';
import type { ItemProblem } from '../../errors.ts';
import { standingsByRemote } from './service.ts';
import type { Standing } from './standing.ts';

/** A reason is asked for by no more. */
const REASON_CHARACTERS = 40;
const WITHOUT_WORDS = 'recusado';

/** By the code of the product; `''` where others may have their turn. */
export function* refusedProblems(
  db: Db,
  cpfCnpjRaiz: string,
): Generator<string, ReadonlyMap<number, readonly ItemProblem[]>> {
  const problems = new Map<number, readonly ItemProblem[]>();
  for (const [remote, standings] of standingsByRemote(db, cpfCnpjRaiz)) {
    for (const codigo of yield* standings.codesIn('recusado')) {
      const standing = standings.of(codigo);
      if (standing === undefined) continue;
      problems.set(codigo, [...(problems.get(codigo) ?? []), problemOf(remote, standing)]);
    }
    yield '';
  }
  return problems;
}

/** The remote's own code, or the beginning of its words. */
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
