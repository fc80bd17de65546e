/**
 * The upload of a file, and the download of failed items: pressed twice, too early, too large, abandoned,
 * corrected.
 */
import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { csv } from '../../catalogue/sheet/support.ts';
import { textsOf } from '../../sheet/support.ts';
import { runInOneTask, delayFirst } from './one-task.ts';
import { eventually } from '../../support/eventually.ts';
import { expectGoodPage, importSheet, inBrowser, expectCount } from './support.ts';

const RAIZ = '12345678';
const IMPORTS = '/appliance/api/imports';

const item = (seq: number, ncm = '39269090') => ({
  seq,
  cpfCnpjRaiz: RAIZ,
  denominacao: `Item ${seq}`,
  modalidade: 'EXPORTACAO',
  ncm,
});
const json = (name: string, items: readonly unknown[]) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(items)),
});
const sheet = (name: string, table: readonly (readonly string[])[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(csv(table)),
});

interface Job {
  readonly id: number;
  readonly fileName: string;
  readonly simular: boolean;
}

inBrowser('the upload of a file', ['dev'], (site) => {
  const jobsOf = async (fileName: string): Promise<readonly Job[]> => {
    const all = (await (await site.call('demo', 'GET', IMPORTS)).json()) as readonly Job[];
    return all.filter((job) => job.fileName === fileName);
  };
  const choose = (page: Page, ...files: ReturnType<typeof json>[]): Promise<void> =>
    page.locator('main input[type=file]').setInputFiles(files);

  test('a double press of the button imports once', async () => {
    const { page } = await site.enter('demo', '/importar');
    await choose(page, json('duas-vezes.json', [item(1)]));
    await page.getByText('duas-vezes.json').waitFor();
    await runInOneTask(page, [
      { press: 'Importar' },
      { press: 'Importar' },
      { press: 'Conferir sem gravar' },
    ]);
    await page.getByText('duas-vezes.json: 1 incluído.').waitFor();
    expect((await jobsOf('duas-vezes.json')).map(({ simular }) => simular)).toEqual([false]);
    await page.context().close();
  });

  test('an import that is pressed before its sheet is read waits for it', async () => {
    const { page } = await site.enter('demo', '/importar');
    const delayed = await delayFirst(page, '**/appliance/api/sheets?*', 'POST');
    const rows = [
      ['Nome', 'NCM', 'Operação', 'Forma de apresentação', 'Produto orgânico'],
      ['Café apressado', '0901.21.00', 'EXPORTACAO', 'Moído fino', 'NÃO'],
    ];
    await choose(page, sheet('cedo.csv', rows));
    await delayed.arrived;
    await page.getByRole('button', { name: 'Importar', exact: true }).click();
    delayed.release();
    // The user has not seen the mapping yet, so the rows are only checked.
    await page.getByText('cedo.csv: 1 seria incluído.').waitFor();
    await page.getByRole('button', { name: 'Importar', exact: true }).click();
    await page.getByText('cedo.csv: 1 incluído.').waitFor();
    const list = await site.call(
      'demo',
      'GET',
      `/catp/api/ext/produto?cpfCnpjRaiz=${RAIZ}&denominacao=apressado`,
    );
    const [product] = list.status === 200 ? await list.json() : [];
    expect(product?.atributos).toEqual([
      { atributo: 'ATT_90001', valor: '04' },
      { atributo: 'ATT_90005', valor: 'false' },
    ]);
    await page.context().close();
  });

  test('of a large file shows its progress and can be stopped', async () => {
    const { page, complaints } = await site.enter('demo', '/importar');
    const largeFile = join(site.folder, 'grande.json');
    const long = { descricao: 'x'.repeat(3700) };
    const items = Array.from({ length: 1700 }, (_, index) => ({ ...item(index + 1), ...long }));
    writeFileSync(largeFile, JSON.stringify(items));
    await page.locator('main input[type=file]').setInputFiles(largeFile);
    await page.getByText('grande.json').waitFor();
    const slow = await page.context().newCDPSession(page);
    await slow.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: 200_000,
    });
    await page.getByRole('button', { name: 'Conferir sem gravar' }).click();
    await page.getByText(/^enviado [\d,]+ (KiB )?de [\d,]+ MiB$/).waitFor();
    await expectGoodPage(page, 'Importar', 'importar-enviando');
    await page.locator('.sending').getByRole('button', { name: 'Cancelar' }).click();
    await page.getByText('O envio foi cancelado').waitFor();
    await eventually(() => jobsOf('grande.json')).toEqual([]);
    await slow.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
    await page.getByRole('button', { name: 'Conferir sem gravar' }).click();
    await page.waitForURL(/\/importar\/\d+$/);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('continues when the user leaves the page, reports the start of the import, and does not redirect', async () => {
    const { page } = await site.enter('demo', '/importar');
    await choose(page, json('deixado.json', [item(7)]));
    await page.getByText('deixado.json').waitFor();
    const delayed = await delayFirst(page, `**${IMPORTS}`, 'POST');
    await page.getByRole('button', { name: 'Importar', exact: true }).click();
    await delayed.arrived;
    await page.getByRole('link', { name: 'Vínculos' }).click();
    await page.getByRole('heading', { level: 1, name: 'Vínculos' }).waitFor();
    delayed.release();
    await page.getByText('1 importação começou.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/vinculos');
    await page.context().close();
  });

  test('a file that is chosen later replaces the earlier one, in any order of reading', async () => {
    const { page } = await site.enter('demo', '/importar');
    const first = sheet('primeiro.csv', [
      ['Nome', 'NCM', 'Operação'],
      ['A', '39269090', 'EXPORTACAO'],
    ]);
    const second = json('segundo.json', [item(1)]);
    await page.locator('main input[type=file]').evaluate(
      (input, files) => {
        for (const { name, text } of files) {
          const dropped = new DataTransfer();
          dropped.items.add(new File([text], name));
          input.parentElement?.dispatchEvent(
            new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }),
          );
        }
      },
      [first, second].map(({ name, buffer }) => ({ name, text: buffer.toString() })),
    );
    await page.getByText('segundo.json').waitFor();
    await page.getByText('Lendo o que foi escolhido').waitFor({ state: 'detached' });
    expect(await page.getByText('primeiro.csv').count()).toBe(0);
    await page.context().close();
  });

  test('late results of a previous filter are not shown under the next one', async () => {
    const { page } = await site.enter('demo', '/importar');
    const items = Array.from({ length: 240 }, (_, index) => item(index + 1, index < 120 ? '39269090' : '1'));
    await choose(page, json('muitos.json', items));
    await page.getByRole('button', { name: 'Importar', exact: true }).click();
    await page.getByText('120 incluídos, 120 com erro.').waitFor();
    const showMore = page.getByRole('button', { name: 'Mostrar mais' });
    await showMore.waitFor();
    const delayed = await delayFirst(page, '**/results?outcome=failed&after=*');
    await showMore.click();
    await delayed.arrived;
    await page.getByLabel('Mostrar', { exact: true }).selectOption('created');
    await page.getByText('Incluído', { exact: true }).first().waitFor();
    delayed.release();
    await showMore.click();
    await showMore.waitFor({ state: 'detached' });
    await expectCount(page.locator('tbody tr'), 120);
    expect(await page.getByText('Erro', { exact: true }).count()).toBe(0);
    await page.context().close();
  });

  test('a running import is still shown after a reload, and can be cancelled', async () => {
    const { page } = await site.enter('demo', '/importar');
    const response = await site.call('demo', 'GET', IMPORTS);
    const [{ id }] = (await response.json()) as [Job];
    const runningImport = {
      id,
      tipo: 'produto',
      modo: 'lote',
      simular: false,
      fileName: 'longo.json',
      sha256: '',
      state: 'running',
      total: 4000,
      processed: 1000,
      created: 990,
      newVersion: 0,
      unchanged: 0,
      failed: 10,
      error: null,
      createdAt: '2026-11-20T10:00:00-03:00',
      madeBy: '00000000191',
      deactivated: 0,
      failedNotKept: 0,
      resultsForgotten: false,
      changesMany: false,
      fromSheet: false,
    };
    await page.route(`**${IMPORTS}/${id}`, (route) => {
      if (route.request().method() === 'GET') return route.fulfill({ json: runningImport });
      return route.fulfill({ status: 204 });
    });
    await page.goto(`${site.url}/importar/${id}`);
    await page.getByText('1.000 de 4.000').waitFor();
    await page.reload();
    await page.getByText('1.000 de 4.000').waitFor();
    await expectGoodPage(page, `Importação ${id}`, 'importar-andamento');
    const cancelled = page.waitForRequest((request) => request.method() === 'DELETE');
    await page.getByRole('button', { name: 'Cancelar' }).click();
    expect(new URL((await cancelled).url()).pathname).toBe(`${IMPORTS}/${id}`);
    await page.unroute(`**${IMPORTS}/${id}`);
    await page.getByText('Os itens sem erro estão gravados.').waitFor();
    await page.context().close();
  });

  test('failed lines are exported with their reason, and can be imported again unchanged', async () => {
    const { page } = await site.enter('demo', '/importar');
    const rows = [
      ['Meu código', 'Título', 'Classificação fiscal', 'Operação'],
      ['0001', 'Caixa', '39269090', 'exportacao'],
      ['0002', 'Tampa', '3926', 'exportacao'],
      ['0003', 'Alça', '', 'exportacao'],
    ];
    await choose(page, sheet('erp.csv', rows));
    await page.getByLabel('Meu código').selectOption('codigosInterno');
    await page.getByRole('button', { name: 'Conferir sem gravar' }).click();
    await page.getByText('1 seria incluído, 2 com erro.').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Baixar as linhas a corrigir' }).click(),
    ]);
    const [headings, ...texts] = await textsOf(await Bun.file(await download.path()).bytes());
    expect(headings).toEqual([...(rows[0] ?? []), 'Erro na importação']);
    expect(texts.map((cells) => cells.slice(0, 4))).toEqual(rows.slice(2));
    expect(texts[0]?.[4]).toContain('3926');
    const checked = page.url();
    await page.getByRole('button', { name: 'Conferir de novo' }).click();
    await page.waitForURL((url) => url.href !== checked);
    await page.getByText('1 seria incluído, 2 com erro.').waitFor();
    await page.goBack();
    await page.getByText('1 seria incluído, 2 com erro.').waitFor();
    // The server keeps the checked file, so it can be imported after a reload.
    await page.reload();
    await page.getByRole('button', { name: 'Importar', exact: true }).click();
    await page.getByText('Os itens sem erro estão gravados.').waitFor();
    const list = await site.call(
      ...(['demo', 'GET', `/catp/api/ext/produto?cpfCnpjRaiz=${RAIZ}&codigoInterno=0001`] as const),
    );
    expect((await list.json())[0]).toMatchObject({ denominacao: 'Caixa', codigosInterno: ['0001'] });
    await page.context().close();
  });

  test('invalid values are corrected on the page, one correction for each received value, and all can be undone', async () => {
    const { page, complaints } = await site.enter('demo', '/importar');
    const rows = [
      ['SKU', 'Nome', 'NCM', 'Operação'],
      ['L1', 'Balde lilás', '39269090', 'exportacao'],
      ['L2', 'Balde lima', '3926', 'exportacao'],
      ['L3', 'Balde limão', '3926', 'venda'],
    ];
    await choose(page, sheet('baldes.csv', rows));
    await importSheet(page);
    await page.getByText('baldes.csv: 1 incluído, 2 com erro.').waitFor();
    // All faults of a row are reported at once, so the NCM of the third row is counted too.
    await page.getByLabel('Em vez de “3926” (2)').fill('39269090');
    await page.getByLabel('Em vez de “venda” (1)').selectOption('Exportação');
    const id = new URL(page.url()).pathname.split('/').at(-1);
    await expectGoodPage(page, `Importação ${id}`, 'importar-corrigir');
    await page.getByRole('button', { name: 'Importar as linhas corrigidas' }).click();
    await page.getByText('baldes.csv: 2 incluídos.').waitFor();
    const find = async () =>
      site.call('demo', 'GET', `/catp/api/ext/produto?cpfCnpjRaiz=${RAIZ}&codigoInterno=L3`);
    expect(await (await find()).json()).toMatchObject([{ ncm: '39269090', situacao: 'ATIVADO' }]);
    await page.getByRole('button', { name: 'Desfazer' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Desfazer' }).click();
    await page.getByRole('link', { name: /^Ver a importação/ }).waitFor();
    await page.getByText('Os itens sem erro estão gravados.').waitFor();
    expect(await (await find()).json()).toMatchObject([{ situacao: 'DESATIVADO' }]);
    // The undone import says that it was undone, and offers no second undo.
    const undoing = new URL(page.url()).pathname;
    await page.getByRole('link', { name: /^Ver a importação/ }).click();
    await page.getByText('Esta importação foi desfeita').waitFor();
    expect(await page.getByText('Os itens sem erro estão gravados.').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Desfazer' }).count()).toBe(0);
    await page.getByRole('link', { name: /^ver a importação/ }).click();
    await page.waitForURL(`**${undoing}*`);
    await page.getByRole('button', { name: 'Desfazer' }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a missing column gets one value for all rows, and the key of the records is chosen', async () => {
    const { page } = await site.enter('demo', '/importar');
    const rows = [
      ['SKU', 'Nome', 'NCM'],
      ['T1', 'Tonel', '39269090'],
    ];
    await choose(page, sheet('tonel.csv', rows));
    await page.getByText('Sem a coluna Modalidade').waitFor();
    await page.getByLabel('Modalidade de todas as linhas').fill('exp');
    await page.getByText('Sem a coluna Modalidade').waitFor({ state: 'detached' });
    await importSheet(page);
    await page.getByText('tonel.csv: 1 incluído.').waitFor();
    const find = async () =>
      (await site.call('demo', 'GET', `/catp/api/ext/produto?cpfCnpjRaiz=${RAIZ}&codigoInterno=T1`)).json();
    expect(await find()).toMatchObject([{ modalidade: 'EXPORTACAO' }]);
    await page.getByRole('link', { name: 'Importar', exact: true }).click();
    await choose(page, sheet('outro-tonel.csv', [rows[0] ?? [], ['T1', 'Tonel novo', '39269090']]));
    await page.getByLabel('Modalidade de todas as linhas').fill('exp');
    await page.getByLabel('Uma linha é do registro que tem').selectOption('nenhuma');
    await importSheet(page);
    await page.getByText('outro-tonel.csv: 1 incluído.').waitFor();
    expect(await find()).toHaveLength(2);
    await page.context().close();
  });

  test('the headings can be in another row, and in another sheet', async () => {
    const { page } = await site.enter('demo', '/importar');
    const rows = [
      ['A', 'B', 'C'],
      ['Nome', 'NCM', 'Operação'],
      ['Caixa', '39269090', 'EXPORTACAO'],
    ];
    await choose(page, sheet('titulo.csv', rows));
    const row = page.getByLabel('Linha dos nomes das colunas');
    await eventually(() => row.inputValue()).toBe('2');
    await row.fill('1');
    await page.getByRole('button', { name: 'Ler de novo' }).click();
    await page.getByLabel('A', { exact: true }).waitFor();
    await row.fill('2');
    await page.getByRole('button', { name: 'Ler de novo' }).click();
    await page.getByLabel('Nome', { exact: true }).waitFor();
    await eventually(() => page.getByLabel('Nome', { exact: true }).inputValue()).toBe('denominacao');
    await page.context().close();
  });
});
