/** Checks a new password (contract section 27). The schema checks its length. */
import type { Problem } from '../errors.ts';
import { folded } from '../validation/text.ts';
import { problem } from './account-refusals.ts';
import type { User } from './model.ts';

/** Length from which a word of a name is not allowed: shorter words occur in many texts. */
const NAME_WORD_MIN_LETTERS = 4;

/** Returns the violation, if there is one. No message shows the password. */
export function passwordProblems(
  { documento, nome }: Pick<User, 'documento' | 'nome'>,
  password: string,
  path: string,
): Problem[] {
  const text = folded(password.normalize('NFKC'));
  const words = folded(nome)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => Array.from(word).length >= NAME_WORD_MIN_LETTERS);
  if (text.replaceAll(/[.\-/ ]/g, '').includes(documento))
    return [problem('weakPassword', path, 'contém o seu CPF; escolha uma senha sem ele.')];
  if (words.some((word) => text.includes(word)))
    return [
      problem(
        'weakPassword',
        path,
        `contém uma palavra do seu nome; escolha uma senha sem palavras de ${NAME_WORD_MIN_LETTERS} letras ou mais dele.`,
      ),
    ];
  return [];
}
