/** Ignored members of an item of a file, and their notices (contract section 3). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { ERRORS_KEPT } from '../../../src/catalogue/import/model.ts';
import { ERROR_CHARACTERS_KEPT } from '../../../src/catalogue/import/slice.ts';
import { type TestImports, openImports, product } from './support.ts';

let imports: TestImports;

beforeEach(async () => {
  imports = await openImports();
});

afterEach(() => imports.close());

describe('an item', () => {
  test('with unknown members is accepted without them, with a notice on its row; a misspelt member is an error', async () => {
    const { results } = await imports.run([
      product(1, { estoque: 7, 'a/b': [1], atributos: [{ atributo: 'ATT_1', valor: '1', unidade: 'kg' }] }),
      product(2, { descricoa: 'x', estoque: 7 }),
      product(3, { situacao: 'DESATIVADO', estoque: 7 }),
    ]);
    expect(results[0]).toMatchObject({
      outcome: 'created',
      errors: [],
      notices: [
        { path: '/estoque', message: 'Membro desconhecido "estoque"; foi deixado de lado.' },
        { path: '/a~1b', message: 'Membro desconhecido "a/b"; foi deixado de lado.' },
        { path: '/atributos/0/unidade', message: 'Membro desconhecido "unidade"; foi deixado de lado.' },
      ],
    });
    expect(results[1]).toMatchObject({
      outcome: 'failed',
      problems: [
        {
          path: '/descricoa',
          message: expect.stringContaining("Você quis dizer 'descricao'?"),
          about: { suggestion: 'descricao' },
        },
      ],
      notices: [{ path: '/estoque' }],
    });
    expect(results[2]).toMatchObject({ outcome: 'failed', notices: [{ path: '/estoque' }] });
  });

  test('keeps a limited number of notices and characters of them; more names are refused', async () => {
    const named = (count: number, length: number): object =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`${'y'.repeat(length)}${String(at).padStart(4, '0')}`, 1]),
      );
    const { results } = await imports.run([
      product(1, named(ERRORS_KEPT + 1, 10)),
      product(2, named(9, 1500)),
      product(3, named(300, 11)),
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'failed']);
    expect(results[0]?.notices).toHaveLength(ERRORS_KEPT);
    const notices = results[1]?.notices ?? [];
    expect(notices.length).toBeGreaterThan(2);
    const characters = notices.reduce((sum, { path, message }) => sum + path.length + message.length, 0);
    expect(characters).toBeLessThanOrEqual(ERROR_CHARACTERS_KEPT);
  });
});
