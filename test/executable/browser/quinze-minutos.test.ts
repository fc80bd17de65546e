/**
 * The page of fifteen minutes, step by step: a sheet is proposed, approved, sent to the stand-in of
 * the public service, and the notification arrives.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startCatp, type RunningCatp } from '../../support/executable.ts';
import { ROOT } from '../../support/sources.ts';
import { type Sandbox, openSandbox } from '../support.ts';
import { blockAfter } from '../terminal.ts';
import { expectNoComplaints, button, chip } from './remotos.ts';
import { fillSignIn, inBrowser } from './support.ts';

/** Output folder for the pictures of the page; the value `src/docs/images` replaces the current ones. */
const PICTURES = process.env['GUIDE_PICTURES'];
/** Small, because the executable contains the images. */
const SCALE = 0.6;

const SHEET = join(ROOT, 'scripts/examples/materiais.csv');
const START = './scripts/start --empty --local-receivers --data quinze';

/** Returns the words of a command line of the page, with a free port. */
async function wordsOf(block: string): Promise<readonly string[]> {
  const [, line = ''] = /^dist\/catp (.+)$/m.exec(await blockAfter(block)) ?? [];
  return line.replace(/(--(?:http-)?port) \d+/g, '$1 0').split(' ');
}

inBrowser('fifteen minutes', ['dev', ...START.split(' ').slice(1)], (site) => {
  let sandbox: Sandbox;
  let standIn: RunningCatp;
  let receiver: RunningCatp;
  beforeAll(async () => {
    sandbox = await openSandbox();
    standIn = await startCatp(await wordsOf('quinze-servico'), { cwd: sandbox.folder });
    receiver = await startCatp([...(await wordsOf('quinze-receptor')), '--port', '0'], {
      cwd: sandbox.folder,
    });
  });
  afterAll(async () => {
    await standIn.stop();
    await receiver.stop();
    await sandbox.close();
  });

  const picture = async (page: Page, name: string): Promise<void> => {
    if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `quinze-${name}.png`) });
  };
  const OPTIONS = { deviceScaleFactor: SCALE };
  /** Signs in by the form, as the page says. */
  const openAs = async (user: string): ReturnType<typeof site.open> => {
    const opened = await site.open('/', OPTIONS);
    await opened.page.getByLabel('Client-Id').waitFor();
    if (user === 'demo2') await picture(opened.page, 'entrar');
    await fillSignIn(opened.page, user, user);
    await button(opened.page, 'Sair').waitFor({ state: 'attached' });
    return opened;
  };

  test('each step of the page works, from the sheet to the notification', async () => {
    expect(await blockAfter('quinze-inicio')).toContain(START);
    // The block expects a clone of the repository; its paths and port are replaced with those of this test.
    writeFileSync(join(site.folder, 'segredo.txt'), 'demo');
    const prepare = (await blockAfter('quinze-preparo'))
      .replaceAll('dist/catp', sandbox.executable)
      .replace('http://127.0.0.1:8090', standIn.url);
    const prepared = Bun.spawnSync(['bash', '-euc', prepare], { cwd: site.folder });
    expect([prepared.exitCode, prepared.stderr.toString()]).toEqual([0, expect.any(String)]);

    const approver = await openAs('demo');
    const { page } = approver;
    await page.goto(`${site.url}/notificacoes`);
    await button(page, 'Nova assinatura').click();
    await page.getByLabel('Evento').fill('catp-prod-alterado');
    const [, receiverPort = ''] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(receiver.stdout) ?? [];
    await page.getByLabel('Endpoint').fill(`http://127.0.0.1:${receiverPort}/avisos`);
    await button(page, 'Salvar').click();
    await page.getByText('Aguardando').waitFor();

    const filler = await openAs('demo2');
    await filler.page.goto(`${site.url}/importar`);
    await filler.page.setInputFiles('input[type=file]', {
      name: 'materiais.csv',
      mimeType: 'text/csv',
      buffer: readFileSync(SHEET),
    });
    await button(filler.page, 'Conferir sem gravar').click();
    await filler.page.getByText('5 seriam incluídos').waitFor();
    await picture(filler.page, 'conferir');
    await button(filler.page, 'Propor').click();
    await filler.page.getByRole('dialog').getByRole('button', { name: 'Propor', exact: true }).click();
    await filler.page.getByText('espera uma decisão.').waitFor();

    await page.goto(`${site.url}/?cpfCnpjRaiz=12345678`);
    await page.getByRole('link', { name: /^Decidir/ }).click();
    await button(page, 'Aprovar').waitFor();
    await picture(page, 'aprovar');
    await button(page, 'Aprovar').click();
    await button(page, 'Aprovar e gravar').click();
    await page.getByText('Nenhuma proposta espera uma decisão.').waitFor();

    await page.goto(`${site.url}/remotos`);
    await button(page, 'Comparar com publico').click();
    await chip(page, /^Só aqui 5/).waitFor();
    await picture(page, 'comparar');
    await chip(page, /^Só aqui 5/).click();
    await button(page, 'Enviar…').click();
    await button(page, 'Ver o plano').click();
    await button(page, 'Enviar').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Enviar' }).click();
    await page.getByText('Tudo feito.').waitFor();
    await picture(page, 'enviar');

    await page.goto(`${site.url}/notificacoes`);
    await page.getByText('Entregando').waitFor();
    await picture(page, 'aviso');
    expect(receiver.stdout).toContain('catp-prod-alterado');
    expectNoComplaints(approver);
    expectNoComplaints(filler);
    await filler.page.context().close();
    await page.context().close();
  });
});
