/** The rights of people on the pages (contract section 27). */
import { expect, test } from 'bun:test';
import type { Right } from '../../../src/right.ts';
import { eventually } from '../../support/eventually.ts';
import { expectAccessible, inBrowser, settled } from './support.ts';

inBrowser('a person with a right', ['dev'], (site) => {
  const give = async (papel: Right): Promise<void> => {
    const members = { documento: '00000000191', cpfCnpjRaiz: '12345678', perfil: 'IMPEXP', papel };
    expect((await site.call('admin', 'POST', '/appliance/api/representations', members)).status).toBe(200);
  };

  test('to fill in saves a draft, and is offered proposals for active products', async () => {
    await give('preenchimento');
    const { page, complaints } = await site.enter('demo', '/produtos/novo?cpfCnpjRaiz=12345678');
    await page.getByLabel('Denominação').fill('Tampa de teste');
    const save = page.getByRole('button', { name: 'Salvar rascunho' });
    await save.waitFor();
    expect(await page.getByRole('button', { name: 'Salvar e ativar' }).count()).toBe(0);
    await save.click();
    await page.getByRole('button', { name: 'Editar' }).waitFor();
    expect(await page.getByRole('button', { name: 'Ativar', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Desativar' }).waitFor();
    await page.goto(`${site.url}/produtos/12345678/1`);
    await page.getByRole('button', { name: 'Propor desativação' }).waitFor();
    expect(await page.getByRole('button', { name: 'Desativar', exact: true }).count()).toBe(0);
    for (const [address, button] of [
      ['/vinculos', 'Novo vínculo'],
      ['/operadores', 'Novo operador'],
    ] as const) {
      await page.goto(`${site.url}${address}?cpfCnpjRaiz=12345678`);
      await settled(page);
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('button', { name: 'Propor', exact: true }).waitFor();
    }
    await page.goto(`${site.url}/produtos/12345678/1?editar=versao`);
    await page.getByRole('button', { name: 'Propor', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Salvar', exact: true }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('to read is offered the list and its downloads, and no change', async () => {
    await give('leitura');
    const { page } = await site.enter('demo', '/produtos?cpfCnpjRaiz=12345678');
    await page.getByRole('button', { name: 'Exportar' }).waitFor();
    await settled(page);
    expect(await page.getByRole('button', { name: 'Novo produto' }).count()).toBe(0);
    await page.goto(`${site.url}/produtos/novo?cpfCnpjRaiz=12345678`);
    await page.getByText('com o papel de preenchimento').waitFor();
    await page.context().close();
  });

  test('to read is offered no change on any page, and is refused by the API', async () => {
    await give('leitura');
    const proposal = { cpfCnpjRaiz: '12345678', kind: 'produto', operation: 'deactivate', codigo: '1' };
    const { page, complaints } = await site.enter('demo', '/?cpfCnpjRaiz=12345678');
    for (const address of [
      '/',
      '/produtos/12345678/1',
      '/operadores',
      '/vinculos',
      '/corrigir',
      '/aprovar',
    ]) {
      await page.goto(`${site.url}${address}?cpfCnpjRaiz=12345678`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settled(page);
      const writes = page.getByRole('main').getByRole('button', {
        name: /^(Novo|Nova|Editar|Ativar|Desativar|Desvincular|Propor|Aprovar|Recusar|Dispensar|Salvar|Corrigir|Retirar)\b/,
      });
      expect([address, await writes.allTextContents()]).toEqual([address, []]);
    }
    const product = { denominacao: 'Tampa', modalidade: 'IMPORTACAO', ncm: '39269090' };
    for (const [method, path, body] of [
      ['POST', '/catp/api/ext/produto/12345678', product],
      ['POST', '/appliance/api/products/drafts', { cpfCnpjRaiz: '12345678', ...product }],
      ['PUT', '/catp/api/ext/produto/desativar/12345678/1', undefined],
      ['POST', '/appliance/api/proposals', proposal],
      ['POST', '/appliance/api/attention/dismissals', { cpfCnpjRaiz: '12345678', kind: 'rascunhos' }],
    ] as const) {
      const answer = await site.call('demo', method, path, body);
      expect([path, answer.status]).toEqual([path, 403]);
      expect(await answer.text()).toContain('Seu papel para esta empresa é leitura');
    }
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('an administrator pastes a list of people; the failed lines stay in it with their reasons', async () => {
    const { page } = await site.enter('admin', '/administracao');
    await page.getByRole('button', { name: 'Dar acesso a várias' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByLabel('Lista')
      .fill(
        'documento;nome;email;empresa;papel\n529.982.247-25;Rita Nova;rita@exemplo.com.br;12.345.678;Preenchimento\n111.444.777-35;Ana;;99.999.999;leitura',
      );
    await dialog.getByRole('button', { name: 'Dar acesso' }).click();
    await dialog.getByText('não existe empresa 99.999.999').waitFor();
    await expectAccessible(page);
    await eventually(() => dialog.getByLabel('Lista').inputValue()).toBe(
      'documento;nome;email;empresa;papel\n111.444.777-35;Ana;;99.999.999;leitura',
    );
    await dialog.getByRole('button', { name: 'Cancelar' }).click();
    await page
      .getByRole('table', { name: 'Pessoas' })
      .getByRole('row', { name: /Rita Nova/ })
      .waitFor();
    await give('aprovacao');
  });
});
