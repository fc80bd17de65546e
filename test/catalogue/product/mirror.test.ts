import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { AppliedItem } from '../../../src/catalogue/batch.ts';
import { messagesOf } from '../../../src/catalogue/batch.ts';
import { LARGEST_LEAP } from '../../../src/catalogue/version.ts';
import { numberInCompany } from '../../../src/catalogue/versioned/model.ts';
import { ProductCodeStore } from '../../../src/catalogue/product/code-store.ts';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { DEMO } from '../../support/caller.ts';

const CONTENT = { denominacao: 'Produto movido', modalidade: 'IMPORTACAO', ncm: '73181500' };

/** Item of an exported catalogue, for `modo=espelho` (contract section 7). */
const ITEM = {
  seq: 1,
  codigo: 500,
  cpfCnpjRaiz: '12345678',
  ...CONTENT,
  situacao: 'Ativado',
  versao: '3.1',
};

describe('a product moved in the mode espelho', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openApp();
  });
  afterAll(() => app.close());

  const move = (item: object): Promise<AppliedItem> => {
    const { writer, catalogue } = app.app.core;
    return writer.write((tx) => catalogue.product.items.apply(tx, DEMO, item, 'espelho', { origin: 'file' }));
  };
  const refusal = (item: object): Promise<string[]> =>
    move(item).then(
      () => [],
      (error: unknown) => messagesOf(error),
    );

  test('is refused without code or version, with the name of each', async () => {
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
    const inclusion = await demo.call('POST', '/catp/api/ext/produto/12345678', CONTENT);
    expect(inclusion.json.codigo).toBe(501);
  });

  test('is unchanged when it is sent again, and other content under its version is refused', async () => {
    expect((await move(ITEM)).outcome).toBe('unchanged');
    expect(await refusal({ ...ITEM, denominacao: 'Outro' })).toEqual([
      expect.stringContaining('já está guardada e tem outro conteúdo'),
    ]);
  });

  test('accepts later versions only', async () => {
    expect(await refusal({ ...ITEM, versao: '2', denominacao: 'Antes' })).toEqual([
      expect.stringContaining('já está na versão 3.1'),
    ]);
    expect(await move({ ...ITEM, versao: '4', denominacao: 'Depois' })).toEqual({
      codigo: '500',
      versao: '4',
      outcome: 'newVersion',
    });
  });

  test('is deactivated when only its status changed, and is not activated under the same version', async () => {
    const later = { ...ITEM, versao: '4', denominacao: 'Depois' };
    expect((await move({ ...later, situacao: 'Desativado' })).outcome).toBe('newVersion');
    expect(await refusal(later)).toEqual([expect.stringContaining('está DESATIVADO, e não ATIVADO')]);
  });

  test('accepts the last code of ten digits; new products are numbered after the earlier ones', async () => {
    await move({ ...ITEM, codigo: 9_999_999_999, denominacao: 'O último' });
    const demo = await app.as('demo');
    const reply = await demo.call('POST', '/catp/api/ext/produto/12345678', CONTENT);
    expect([reply.status, reply.json.codigo]).toEqual([200, 502]);
  });

  test('is refused with a version that leaves too few numbers; the last one that leaves enough is accepted', async () => {
    const refusals = [
      expect.stringContaining('versao: recebido 99000000; o modo espelho aceita até 98999999'),
    ];
    expect(await refusal({ ...ITEM, codigo: 600, versao: '99000000' })).toEqual(refusals);
    expect(await refusal({ ...ITEM, versao: '99000000', denominacao: 'Depois' })).toEqual(refusals);
    expect((await move({ ...ITEM, codigo: 600, versao: '98999999' })).outcome).toBe('created');
    const demo = await app.as('demo');
    const reply = await demo.call('PUT', '/catp/api/ext/produto/12345678/600', CONTENT);
    expect([reply.status, reply.json.versao]).toEqual([200, '99000000']);
  });
});

describe('codes after a moved catalogue', () => {
  const COMPANY = '12345678';
  let app: TestApp;
  let demo: Client;
  beforeEach(async () => {
    app = await openApp();
    demo = await app.as('demo');
  });
  afterEach(() => app.close());

  async function move(...codigos: readonly number[]): Promise<void> {
    const { writer, catalogue } = app.app.core;
    for (const codigo of codigos) {
      const item = { ...ITEM, codigo };
      await writer.write((tx) =>
        catalogue.product.items.apply(tx, DEMO, item, 'espelho', { origin: 'file' }),
      );
    }
  }
  const includeProduct = async (): Promise<number> =>
    (await demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, CONTENT)).json.codigo;

  test('follow one that is up to a million after the last one, and no farther', async () => {
    await move(LARGEST_LEAP);
    expect(await includeProduct()).toBe(LARGEST_LEAP + 1);
    await move(2 * LARGEST_LEAP + 2);
    expect(await includeProduct()).toBe(LARGEST_LEAP + 2);
  });

  test('skip existing ones', async () => {
    await move(4_999_999_998, 5_000_000_000, 5_000_000_001);
    app.app.core.db.exec('UPDATE company SET product_ceiling = 5000000000');
    expect([await includeProduct(), await includeProduct()]).toEqual([4_999_999_999, 5_000_000_002]);
  });

  test('continue with unused ones after the last one of ten digits', async () => {
    await move(2, 3, 9_999_999_999);
    // The state after the last number was assigned.
    app.app.core.db.exec('UPDATE company SET product_ceiling = NULL');
    expect([await includeProduct(), await includeProduct(), await includeProduct()]).toEqual([1, 4, 5]);
  });

  test('are exhausted only when each of them has a product', async () => {
    await move(1, 3);
    const { db, writer } = app.app.core;
    const codes = new ProductCodeStore(db, 4);
    const next = async (): Promise<number | undefined> => {
      const slot = await writer.write(() => codes.next(COMPANY));
      return slot && numberInCompany(slot.id);
    };
    expect(await next()).toBe(4);
    await move(4);
    expect(await next()).toBe(2);
    await move(2);
    expect(await next()).toBeUndefined();
  });
});
