/** Finding products of an impact by what is typed. */
import type { InvalidProduct } from '../api/answers.ts';
import { folded } from '../words.ts';
import { dotted } from './words.ts';

/** Every word stands in the company, the code, the NCM or a reason; a code alone is that product, not all that contain it. */
export function matching(typed: string): (product: InvalidProduct) => boolean {
  const words = folded(typed).split(/\s+/).filter(Boolean);
  return ({ cpfCnpjRaiz, codigo, ncm, problems }) => {
    const text = folded([ncm, dotted(ncm), cpfCnpjRaiz, ...problems.map(({ message }) => message)].join(' '));
    return words.every((word) => String(codigo) === word || text.includes(word));
  };
}
