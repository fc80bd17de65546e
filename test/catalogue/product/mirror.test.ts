import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { AppliedItem } from '../../../src/catalogue/batch.ts';
import { messagesOf } from '../../../src/catalogue/batch.ts';
import { type TestApp, openApp } from '../../support/app.ts';
import { DEMO } from '../../support/caller.ts';

const CONTENT = { denominacao: 'Produto movido', modalidade: 'IMPORTACAO', ncm: '73181500' };

/** An item of an exported catalogue, moved here in `modo=espelho` (contract section 7). */
const ITEM = {
  seq: 1,
  codigo: 500,
  cpfCnpjRaiz: '12345678',
  ...CONTENT,
  situacao: 'Ativado',
  versao: '3.1',
};

describe('A product moved in mode espelho', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openApp();
  });
  afterAll(() => app.close());

  const move = (item: object): Promise<AppliedItem> => {
    const { writer, catalogue } = app.app.core;
    return writer.write((tx) => catalogue.product.items.apply(tx, DEMO, item, 'espelho', 'file'));
  };
  const refusal = (item: object): Promise<string[]> =>
    move(item).then(
      () => [],
      (error: unknown) => messagesOf(error),
    );

  test('is refused without code or version, naming each', async () => {
    const { codigo: _, versao: __, ...bare } = ITEM;
    expect(await refusal(bare)).toEqual([
      expect.stringContaining('codigo: '),
      expect.stringContaining('versao: '),
    ]);
  });

  test('keeps its code and version, and the next product takes the code after it', async () => {
    expect(await move(ITEM)).toEqual({ codigo: '500', versao: '3.1', outcome: 'created' });
    const demo = await app.as('demo');
    expect((await demo.call('GET', '/catp/api/ext/produto/12345678/500/3.1')).json).toMatchObject({
      codigo: 500,
      versao: '3.1',
      situacao: 'ATIVADO',
    });
    const included = await demo.call('POST', '/catp/api/ext/produto/12345678', CONTENT);
    expect(included.json.codigo).toBe(501);
  });

  test('is unchanged when it comes again, and other content under its version is refused', async () => {
    expect((await move(ITEM)).outcome).toBe('unchanged');
    expect(await refusal({ ...ITEM, denominacao: 'Outro' })).toEqual([
      expect.stringContaining('já está guardada e tem outro conteúdo'),
    ]);
  });

  test('takes later versions only', async () => {
    expect(await refusal({ ...ITEM, versao: '2', denominacao: 'Antes' })).toEqual([
      expect.stringContaining('já está na versão 3.1'),
    ]);
    expect(await move({ ...ITEM, versao: '4', denominacao: 'Depois' })).toEqual({
      codigo: '500',
      versao: '4',
      outcome: 'newVersion',
    });
  });

  test('is deactivated when only that happened meanwhile, and is not activated under the same version', async () => {
    const later = { ...ITEM, versao: '4', denominacao: 'Depois' };
    expect((await move({ ...later, situacao: 'Desativado' })).outcome).toBe('newVersion');
    expect(await refusal(later)).toEqual([expect.stringContaining('está DESATIVADO, e não ATIVADO')]);
  });

  test('may use the last code that ten digits hold; after it nothing can be included', async () => {
    await move({ ...ITEM, codigo: 9_999_999_999, denominacao: 'O último' });
    const demo = await app.as('demo');
    const reply = await demo.call('POST', '/catp/api/ext/produto/12345678', CONTENT);
    expect([reply.status, reply.json.detail[0].code]).toEqual([422, 'CATP-ER1025']);
  });
});
