/**
 * A developer of an ERP: tries the API on its own page, sees the sent request and the reason of its refusal,
 * and is notified of the change.
 */
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Receiver } from '../../../src/receiver/receiver.ts';
import { openReceiver, testAuthority } from '../../support/receiver.ts';
import { eventually } from '../../support/eventually.ts';
import { inBrowser } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'catp-desenvolvedor-'));
const ca = join(folder, 'ca.pem');
writeFileSync(ca, (await testAuthority()).pem);
const receiver: Receiver = await openReceiver({ script: '200' });
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const MAP = `erp.exemplo:443=127.0.0.1:${receiver.port}`;
const PRODUCTS = '/catp/api/ext/produto/12345678';

inBrowser('a developer', ['dev', '--empty', '--retry', 'none', '--ca', ca, '--map', MAP], (site) => {
  test('sends a request from the reference, reads its refusal in the journal, and receives the notification of a change', async () => {
    const { page, complaints } = await site.open('/docs/includeProduct');
    const include = page.locator('main');
    await page.getByRole('button', { name: 'Entrar para experimentar' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Entrar' }).click();
    await page.getByText('envia as requisições').waitFor();
    await include.getByRole('button', { name: 'Experimentar', exact: true }).click();
    await include.getByRole('button', { name: 'Enviar' }).click();
    await page
      .getByRole('dialog', { name: 'Enviar de verdade?' })
      .getByRole('button', { name: 'Enviar' })
      .click();
    await include.getByText('"codigo": 1').first().waitFor();
    await eventually(() => include.locator('.snippet pre').first().innerText()).toContain('curl');

    // The request of the program is refused; the journal shows the valid form.
    await site.call('demo', 'POST', PRODUCTS, { denominacao: 'X', modalidade: 'IMPORTACAO', ncm: '7318.15' });
    await page.getByRole('link', { name: 'Desenvolvedor', exact: true }).click();
    await page
      .getByRole('row')
      .filter({ hasText: PRODUCTS })
      .filter({ hasText: '400' })
      .first()
      .getByRole('button')
      .click();
    await page.getByText('O que estava errado, e o que teria sido válido').waitFor();
    await eventually(() => page.locator('.requests-problems').innerText()).toContain('/ncm');
    await page.getByText('O comando que a repete').click();
    await eventually(() => page.locator('.requests-curl pre').innerText()).toContain('7318.15');

    await page.getByRole('link', { name: 'Notificações', exact: true }).click();
    await page.getByRole('button', { name: 'Nova assinatura' }).click();
    await page.getByLabel('Evento').fill('catp-prod-alterado');
    await page.getByLabel('Endpoint').fill('https://erp.exemplo/avisos');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Aguardando').waitFor();
    await site.call('demo', 'POST', PRODUCTS, {
      denominacao: 'Arruela',
      modalidade: 'IMPORTACAO',
      ncm: '73182100',
    });
    const latest = page.locator('section', { hasText: 'Últimas entregas' }).last();
    await latest.getByText('Entregue').first().waitFor();
    expect(receiver.requests.at(-1)?.body).toContain('"codigo"');
    await latest.getByRole('button', { name: 'Ver' }).first().click();
    await page.getByRole('dialog').getByText('catp-prod-alterado').first().waitFor();
    await page.keyboard.press('Escape');
    // The browser also logs each refusal of the server to its console.
    expect(complaints.filter((text) => !/40[01]/.test(text))).toEqual([]);
    await page.context().close();
  });
});
