/** The log lines of failures. */
import { expect, test } from 'bun:test';
import { OperatorError } from '../../src/errors.ts';
import { faultOf } from '../../src/log/log.ts';

test('an internal fault is logged with its place, and a fault that an operator can fix with its message only', () => {
  expect(faultOf(new TypeError('x is undefined'))).toMatch(/TypeError: x is undefined\n\s+at /);
  const message = 'A tabela de atributos não foi buscada: o servidor respondeu 503.';
  expect(faultOf(new OperatorError(message))).toBe(message);
});
