/** `/notificacoes`: from a subscription to what became of each delivery. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Receiver } from '../../../src/receiver/receiver.ts';
import { openReceiver, testAuthority } from '../../support/receiver.ts';
import { expectGoodPage, focused, inBrowser, settled, STORY_MS } from './support.ts';

setDefaultTimeout(STORY_MS);

const EVENTO = 'duex-historico';
const ENDPOINT = 'https://erp.exemplo/avisos';

const folder = mkdtempSync(join(tmpdir(), 'catp-notificacoes-'));
const ca = join(folder, 'ca.pem');
writeFileSync(ca, (await testAuthority()).pem);
/** The first notification is refused, all further ones are taken. */
const receiver: Receiver = await openReceiver({ script: '500,200' });
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const ARGS = [
  'dev',
  '--empty',
  '--retry',
  'none',
  '--ca',
  ca,
  '--map',
  `erp.exemplo:443=127.0.0.1:${receiver.port}`,
];

inBrowser('notifications', ARGS, (it) => {
  test('a subscription is made, an event reaches it, the failure is seen and sent again', async () => {
    const { page, complaints, strangers } = await it.enter('demo', '/notificacoes');
    await settled(page);
    await page.getByText('Nenhuma assinatura ainda.').waitFor();
    await expectGoodPage(page, 'Notificações', 'notificacoes-vazia');
    await page.getByRole('button', { name: 'Nova assinatura' }).click();
    await page.getByLabel('Evento').fill(EVENTO);
    await page.getByText('DU-E: novo registro no histórico.').waitFor();
    await page.getByLabel('Endpoint').fill('http://erp.exemplo/avisos');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByRole('alert').getByText('PUCX-ER0010').waitFor();
    expect(await page.getByLabel('Endpoint').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Endpoint').fill(ENDPOINT);
    await page.getByLabel('Chave secreta').fill('muito-secreta');
    await expectGoodPage(page, 'Notificações', 'notificacoes-nova');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Aguardando').waitFor();

    // The same event once more is refused at its field.
    await page.getByRole('button', { name: 'Nova assinatura' }).click();
    await page.getByLabel('Evento').fill(EVENTO);
    await page.getByLabel('Endpoint').fill(ENDPOINT);
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByRole('alert').getByText('PLAT-ER9100').waitFor();
    expect(await page.getByLabel('Evento').getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('Nova assinatura');

    await publish(it);
    // It appears by itself.
    await page.getByText('O destinatário respondeu com o status 500').first().waitFor();
    await page.getByText('Falhando').waitFor();
    await page.getByText('em 30 dias').waitFor();
    await expectGoodPage(page, 'Notificações', 'notificacoes-assinaturas');
    await page.getByRole('button', { name: 'Ver' }).click();
    const dialog = page.getByRole('dialog', { name: 'Entrega 1' });
    await dialog.getByText('secret: •••').waitFor();
    await dialog.getByText('"numero": "26BR0000000019"').waitFor();
    await dialog.getByText('status 500', { exact: true }).waitFor();
    expect(page.url()).toContain('entrega=1');
    await expectGoodPage(page, 'Notificações', 'notificacoes-entrega');
    await dialog.getByRole('button', { name: 'Reenviar' }).click();
    await dialog.getByText('status 200', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Entregando').waitFor();
    expect(receiver.requests.map(({ headers }) => headers['secret'])).toEqual([
      'muito-secreta',
      'muito-secreta',
    ]);

    // A secret left alone stays, and goes when that is asked for.
    await page.getByRole('button', { name: 'Editar' }).click();
    await page.getByLabel('Endpoint').fill(`${ENDPOINT}/2`);
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText(`${ENDPOINT}/2`).first().waitFor();
    expect(await page.locator('td[data-label=Chaves]').textContent()).toBe('secreta');
    await page.getByRole('button', { name: 'Editar' }).click();
    await page.getByLabel('Remover a chave secreta guardada').check();
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.locator('td[data-label=Chaves]').getByText('nenhuma').waitFor();

    await page.getByRole('button', { name: 'Excluir' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Excluir' }).click();
    await page.getByText('Nenhuma assinatura ainda.').waitFor();
    await page.getByLabel('Mostrar excluídas').check();
    await page.getByText('Exclusão solicitada pelo usuário.').waitFor();
    expect(page.url()).toContain('exibirInativos=true');
    expect({ complaints: complaints.filter((text) => !/status of 4\d\d/.test(text)), strangers }).toEqual({
      complaints: [],
      strangers: [],
    });
    await page.context().close();
  });
});

async function publish(it: {
  call: (user: 'admin', method: string, path: string, body: unknown) => Promise<Response>;
}) {
  const sent = await it.call('admin', 'POST', '/appliance/api/events', {
    ...{ evento: EVENTO, destinatarioTipo: 'CPF', destinatarioId: '00000000191' },
    conteudo: { due: { numero: '26BR0000000019' } },
  });
  expect(sent.status).toBe(200);
}
