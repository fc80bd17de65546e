/** Several products of the list changed at once: chosen or all of a filter, one attribute, a look at each change, new versions. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { expectGoodPage, inBrowser, settled, STORY_MS, tabTo } from './support.ts';

setDefaultTimeout(STORY_MS);

const LIST = '/produtos?cpfCnpjRaiz=12345678';

interface Found {
  readonly items: readonly {
    readonly codigo: number;
    readonly versao: string;
    readonly atributos: readonly { readonly atributo: string; readonly valor: string }[];
  }[];
}

inBrowser('several products at once', ['dev'], (it) => {
  const coffee = async (): Promise<Found['items']> => {
    const path = '/appliance/api/products?cpfCnpjRaiz=12345678&ncm=09012100';
    return ((await (await it.call('demo', 'GET', path)).json()) as Found).items;
  };

  test('those that are marked get the value as new versions; what would be refused is told before', async () => {
    const { page, complaints } = await it.enter('demo', `${LIST}&ncm=09012100`);
    await page.getByLabel('Escolher o produto 1', { exact: true }).check();
    await page.getByLabel('Escolher o produto 2', { exact: true }).check();
    await page.getByText('2 escolhidos').waitFor();
    await page.getByRole('button', { name: 'Alterar vários' }).click();
    const dialog = page.getByRole('dialog', { name: 'Alterar vários produtos' });
    await dialog.getByRole('button', { name: 'Continuar' }).click();
    await dialog.getByLabel('Atributo').fill('orgânico');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Novo valor').selectOption('true');
    // The second one would need a certification that it has not.
    await dialog.getByText('1 já está assim · 1 seria recusado').waitFor();
    expect(await dialog.getByRole('button', { name: 'Gravar' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Novo valor').selectOption('false');
    await dialog.getByText('1 produto muda · 1 já está assim').waitFor();
    await settled(page);
    await expectGoodPage(page, 'Produtos', 'produtos-varios');
    await dialog.getByRole('button', { name: 'Gravar 1 produto' }).click();
    await dialog.getByText('1 produto alterado.').waitFor();
    await dialog.getByText('Nova versão').waitFor();
    await expectGoodPage(page, 'Produtos', 'produtos-varios-resultado');
    await dialog.getByRole('button', { name: 'Fechar' }).click();
    const [first] = await coffee();
    expect(first).toMatchObject({ codigo: 1, versao: '2' });
    expect(first?.atributos).toContainEqual({ atributo: 'ATT_90005', valor: 'false' });
    expect(first?.atributos.map(({ atributo }) => atributo)).not.toContain('ATT_90006');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('the keyboard alone changes all that a filter finds', async () => {
    const { page } = await it.enter('demo', `${LIST}&ncm=09012100`);
    await page.getByRole('button', { name: 'Alterar vários' }).waitFor();
    await tabTo(page, 'Alterar vários');
    await page.keyboard.press('Enter');
    await page.getByText('Todos os que o filtro encontra').waitFor();
    await tabTo(page, 'Continuar');
    await page.keyboard.press('Enter');
    await page.getByLabel('Atributo').waitFor();
    await tabTo(page, 'Atributo');
    await page.keyboard.type('ATT_90001');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('moído grosso');
    await page.keyboard.press('Enter');
    await page.getByText(/produtos? mudam?/).waitFor();
    await tabTo(page, /^Gravar \d/);
    await page.keyboard.press('Enter');
    await page.getByText(/produtos? alterados?\./).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    for (const product of await coffee())
      expect(product.atributos).toContainEqual({ atributo: 'ATT_90001', valor: '02' });
    await page.context().close();
  });
});

inBrowser(
  'compounds and lists of several products, without batches',
  ['dev', '--set', 'operacoesDescontinuadas=false'],
  (it) => {
    const wines = async () => {
      const path = '/appliance/api/products?cpfCnpjRaiz=12345678&ncm=22042100&situacao=0';
      return (await (await it.call('demo', 'GET', path)).json()).items as readonly {
        readonly codigo: number;
        readonly atributosCompostos: readonly unknown[];
        readonly atributosMultivalorados: readonly unknown[];
      }[];
    };

    test('a compound gets its parts, a list its values, one product after the other', async () => {
      const { page, complaints } = await it.enter('demo', `${LIST}&ncm=22042100&situacao=0`);
      const dialog = page.getByRole('dialog', { name: 'Alterar vários produtos' });
      const begin = async (attribute: string): Promise<void> => {
        await page.getByRole('button', { name: 'Alterar vários' }).click();
        await dialog.getByRole('button', { name: 'Continuar' }).click();
        await dialog.getByLabel('Atributo').fill(attribute);
        await page.keyboard.press('Enter');
      };
      await begin('Embalagem');
      await dialog.getByLabel('Material').fill('02');
      await dialog.getByLabel('Capacidade (L)').fill('1,5');
      await dialog.getByText(/produtos? mudam?/).waitFor();
      await expectGoodPage(page, 'Produtos', 'produtos-varios-composto');
      await dialog.getByRole('button', { name: /^Gravar \d/ }).click();
      await dialog.getByText(/produtos? alterados?\./).waitFor();
      await dialog.getByRole('button', { name: 'Fechar' }).click();
      await dialog.waitFor({ state: 'detached' });
      await begin('Uvas');
      for (const grape of ['01', '99']) {
        await dialog.getByLabel('Uvas').fill(grape);
        await dialog.getByLabel('Uvas').press('Enter');
      }
      await dialog.getByRole('button', { name: /^Gravar \d/ }).click();
      await dialog.getByText(/produtos? alterados?\./).waitFor();
      const all = await wines();
      expect(all.length).toBeGreaterThan(0);
      for (const wine of all) {
        expect(wine.atributosCompostos).toEqual([
          {
            atributo: 'ATT_90010',
            valores: [
              { atributo: 'ATT_90011', valor: '02' },
              { atributo: 'ATT_90012', valor: '1.5' },
            ],
          },
        ]);
        expect(wine.atributosMultivalorados).toContainEqual({ atributo: 'ATT_90004', valores: ['01', '99'] });
      }
      expect(complaints.filter((one) => !one.includes('404'))).toEqual([]);
      await page.context().close();
    });
  },
);
