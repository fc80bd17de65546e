/**
 * The current user and place: the company by its full name, its colour, the environment (contract section
 * 17).
 */
import { expect, test } from 'bun:test';
import { eventually } from '../../support/eventually.ts';
import { expectGoodPage, inBrowser, PHONE, settled } from './support.ts';

const LONG = 'Companhia Exemplo de Importação, Exportação e Comércio de Bebidas Finas do Sul Ltda.';
const DEMO = '00000000191';

inBrowser('the company and the environment', ['dev', '--empty', '--set', 'ambiente=producao'], (site) => {
  const prepare = async (): Promise<void> => {
    const company = { cpfCnpjRaiz: '45543915', nome: LONG };
    const acts = { documento: DEMO, cpfCnpjRaiz: '45543915', perfil: 'IMPEXP' };
    expect((await site.call('admin', 'POST', '/appliance/api/companies', company)).status).toBe(200);
    expect((await site.call('admin', 'POST', '/appliance/api/representations', acts)).status).toBe(200);
  };

  test('are shown in full on every page, in the title, in confirmations, on a phone and on paper', async () => {
    await prepare();
    const { page } = await site.enter('demo', '/operadores?cpfCnpjRaiz=45543915');
    await settled(page);
    await expectGoodPage(page, 'Operadores estrangeiros', 'quem-e-onde');
    await eventually(() => page.title()).toBe(`Operadores estrangeiros · ${LONG} · Produção · catp`);
    const companyName = page.locator('.company .company-name');
    const isWhole = async (): Promise<void> => {
      await eventually(() => companyName.innerText()).toBe(`${LONG} 45.543.915`);
      const isTruncated = await companyName.evaluate(
        (name) => name.scrollWidth > name.clientWidth || name.getBoundingClientRect().right > innerWidth,
      );
      expect({ visible: await companyName.isVisible(), cut: isTruncated }).toEqual({
        visible: true,
        cut: false,
      });
    };
    await isWhole();
    await page.setViewportSize(PHONE);
    await isWhole();
    await page.emulateMedia({ media: 'print' });
    await isWhole();
    await eventually(() => page.getByRole('navigation').isVisible()).toBe(false);
    await eventually(() => page.locator('.environment').innerText()).toMatch(/PRODUÇÃO sem efeito legal/);
    await page.context().close();
  });

  test('are both named by a confirmation', async () => {
    const operator = { nome: 'Müller GmbH', logradouro: 'Ring 1', nomeCidade: 'Köln' };
    const path = '/catp/api/ext/operador-estrangeiro/45543915/CL';
    expect((await site.call('demo', 'POST', path, operator)).status).toBe(200);
    const { page } = await site.enter('demo', '/operadores/45543915/OPE_1');
    await page.getByRole('heading', { name: 'Müller GmbH' }).waitFor();
    await eventually(() => page.title()).toBe(`Müller GmbH · ${LONG} · Produção · catp`);
    await page.getByRole('button', { name: 'Desativar' }).click();
    await eventually(() => page.getByRole('dialog').innerText()).toContain(`${LONG} 45.543.915 · Produção`);
    await page.context().close();
  });

  test('are both named by a dialog; a dialog for all companies names only the environment', async () => {
    const { page } = await site.enter('demo', '/notificacoes?cpfCnpjRaiz=45543915');
    await page.getByRole('button', { name: 'Nova assinatura' }).click();
    await eventually(() => page.getByRole('dialog').innerText()).toContain(`${LONG} 45.543.915 · Produção`);
    await page.context().close();

    const { page: all } = await site.enter('admin', '/administracao');
    await all.getByRole('button', { name: 'Nova empresa' }).click();
    await eventually(() => all.getByRole('dialog').locator('.where').innerText()).toBe('Produção');
    await eventually(() => all.title()).toBe('Administração · Produção · catp');
    await all.context().close();
  });

  test('change by keyboard: the key c opens the list of companies', async () => {
    const { page } = await site.enter('demo', '/operadores?cpfCnpjRaiz=12345678');
    await settled(page);
    await page.keyboard.press('c');
    await eventually(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
    await page.keyboard.press('Escape');
    await page.keyboard.type('Companhia');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/operadores?cpfCnpjRaiz=45543915');
    await page.context().close();
  });

  test('have a colour with enough contrast for every company, in light and dark', async () => {
    const { page } = await site.enter('demo', '/?cpfCnpjRaiz=12345678');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const weakContrasts = await page.evaluate(() => {
        const pen = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
        const luminance = (colour: string): number => {
          if (pen === null) throw new Error('no canvas');
          pen.fillStyle = colour;
          pen.fillRect(0, 0, 1, 1);
          const [r = 0, g = 0, b = 0] = [...pen.getImageData(0, 0, 1, 1).data].map((part) => {
            const share = part / 255;
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const name = document.querySelector<HTMLElement>('.company-name');
        const side = document.querySelector('.side');
        if (name === null || side === null) throw new Error('no company');
        const background = luminance(getComputedStyle(side).backgroundColor);
        return Array.from({ length: 360 }, (_, hue) => {
          name.style.setProperty('--hue', String(hue));
          const border = luminance(getComputedStyle(name).borderLeftColor);
          return {
            hue,
            contrast: (Math.max(border, background) + 0.05) / (Math.min(border, background) + 0.05),
          };
        }).filter(({ contrast }) => contrast < 4.5);
      });
      expect({ colorScheme, weak: weakContrasts }).toEqual({ colorScheme, weak: [] });
    }
    await page.context().close();
  });
});
