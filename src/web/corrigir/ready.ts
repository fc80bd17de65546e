/** Words for the products that can be activated. */
import { withCount } from '../words.ts';

/** Returns the sentence about products that can be activated. `losing`: how many of them lose values. */
export function readyInWords(ready: number, losing: number): string {
  const activatableText = withCount(
    ready,
    'produto não tem mais nada que falte e pode ser ativado',
    'produtos não têm mais nada que falte e podem ser ativados',
  );
  if (losing === 0) return `${activatableText} ${ready === 1 ? 'como está' : 'como estão'}.`;
  const losingText = withCount(
    losing,
    'perde valores de atributos que nada mais pede',
    'perdem valores de atributos que nada mais pede',
  );
  return `${activatableText}. ${losingText}: a conferência mostra quais, antes de gravar.`;
}
