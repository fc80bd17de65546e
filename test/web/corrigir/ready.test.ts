import { expect, test } from 'bun:test';
import { readyInWords } from '../../../src/web/corrigir/ready.ts';

test.each([
  [1, 0, '1 produto não tem mais nada que falte e pode ser ativado como está.'],
  [3, 0, '3 produtos não têm mais nada que falte e podem ser ativados como estão.'],
  [
    3,
    1,
    '3 produtos não têm mais nada que falte e podem ser ativados. 1 perde valores de atributos que nada mais pede: a conferência mostra quais, antes de gravar.',
  ],
])('of %d ready products %d lose values: only with none is "como estão" offered', (ready, losing, words) => {
  expect(readyInWords(ready, losing)).toBe(words);
});
