/**
 * The pages in Firefox: each opens without a message in the console; sign-in, form and import work by mouse
 * and keyboard.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PAGES } from '../../../src/web/pages.ts';
import { eventually } from '../../support/eventually.ts';
import { builtExecutable, startCatp, type RunningCatp } from '../../support/executable.ts';
import { ARROW_DOWN, ENTER, Firefox, firefoxPath, TAB } from '../../support/firefox.ts';
import { STORY_MS } from './support.ts';

setDefaultTimeout(STORY_MS);

if (firefoxPath === undefined)
  console.warn('ATENÇÃO: sem Firefox nesta máquina, as páginas NÃO foram abertas nele.');

describe.skipIf(firefoxPath === undefined)('Firefox', () => {
  const folder = mkdtempSync(join(tmpdir(), 'catp-firefox-'));
  let catp: RunningCatp;
  let firefox: Firefox;
  beforeAll(async () => {
    await builtExecutable();
    [catp, firefox] = await Promise.all([
      startCatp(['dev', '--port', '0'], { cwd: folder }),
      Firefox.start(),
    ]);
  });
  afterAll(async () => {
    await firefox?.close();
    await catp?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const signIn = async (user: string): Promise<void> => {
    await firefox.openTab();
    await firefox.goto(`${catp.url}/entrar`);
    await firefox.fill('Client-Id', user);
    await firefox.fill('Client-Secret', user);
    await firefox.click('button', 'Entrar');
    await firefox.waitForText('Sair');
  };
  const title = (): Promise<string> => firefox.evaluate('document.querySelector("h1")?.textContent ?? ""');

  test('signs in, saves a form and imports a file', async () => {
    await signIn('demo');
    await firefox.goto(`${catp.url}/produtos/novo?cpfCnpjRaiz=12345678`);
    await firefox.fill('Denominação', 'Vinho tinto de teste');
    await firefox.fill('NCM', '2204');
    await firefox.waitForText('2204.21.00');
    await firefox.press(ARROW_DOWN);
    await firefox.press(ENTER);
    await firefox.press(TAB);
    await firefox.type('Importação');
    await firefox.click('button', 'Salvar rascunho');
    await eventually(() => firefox.evaluate('location.pathname')).toMatch(/^\/produtos\/12345678\/\d+$/);
    await firefox.waitForText('Vinho tinto de teste');

    const item = {
      seq: 1,
      cpfCnpjRaiz: '12345678',
      denominacao: 'Porca',
      modalidade: 'IMPORTACAO',
      ncm: '1',
    };
    const file = join(folder, 'produtos.json');
    writeFileSync(file, JSON.stringify([item]));
    await firefox.goto(`${catp.url}/importar?cpfCnpjRaiz=12345678`);
    await firefox.waitForText('Conferir sem gravar');
    await firefox.chooseFiles(file);
    await firefox.click('button', 'Conferir sem gravar');
    await firefox.waitForText('1 com erro.');
    await firefox.waitForText('nada foi gravado');
    expect(firefox.complaints).toEqual([]);
  });

  for (const user of ['demo', 'admin'])
    test(`opens each page of ${user}`, async () => {
      await signIn(user);
      const role = user === 'demo' ? 'representative' : 'administrator';
      for (const page of PAGES) {
        if (page.address.includes(':') || page.audience === 'anybody' || !page.audience.includes(role))
          continue;
        await firefox.goto(catp.url + page.address);
        await eventually(title).toBe(page.title);
        await firefox.waitForText('Sair');
      }
      expect(firefox.complaints).toEqual([]);
    });
});
