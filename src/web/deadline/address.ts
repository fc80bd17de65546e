import type { Deadline } from '../api/answers.ts';
import { queryOf } from '../api/client.ts';

/** The list of products that lack something: there they are changed many at once. */
export const lackingAddress = (cpfCnpjRaiz: string, { on, ncm, codigo, modalidade }: Deadline): string =>
  `/produtos${queryOf({ cpfCnpjRaiz, ncm, deadline: on, lacks: codigo ?? '', lacksFor: modalidade ?? '' })}`;
