/** Drafts of the specification, which only batches create (contract section 5). */
import { describe, expect, test } from 'bun:test';
import {
  COMPANY,
  ITEM,
  OF_COMPANY,
  PATH,
  YESTERDAY,
  include,
  listed,
  operacoesOf,
  productsForEachTest,
  sendItem,
  succeed,
} from './support.ts';

describe('a draft', () => {
  const open = productsForEachTest();
  const draft = (change: object = {}) => ({
    seq: 1,
    cpfCnpjRaiz: COMPANY,
    situacao: 'RASCUNHO',
    denominacao: 'R',
    ...change,
  });

  test('requires only its denominacao', async () => {
    const { server, demo } = open();
    expect((await sendItem(demo, draft({ denominacao: '' }))).erros).toEqual([
      expect.stringMatching(/^denominacao: /),
    ]);
    expect(await sendItem(demo, draft())).toMatchObject({ codigo: '1', versao: '1' });
    expect(await listed(demo)).toMatchObject([
      { situacao: 'RASCUNHO', modalidade: null, ncm: null, descricao: null },
    ]);
    expect(operacoesOf(server)).toEqual(['INCLUSAO']);
  });

  test('must be well-formed, without a repeated internal code', async () => {
    const { demo } = open();
    expect((await sendItem(demo, draft({ ncm: '1' }))).sucesso).toBe(false);
    expect((await sendItem(demo, draft({ codigosInterno: ['a', 'a'] }))).sucesso).toBe(false);
    expect((await sendItem(demo, draft({ dataReferencia: YESTERDAY }))).sucesso).toBe(false);
  });

  test('is refused for an active or deactivated product', async () => {
    const { demo } = open();
    await include(demo);
    for (const expected of ['ATIVADO', 'DESATIVADO']) {
      expect((await sendItem(demo, draft({ codigo: 1 }))).erros).toEqual([
        expect.stringContaining(`está ${expected}`),
      ]);
      await demo.call('PUT', `${PATH}/desativar/${COMPANY}/1`);
    }
  });

  test('is edited in place and keeps version 1', async () => {
    const { server, demo } = open();
    await sendItem(demo, draft({ codigosInterno: ['a'], ncm: '73181500' }));
    expect(await sendItem(demo, draft({ codigo: 1, denominacao: 'Outro' }))).toMatchObject({
      codigo: '1',
      versao: '1',
    });
    expect(await listed(demo)).toMatchObject([{ denominacao: 'Outro', ncm: null, codigosInterno: [] }]);
    expect(operacoesOf(server)).toHaveLength(2);
  });

  test.each([[{}], [{ situacao: 'ATIVADO' }], [{ situacao: 'ativado', versao: '1' }]])(
    'becomes active version 1 by an item with %p, with full validation',
    async (change) => {
      const { server, demo } = open();
      await sendItem(demo, draft());
      const { situacao: _, ...incomplete } = draft({ codigo: 1 });
      expect((await sendItem(demo, { ...incomplete, ...change })).erros).toHaveLength(2);
      expect(await sendItem(demo, { ...ITEM, codigo: 1, ...change })).toMatchObject({
        codigo: '1',
        versao: '1',
      });
      expect(succeed(await demo.call('GET', `${OF_COMPANY}/1/1`)).situacao).toBe('ATIVADO');
      expect(operacoesOf(server).at(-1)).toBe('ATIVACAO');
    },
  );
});
