/** What the log says of what failed. */
import { expect, test } from 'bun:test';
import { OperatorError } from '../../src/errors.ts';
import { faultOf } from '../../src/log/log.ts';

test('a fault of ours is told with where it is, what an operator can mend by its message alone', () => {
  expect(faultOf(new TypeError('x is undefined'))).toMatch(/TypeError: x is undefined\n\s+at /);
  const told = 'A tabela de atributos não foi buscada: o servidor respondeu 503.';
  expect(faultOf(new OperatorError(told))).toBe(told);
});
