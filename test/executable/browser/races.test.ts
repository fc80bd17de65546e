/**
 * Events before the page has drawn the previous state: two changes at once, a repeated press, an outdated
 * answer, an answer after its element was removed. The events are dispatched in the page, in one task,
 * without drawing in between.
 */
import { expect, test } from 'bun:test';
import { runInOneTask, delayFirst, waitForFrames } from './one-task.ts';
import { addFilter } from './forms.ts';
import { eventually } from '../../support/eventually.ts';
import { inBrowser, settled } from './support.ts';

const RAIZ = '12345678';
const LIST = `/produtos?cpfCnpjRaiz=${RAIZ}`;
const NEW = `/produtos/novo?cpfCnpjRaiz=${RAIZ}`;

inBrowser('events before the page is drawn', ['dev'], (site) => {
  test('two fields that change at once both count, and so does text that is typed while the button is pressed', async () => {
    const { page } = await site.enter('demo', NEW);
    await page.getByLabel('NCM').fill('22042100');
    await page.getByLabel('Modalidade').selectOption('IMPORTACAO');
    await page.getByLabel('Ano da safra').waitFor();
    const saveRequest = page.waitForRequest((request) => request.method() === 'POST');
    await runInOneTask(page, [
      { label: 'Ano da safra', value: '2021' },
      { label: 'Teor alcoólico', value: '13,5' },
      { label: 'Denominação', value: 'Vinho de uma vez só' },
      { press: 'Salvar rascunho' },
    ]);
    const item = (await saveRequest).postDataJSON();
    expect(item.denominacao).toBe('Vinho de uma vez só');
    expect(item.atributos.map(({ valor }: { readonly valor: string }) => valor)).toEqual(
      expect.arrayContaining(['2021', '13.5']),
    );
    await page.getByText(/Rascunho \d+ salvo\./).waitFor();
    await page.context().close();
  });

  test('a form that is sent twice, by a double click or by Enter and a click, creates one product', async () => {
    const { page } = await site.enter('demo', NEW);
    await page.getByLabel('NCM').fill('39269090');
    await page.getByLabel('Modalidade').selectOption('EXPORTACAO');
    await page.getByLabel('Denominação').fill('Um produto, e não dois');
    await page.getByText('Esta NCM não pede atributos nesta modalidade.').waitFor();
    let posts = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST') posts += 1;
    });
    await runInOneTask(page, [
      { press: 'Salvar e ativar' },
      { press: 'Salvar e ativar' },
      { press: 'Salvar rascunho' },
    ]);
    await page.getByText(/salvo e ativado/).waitFor();
    expect(posts).toBe(1);
    await page.context().close();
  });

  test('a user who leaves during a save is notified of the result and stays on the new page', async () => {
    const { page } = await site.enter('demo', NEW);
    await page.getByLabel('NCM').fill('39269090');
    await page.getByLabel('Modalidade').selectOption('EXPORTACAO');
    await page.getByLabel('Denominação').fill('Gravado sem quem o gravou');
    const delayed = await delayFirst(page, '**/catp/api/ext/produto/12345678', 'POST');
    await page.getByRole('button', { name: 'Salvar e ativar' }).click();
    await delayed.arrived;
    await page.getByRole('link', { name: 'Operadores', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Operadores estrangeiros' }).waitFor();
    delayed.release();
    await page.getByText(/salvo e ativado/).waitFor();
    expect(new URL(page.url()).pathname).toBe('/operadores');
    await page.context().close();
  });

  test('text that is typed over applied filters is kept', async () => {
    const { page } = await site.enter('demo', LIST);
    await settled(page);
    await addFilter(page, 'NCM');
    await page.getByLabel('Palavras').fill('café');
    await page.evaluate(async () => {
      const field = (name: string): HTMLInputElement =>
        document.querySelector<HTMLInputElement>(`main input[name=${name}]`) as HTMLInputElement;
      field('text').form?.requestSubmit();
      // The address has changed and the page is rendered, but no frame was painted.
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
      field('ncm').value = '0901';
      field('ncm').dispatchEvent(new InputEvent('input', { bubbles: true }));
    });
    await page.waitForURL('**text=caf**');
    await waitForFrames(page);
    await eventually(() => page.getByLabel('NCM').inputValue()).toBe('0901');
    await eventually(() => page.getByLabel('Palavras').inputValue()).toBe('café');
    await page.context().close();
  });

  test('a field that has the focus when its page is drawn keeps it', async () => {
    const { page } = await site.enter('demo', LIST);
    await settled(page);
    await page.getByRole('link', { name: 'Importar', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Importar' }).waitFor();
    const isUnchanged = await page.evaluate(async () => {
      [...document.querySelectorAll<HTMLElement>('nav a')]
        .find(({ textContent }) => textContent === 'Produtos')
        ?.click();
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
      const field = document.querySelector<HTMLInputElement>('main input[name=text]');
      field?.focus();
      for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
      return field !== null && document.activeElement === field;
    });
    expect(isUnchanged).toBe(true);
    await page.context().close();
  });

  test('two filters that two parts of a page change are both in the address', async () => {
    const { page } = await site.enter('demo', LIST);
    await settled(page);
    await page.getByLabel('Palavras').fill('a');
    await page.evaluate(() => {
      document.querySelector<HTMLFormElement>('form[role=search]')?.requestSubmit();
      [...document.querySelectorAll<HTMLElement>('th button')]
        .find(({ textContent }) => textContent?.trim() === 'NCM')
        ?.click();
    });
    await page.waitForURL('**order=ncm**');
    expect(new URL(page.url()).searchParams.get('text')).toBe('a');
    await page.context().close();
  });

  test('the form of the next product takes no value from the previous form', async () => {
    const { page } = await site.enter('demo', `/produtos/${RAIZ}/1?editar=versao`);
    await page.getByLabel('Denominação').waitFor();
    const first = await page.getByLabel('Denominação').inputValue();
    await page.evaluate((to) => history.pushState(null, '', to), `/produtos/${RAIZ}/2?editar=versao`);
    await page.getByRole('heading', { level: 1, name: 'Produto 2' }).waitFor();
    await page.getByLabel('Denominação').waitFor();
    expect(await page.getByLabel('Denominação').inputValue()).not.toBe(first);
    await page.context().close();
  });

  test('Enter does not select an NCM that was found for earlier words', async () => {
    const { page } = await site.enter('demo', NEW);
    const field = page.getByLabel('NCM');
    await field.fill('safra');
    await page.locator('main').getByRole('option').first().waitFor();
    const delayed = await delayFirst(page, '**/appliance/api/ncms?search=nada*');
    await field.fill('nada que exista');
    await delayed.arrived;
    await page.keyboard.press('Enter');
    await eventually(() => field.inputValue()).toBe('nada que exista');
    delayed.release();
    await page.context().close();
  });
});

inBrowser('late matches after another change', ['dev', '--empty'], (site) => {
  test('an operator that is found late does not change a later choice', async () => {
    // The page filters up to 200 operators itself; for more the server searches the typed text.
    const operators = Array.from({ length: 201 }, (_, index) => ({
      seq: index + 1,
      cpfCnpjRaiz: RAIZ,
      codigoPais: 'CN',
      nome: `Fábrica ${index + 1}`,
      logradouro: 'Rua 1',
      nomeCidade: 'Cidade',
    }));
    for (const from of [0, 100, 200])
      await site.call(
        'demo',
        'POST',
        '/catp/api/ext/operador-estrangeiro',
        operators.slice(from, from + 100),
      );
    const { page } = await site.enter('demo', `/vinculos?cpfCnpjRaiz=${RAIZ}&novo=1`);
    await page.getByLabel('País').fill('CN');
    await page.getByLabel('Operador estrangeiro').waitFor();
    const delayed = await delayFirst(page, '**/appliance/api/foreign-operators?*OPE_150*');
    await page.getByLabel('Operador estrangeiro').fill('OPE_150');
    await delayed.arrived;
    await page.getByRole('button', { name: 'Mais um fabricante' }).click();
    await page.getByLabel('Conhecido').nth(1).selectOption('false');
    await page.getByLabel('País').nth(1).fill('DE');
    delayed.release();
    await page.waitForFunction(() =>
      [...document.querySelectorAll('input')].some(({ value }) => value === 'OPE_150 · Fábrica 150'),
    );
    await eventually(() => page.getByLabel('Conhecido').nth(1).inputValue()).toBe('false');
    await eventually(() => page.getByLabel('País').nth(1).inputValue()).toContain('DE');
    await page.context().close();
  });
});
