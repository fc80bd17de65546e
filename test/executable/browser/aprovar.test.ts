/**
 * One person proposes, another decides: `/aprovar`, and the display of proposals on other pages (contract
 * section 27).
 */
import { expect, test } from 'bun:test';
import { eventually } from '../../support/eventually.ts';
import { expectCount, expectGoodPage, inBrowser, settled, tabTo } from './support.ts';

const RAIZ = '12345678';
const PRODUCT = { descricao: 'Azul', modalidade: 'IMPORTACAO', ncm: '73181500' };

inBrowser('proposals', ['dev', '--empty'], (site) => {
  const give = async (documento: string, papel: string): Promise<void> => {
    const members = { documento, cpfCnpjRaiz: RAIZ, perfil: 'IMPEXP', papel };
    expect((await site.call('admin', 'POST', '/appliance/api/representations', members)).status).toBe(200);
  };

  test('a sheet is proposed, approved by keyboard while a third person changes a row, and its result is shown on every page', async () => {
    await give('00000000272', 'preenchimento');
    await give('00000000353', 'aprovacao');
    for (const name of ['Parafuso', 'Porca', 'Arruela'])
      await site.call('demo', 'POST', `/catp/api/ext/produto/${RAIZ}`, { ...PRODUCT, denominacao: name });

    const filler = await site.enter('demo2', `/importar?cpfCnpjRaiz=${RAIZ}`);
    const rows = ['Código do produto;Denominação;Descrição', '1;Parafuso;Verde', '2;Porca;Verde'];
    await filler.page.setInputFiles('input[type=file]', {
      name: 'materiais.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(rows.join('\r\n')),
    });
    await filler.page.getByRole('button', { name: 'Conferir sem gravar' }).click();
    await filler.page.waitForURL(/\/importar\/\d+/);
    await filler.page.getByRole('button', { name: 'Propor', exact: true }).click();
    const proposing = filler.page.getByRole('dialog');
    await proposing.getByLabel('O que quem decide deve saber').fill('Conferido com a nota.');
    await proposing.getByRole('button', { name: 'Propor', exact: true }).click();
    await filler.page.getByText('espera uma decisão.').waitFor();
    expect(await filler.page.getByRole('button', { name: 'Propor', exact: true }).count()).toBe(0);

    const change = { ...PRODUCT, denominacao: 'Porca', descricao: 'Preta' };
    expect((await site.call('estranho', 'PUT', `/catp/api/ext/produto/${RAIZ}/2`, change)).status).toBe(200);

    const { page, complaints } = await site.enter('demo', `/?cpfCnpjRaiz=${RAIZ}`);
    await page.getByText('1 proposta espera uma decisão.').waitFor();
    await page.getByRole('link', { name: /^Decidir/ }).click();
    await page.waitForURL(/\/aprovar/);
    await page.getByText('“Conferido com a nota.”').waitFor();
    await page.getByText('Azul').first().waitFor();
    await page.getByText('Verde').first().waitFor();
    await expectGoodPage(page, 'Aprovar', 'aprovar');
    await tabTo(page, 'Aprovar');
    await page.keyboard.press('Enter');
    const approving = page.getByRole('dialog');
    await approving.getByText('quem grava é você').waitFor();
    await tabTo(page, 'Aprovar e gravar');
    await page.keyboard.press('Enter');
    await page.getByText('Nenhuma proposta espera uma decisão.').waitFor();

    const [job] = await site.call('demo', 'GET', '/appliance/api/imports').then((reply) => reply.json());
    expect(job).toMatchObject({ proposedBy: '00000000272', madeBy: '00000000191' });
    await eventually(async () =>
      (await site.call('demo', 'GET', `/appliance/api/imports/${job.id}`)).json(),
    ).toMatchObject({ state: 'done', newVersion: 1, failed: 1 });
    await page.goto(`${site.url}/importar/${job.id}`);
    await page.getByText('mudouDepois').first().waitFor();
    await page.goto(`${site.url}/produtos/${RAIZ}/1`);
    await page.getByText(/proposto por João Demonstração/).waitFor();
    const admin = await site.enter('admin', '/administracao?aba=auditoria&subject=importacao');
    await admin.page.getByText('Estado: à espera → aprovada').first().waitFor();
    await admin.page.getByText('Estado: concluída → à espera').first().waitFor();
    await admin.page.context().close();
    expect(complaints).toEqual([]);
    await filler.page.context().close();
    await page.context().close();
  });

  test('a form proposes one record, which its page shows; the author reads the rejection on the panel', async () => {
    const filler = await site.enter('demo2', `/produtos/${RAIZ}/3?editar=versao`);
    const { page } = filler;
    await page.getByLabel('Descrição').fill('Cinza');
    await page.getByRole('button', { name: 'Propor', exact: true }).click();
    await page.waitForURL(/\/importar\/\d+/);
    await page.getByText('espera uma decisão.').waitFor();
    await page.getByText('Cinza').first().waitFor();
    await page.goto(`${site.url}/produtos/${RAIZ}/3`);
    await page.getByText(/mudaria este registro e espera uma decisão/).waitFor();

    const decider = await site.enter('demo', `/aprovar?cpfCnpjRaiz=${RAIZ}`);
    await decider.page.getByText('Produto 3: nova versão').first().waitFor();
    await decider.page.getByRole('button', { name: 'Recusar' }).click();
    const dialog = decider.page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Recusar' }).click();
    await dialog
      .getByText(/reason|Motivo/)
      .first()
      .waitFor();
    await dialog.getByLabel('Motivo').fill('Cinza não é a cor da nota.');
    await dialog.getByRole('button', { name: 'Recusar' }).click();
    await decider.page.getByText('Nenhuma proposta espera uma decisão.').waitFor();

    await page.goto(`${site.url}/?cpfCnpjRaiz=${RAIZ}`);
    const matter = page
      .locator('section', { hasText: 'Pede atenção' })
      .first()
      .locator('li', { hasText: 'foi recusada por Maria Demonstração: Cinza não é a cor da nota.' });
    await matter.getByRole('link', { name: 'Ver proposta' }).click();
    await page.waitForURL(/\/importar\/\d+/);
    await page.getByText(/Recusada por Maria Demonstração.*Cinza não é a cor da nota\./).waitFor();
    await page.goBack();
    await matter.getByRole('button', { name: 'Dispensar' }).click();
    await matter.waitFor({ state: 'detached' });
    await page.goto(`${site.url}/aprovar?cpfCnpjRaiz=${RAIZ}`);
    await settled(page);
    await expectCount(page.getByRole('button', { name: 'Aprovar' }), 0);
    await page.context().close();
    await decider.page.context().close();
  });

  test('operators, links and deactivations are proposed', async () => {
    const { page } = await site.enter('demo2', `/operadores?cpfCnpjRaiz=${RAIZ}&novo=1`);
    await page.getByRole('button', { name: 'Propor', exact: true }).waitFor();
    await page.goto(`${site.url}/vinculos?cpfCnpjRaiz=${RAIZ}&novo=1`);
    await page.getByRole('button', { name: /ropor/ }).waitFor();
    await page.goto(`${site.url}/produtos/${RAIZ}/1`);
    await page.getByRole('button', { name: 'Propor desativação' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Propor' }).click();
    await page.waitForURL(/\/importar\/\d+/);
    await page.getByText('espera uma decisão.').waitFor();
    await page.getByRole('button', { name: 'Retirar' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retirar' }).click();
    await page.getByText(/Retirada por João Demonstração/).waitFor();
    await page.context().close();
  });

  test('the page of a product proposes the end of one or several links and the activation of a draft', async () => {
    const maker = (codigoPais: string) => ({ codigoProduto: 2, conhecido: false, codigoPais });
    for (const codigoPais of ['CN', 'DE'])
      expect(
        (await site.call('demo', 'POST', `/catp/api/ext/fabricante/${RAIZ}`, maker(codigoPais))).status,
      ).toBe(200);
    const draft = { cpfCnpjRaiz: RAIZ, denominacao: 'Rebite', ncm: '73181500' };
    const { codigo } = await site
      .call('demo2', 'POST', '/appliance/api/products/drafts', draft)
      .then((reply) => reply.json());

    const { page, complaints } = await site.enter('demo2', `/produtos/${RAIZ}/2`);
    await page.getByRole('button', { name: 'Novo vínculo' }).waitFor();
    await page.getByRole('row', { name: /China/ }).getByRole('button', { name: 'Desvincular' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Continuam a valer até que outra pessoa').waitFor();
    await dialog.getByRole('button', { name: 'Propor' }).click();
    await page.waitForURL(/\/importar\/\d+/);
    await page.getByText('espera uma decisão.').waitFor();
    await page.goto(`${site.url}/produtos/${RAIZ}/2`);
    await page.getByText('Vínculo do produto 2: desvinculação').waitFor();

    await page.goto(`${site.url}/vinculos?cpfCnpjRaiz=${RAIZ}`);
    await page.getByRole('row', { name: /China/ }).getByRole('checkbox').check();
    await page
      .getByRole('row', { name: /Alemanha/ })
      .getByRole('checkbox')
      .check();
    await page.getByRole('button', { name: 'Desvincular 2 escolhidos' }).click();
    await dialog.getByRole('button', { name: 'Conferir e propor' }).click();
    await page.waitForURL(/\/importar\/\d+/);
    await page.getByRole('button', { name: 'Propor', exact: true }).waitFor();

    await page.goto(`${site.url}/produtos/${RAIZ}/${codigo}`);
    await page.getByRole('button', { name: 'Propor ativação' }).click();
    await page.getByText('Escolha a modalidade.').first().waitFor();
    await page.getByLabel('Modalidade').selectOption({ label: 'Importação' });
    await page.getByRole('button', { name: 'Salvar rascunho' }).click();
    await page.getByRole('button', { name: 'Propor ativação' }).click();
    await page.waitForURL(/\/importar\/\d+/);
    await page.getByText('espera uma decisão.').waitFor();

    const proposals = await site
      .call('demo', 'GET', `/appliance/api/proposals?cpfCnpjRaiz=${RAIZ}&state=awaiting`)
      .then((reply) => reply.json());
    expect(proposals.map(({ fileName }: { readonly fileName: string }) => fileName)).toEqual([
      `Produto ${codigo}: nova versão`,
      'Vínculo do produto 2: desvinculação',
    ]);
    for (const { id } of proposals)
      expect((await site.call('demo', 'POST', `/appliance/api/imports/${id}/approve`, {})).status).toBe(202);
    await page.goto(`${site.url}/produtos/${RAIZ}/${codigo}`);
    await eventually(() => page.reload().then(() => page.getByRole('main').textContent())).toContain(
      'Ativado',
    );
    expect(complaints.filter((text) => !/4\d\d/.test(text))).toEqual([]);
    await page.context().close();
  });

  test('several proposals are marked and approved at once; a proposal that another person decides meanwhile is reported', async () => {
    for (const codigo of [1, 2, 3])
      expect(
        (
          await site.call('demo2', 'POST', '/appliance/api/proposals', {
            cpfCnpjRaiz: RAIZ,
            kind: 'produto',
            operation: 'deactivate',
            codigo: String(codigo),
          })
        ).status,
      ).toBe(202);
    const { page, complaints } = await site.enter('demo', `/aprovar?cpfCnpjRaiz=${RAIZ}`);
    await page.getByText('3 propostas esperam uma decisão.').waitFor();
    expect(await page.getByRole('button', { name: 'Aprovar 0 propostas marcadas' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Marcar as 3' }).click();
    await page
      .getByLabel(/^Marcar a proposta/)
      .first()
      .uncheck();
    await page.getByRole('button', { name: 'Aprovar 2 propostas marcadas' }).waitFor();
    await page
      .getByLabel(/^Marcar a proposta/)
      .first()
      .check();
    await page.getByRole('button', { name: 'Aprovar 3 propostas marcadas' }).click();
    await expectGoodPage(page, 'Aprovar', 'aprovar-marcadas');
    const [proposal] = await site
      .call('demo2', 'GET', `/appliance/api/proposals?cpfCnpjRaiz=${RAIZ}&state=awaiting`)
      .then((reply) => reply.json());
    const reject = `/appliance/api/imports/${proposal.id}/reject`;
    expect((await site.call('estranho', 'POST', reject, { reason: 'Ainda se usa.' })).status).toBeLessThan(
      300,
    );
    await page.getByRole('dialog').getByRole('button', { name: 'Aprovar e gravar' }).click();
    await page.getByText('2 propostas aprovadas').waitFor();
    await page.getByText('Nenhuma proposta espera uma decisão.').waitFor();
    await page.getByText(new RegExp(`Proposta ${proposal.id}: `)).waitFor();
    expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
    await page.context().close();
  });
});
