/**
 * Several products of the list changed at once: selected ones or all of a filter, a dry run of each change,
 * then new versions.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'bun:test';
import { eventually } from '../../support/eventually.ts';
import { expectGoodPage, inBrowser, settled, tabTo } from './support.ts';

const LIST = '/produtos?cpfCnpjRaiz=12345678';

interface ProductPage {
  readonly items: readonly {
    readonly codigo: number;
    readonly versao: string;
    readonly atributos: readonly { readonly atributo: string; readonly valor: string }[];
    readonly atributosCompostos: readonly unknown[];
    readonly atributosMultivalorados: readonly unknown[];
  }[];
}

// The batch operations are off, as in the public service: no page requires them.
inBrowser('several products at once', ['dev', '--set', 'operacoesDescontinuadas=false'], (site) => {
  const productsBy = async (query: string): Promise<ProductPage['items']> => {
    const path = `/appliance/api/products?cpfCnpjRaiz=12345678&${query}`;
    return ((await (await site.call('demo', 'GET', path)).json()) as ProductPage).items;
  };
  const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Alterar vários produtos' });

  test('the selected products are shown with their changes, and then get new versions', async () => {
    const { page, complaints } = await site.enter('demo', `${LIST}&ncm=09012100`);
    await page.getByLabel('Escolher o produto 1', { exact: true }).check();
    await page.getByLabel('Escolher o produto 2', { exact: true }).check();
    await page.getByText('2 escolhidos').waitFor();
    await page.getByRole('button', { name: 'Alterar vários' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Atributo').fill('orgânico');
    await page.keyboard.press('Enter');
    await eventually(() => dialog.getByRole('button', { name: 'Conferir sem gravar' }).isDisabled()).toBe(
      true,
    );
    await dialog.getByLabel('Produto orgânico', { exact: true }).selectOption('false');
    await settled(page);
    await expectGoodPage(page, 'Produtos', 'produtos-varios');
    await dialog.getByRole('button', { name: 'Conferir sem gravar' }).click();
    await page.getByText('Produto orgânico: Sim → Não').waitFor();
    // The preview also shows the removal of the dependent attribute.
    await page.getByText('Certificação orgânica: 01 → nada').waitFor();
    await page.getByText('Sem mudança', { exact: true }).waitFor();
    await expectGoodPage(page, 'Importação 1', 'produtos-varios-resultado');
    expect((await productsBy('codigo=1'))[0]).toMatchObject({ versao: '1' });
    await page.getByRole('button', { name: 'Gravar' }).click();
    await page.getByText('Os itens sem erro estão gravados.').waitFor();
    const [first] = await productsBy('codigo=1');
    expect(first).toMatchObject({ versao: '2' });
    expect(first?.atributos).toContainEqual({ atributo: 'ATT_90005', valor: 'false' });
    expect(first?.atributos.map(({ atributo }) => atributo)).not.toContain('ATT_90006');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a refused change shows its reason, and is tried again with more values', async () => {
    const { page } = await site.enter('demo', `${LIST}&ncm=09012100`);
    await page.getByLabel('Escolher o produto 2', { exact: true }).check();
    await page.getByRole('button', { name: 'Alterar vários' }).click();
    const dialog = dialogOf(page);
    const choose = async (attribute: string): Promise<void> => {
      await dialog.getByRole('combobox', { name: /tributo$/ }).fill(attribute);
      await page.keyboard.press('Enter');
    };
    await choose('orgânico');
    await dialog.getByLabel('Produto orgânico', { exact: true }).selectOption('true');
    await dialog.getByRole('button', { name: 'Conferir sem gravar' }).click();
    // The product lacks the certification that the new value requires.
    await page.getByText('obrigatório da NCM', { exact: false }).first().waitFor();
    await page.getByRole('button', { name: 'Alterar os que falharam' }).click();
    await dialog.getByText('Os escolhidos (1)').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('the keyboard alone changes all matches of a filter', async () => {
    const { page } = await site.enter('demo', `${LIST}&ncm=09012100`);
    // Without a selection the button is disabled.
    await page.getByRole('button', { name: 'Alterar vários', disabled: true }).waitFor();
    await tabTo(page, /^Marcar todos \(\d+\)$/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Alterar vários', disabled: false }).waitFor();
    await tabTo(page, 'Alterar vários');
    await page.keyboard.press('Enter');
    await page.getByText('Todos os que o filtro encontra').waitFor();
    await tabTo(page, 'Atributo');
    await page.keyboard.type('Forma de apresentação');
    await page.keyboard.press('Enter');
    await tabTo(page, /^Forma de apresentação/);
    await page.keyboard.type('moído grosso');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Conferir sem gravar');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Gravar');
    await page.keyboard.press('Enter');
    await page.getByText('Os itens sem erro estão gravados.').waitFor();
    for (const product of await productsBy('ncm=09012100'))
      expect(product.atributos).toContainEqual({ atributo: 'ATT_90001', valor: '02' });
    await page.context().close();
  });

  test('a compound attribute gets its parts, and a multiple attribute its values', async () => {
    const { page, complaints } = await site.enter('demo', `${LIST}&ncm=22042100&situacao=0`);
    await page.getByRole('button', { name: 'Marcar todos' }).click();
    await page.getByRole('button', { name: 'Alterar vários' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Atributo').fill('Embalagem');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Material').fill('02');
    await dialog.getByLabel('Capacidade (L)').fill('1,5');
    await dialog.getByLabel('Mais um atributo').fill('Uvas');
    await page.keyboard.press('Enter');
    for (const grape of ['01', '99']) {
      await dialog.getByLabel('Uvas', { exact: true }).fill(grape);
      await dialog.getByLabel('Uvas', { exact: true }).press('Enter');
    }
    await expectGoodPage(page, 'Produtos', 'produtos-varios-composto');
    await dialog.getByRole('button', { name: 'Conferir sem gravar' }).click();
    await page.getByRole('button', { name: 'Gravar' }).click();
    await page.getByText('Os itens sem erro estão gravados.').waitFor();
    const all = await productsBy('ncm=22042100&situacao=0');
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
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

inBrowser('the other members of several products are changed', ['dev'], (site) => {
  const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Alterar vários produtos' });
  const product = async (codigo: number) => {
    const path = `/appliance/api/products?cpfCnpjRaiz=12345678&codigo=${codigo}`;
    const { items } = (await (await site.call('demo', 'GET', path)).json()) as { items: object[] };
    return items[0];
  };
  const makers = async (codigo: number) => {
    const path = `/appliance/api/manufacturer-links?cpfCnpjRaiz=12345678&codigoProduto=${codigo}`;
    const { items } = (await (await site.call('demo', 'GET', path)).json()) as {
      items: { codigoPais: string; conhecido: boolean }[];
    };
    return items.filter(({ conhecido }) => !conhecido).map(({ codigoPais }) => codigoPais);
  };
  const openWith = async (page: Page, ...codigos: readonly number[]): Promise<void> => {
    await page.goto(site.url + LIST);
    for (const codigo of codigos)
      await page.getByLabel(`Escolher o produto ${codigo}`, { exact: true }).check();
    await page.getByRole('button', { name: 'Alterar vários' }).click();
  };
  const addField = async (page: Page, field: string): Promise<void> => {
    await dialogOf(page).getByLabel(/ampo$/).fill(field);
    await page.keyboard.press('Enter');
  };
  const record = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Gravar' }).click();
    await page.getByText('Os itens sem erro estão gravados.').waitFor();
  };

  test('a description, internal codes and a manufacturer are added and removed, each after a preview', async () => {
    const { page, complaints } = await site.enter('demo', LIST);
    await openWith(page, 1, 2);
    const dialog = dialogOf(page);
    const look = dialog.getByRole('button', { name: 'Conferir sem gravar' });
    await eventually(() => look.isDisabled()).toBe(true);
    // Arrow keys in the list of fields add no field.
    await dialog.getByLabel('Campo').focus();
    for (let index = 0; index < 3; index += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    expect(await dialog.getByRole('button', { name: /^Não alterar/ }).count()).toBe(0);
    await addField(page, 'Descrição');
    await dialog.getByLabel('Descrição', { exact: true }).fill('Torrado e moído, 500 g');
    await addField(page, 'Códigos internos a acrescentar');
    await eventually(() => look.isDisabled()).toBe(true);
    await dialog.getByLabel('Códigos internos a acrescentar', { exact: true }).fill('LOTE-1\nLOTE-2');
    await addField(page, 'Fabricante a vincular');
    await dialog.getByLabel('Conhecido').selectOption('false');
    await dialog.getByLabel('País').fill('PT');
    await page.keyboard.press('Enter');
    await addField(page, 'Denominação');
    await dialog.getByRole('button', { name: 'Não alterar Denominação' }).click();
    await expectGoodPage(page, 'Produtos', 'produtos-varios-campos');
    await look.click();
    await page
      .getByText(/Códigos internos: .*LOTE-1/)
      .first()
      .waitFor();
    expect(await product(1)).not.toMatchObject({ descricao: 'Torrado e moído, 500 g' });
    await record(page);
    for (const codigo of [1, 2]) {
      const { codigosInterno } = (await product(codigo)) as { codigosInterno: string[] };
      expect(codigosInterno).toEqual(expect.arrayContaining(['LOTE-1', 'LOTE-2']));
      await eventually(() => product(codigo)).toMatchObject({ descricao: 'Torrado e moído, 500 g' });
      await eventually(() => makers(codigo)).toEqual(['PT']);
    }

    await openWith(page, 1, 2);
    await addField(page, 'Códigos internos a retirar');
    await dialog.getByLabel('Códigos internos a retirar', { exact: true }).fill('LOTE-2');
    await addField(page, 'Fabricante a desvincular');
    await dialog.getByLabel('Conhecido').selectOption('false');
    await dialog.getByLabel('País').fill('PT');
    await page.keyboard.press('Enter');
    await look.click();
    await record(page);
    const { codigosInterno } = (await product(1)) as { codigosInterno: string[] };
    expect(codigosInterno).toContain('LOTE-1');
    expect(codigosInterno).not.toContain('LOTE-2');
    await eventually(() => makers(2)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a changed modality of an active product is refused with the reason', async () => {
    const { page } = await site.enter('demo', LIST);
    await openWith(page, 1);
    await addField(page, 'Modalidade');
    await dialogOf(page).getByLabel('Modalidade', { exact: true }).selectOption('EXPORTACAO');
    await dialogOf(page).getByRole('button', { name: 'Conferir sem gravar' }).click();
    await page.getByText('não muda aqui', { exact: false }).first().waitFor();
    await page.context().close();
  });

  test('the keyboard deactivates two and activates them again', async () => {
    const { page } = await site.enter('demo', LIST);
    await openWith(page, 1, 2);
    await page.getByRole('radio', { name: 'Alterar' }).focus();
    await page.keyboard.press('ArrowDown');
    await tabTo(page, 'Conferir sem gravar');
    await page.keyboard.press('Enter');
    await page.getByText('Situação: Ativado → Desativado').first().waitFor();
    await record(page);
    await eventually(() => product(1)).toMatchObject({ situacao: 'DESATIVADO' });
    await openWith(page, 1, 2);
    await dialogOf(page).getByLabel('Ativar os que estão desativados').check();
    await dialogOf(page).getByRole('button', { name: 'Conferir sem gravar' }).click();
    await record(page);
    await eventually(() => product(2)).toMatchObject({ situacao: 'ATIVADO' });
    await page.context().close();
  });

  test('a deactivation of many requires the confirmation of their number', async () => {
    for (let index = 0; index < 12; index += 1)
      await site.call('demo', 'POST', '/catp/api/ext/produto/12345678', {
        denominacao: `Cabo de vassoura ${index}`,
        modalidade: 'EXPORTACAO',
        ncm: '39269090',
      });
    const { page } = await site.enter('demo', `${LIST}&denominacao=vassoura`);
    await page.getByRole('button', { name: 'Marcar todos' }).click();
    await page.getByText('12 escolhidos').waitFor();
    await page.getByRole('button', { name: 'Alterar vários' }).click();
    await dialogOf(page).getByRole('radio', { name: 'Desativar' }).check();
    await dialogOf(page).getByRole('button', { name: 'Conferir sem gravar' }).click();
    await page.getByText('Situação: Ativado → Desativado').first().waitFor();
    await record(page);
    const path = '/appliance/api/products?cpfCnpjRaiz=12345678&denominacao=vassoura&situacao=DESATIVADO';
    expect(((await (await site.call('demo', 'GET', path)).json()) as ProductPage).items).toHaveLength(12);
    await page.context().close();
  });
});
