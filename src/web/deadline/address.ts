import type { Deadline } from '../api/answers.ts';
import { queryOf } from '../api/client.ts';

/** Returns the address of the products that lack an attribute, where they can be changed together. */
export const lackingAddress = (cpfCnpjRaiz: string, { on, ncm, codigo, modalidade }: Deadline): string =>
  `/produtos${queryOf({ cpfCnpjRaiz, ncm, deadline: on, lacks: codigo ?? '', lacksFor: modalidade ?? '' })}`;
