import { expect, test } from 'bun:test';
import { instantOf } from '../../../src/web/requisicoes/instant.ts';

test('a moment in the usual written form is an instant of Brasília; other texts are sent unchanged', () => {
  expect(instantOf(' 31/01/2026 09:30 ')).toBe('2026-01-31T09:30:00-03:00');
  expect(instantOf('31/01/2026, 09:30:15')).toBe('2026-01-31T09:30:15-03:00');
  expect(instantOf('31/01/2026')).toBe('2026-01-31T00:00:00-03:00');
  for (const text of ['2026-01-31T12:00:00Z', 'amanhã', '']) expect(instantOf(text)).toBe(text);
});
