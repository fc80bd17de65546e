/** Placeholder that `scripts/build.ts` replaces with the texts inside the executable. */
import { OperatorError } from '../errors.ts';

export function licencesText(): string {
  throw new OperatorError(
    'As licenças vêm no executável, e este programa corre das fontes. Faça o executável com ./scripts/build.',
  );
}
