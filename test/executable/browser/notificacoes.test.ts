/** `/notificacoes`: from a subscription to the result of each delivery. */
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Receiver } from '../../../src/receiver/receiver.ts';
import type { WatchedPage } from '../../support/browser.ts';
import { openReceiver, testAuthority } from '../../support/receiver.ts';
import { refusalOn } from './forms.ts';
import { eventually } from '../../support/eventually.ts';
import { expectGoodPage, expectFocus, inBrowser, settled, tabTo } from './support.ts';

const EVENTO = 'duex-historico';
const ENDPOINT = 'https://erp.exemplo/avisos';

const folder = mkdtempSync(join(tmpdir(), 'catp-notificacoes-'));
const ca = join(folder, 'ca.pem');
writeFileSync(ca, (await testAuthority()).pem);
/** A receiver that refuses the first notification and accepts all later ones. */
const receiver: Receiver = await openReceiver({ script: '500+20,200' });
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

inBrowser('notifications', ARGS, (site) => {
  test('a subscription is created, receives an event, and its failed delivery is shown and sent again', async () => {
    const opened = await site.enter('demo', '/notificacoes');
    const { page } = opened;
    await settled(page);
    await page.getByText('Nenhuma assinatura ainda.').waitFor();
    await expectGoodPage(page, 'Notificações', 'notificacoes-vazia');
    await page.getByRole('button', { name: 'Nova assinatura' }).click();
    await page.getByLabel('Evento').fill(EVENTO);
    await page.getByText('DU-E: novo registro no histórico.').waitFor();
    await page.getByLabel('Endpoint').fill('http://erp.exemplo/avisos');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByRole('alert').waitFor();
    expect(await refusalOn(page)).toContain('PUCX-ER0010');
    await eventually(() => page.getByLabel('Endpoint').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Endpoint').fill(ENDPOINT);
    await page.getByLabel('Chave secreta').fill('muito-secreta');
    await expectGoodPage(page, 'Notificações', 'notificacoes-nova');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Aguardando').waitFor();

    // A second subscription of the same event is refused at its field.
    await page.getByRole('button', { name: 'Nova assinatura' }).click();
    await page.getByLabel('Evento').fill(EVENTO);
    await page.getByLabel('Endpoint').fill(ENDPOINT);
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByRole('alert').getByText('detalhes').waitFor();
    expect(await refusalOn(page)).toContain('PLAT-ER9100');
    await eventually(() => page.getByLabel('Evento').getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expectFocus(page, 'Nova assinatura');

    await publish(site);
    // The delivery appears without a reload.
    await page.getByText('O destinatário respondeu com o status 500').first().waitFor();
    await page.getByText('Falhando').waitFor();
    await page.getByText('em 30 dias').waitFor();
    await expectGoodPage(page, 'Notificações', 'notificacoes-assinaturas');
    await page.getByRole('button', { name: 'Ver' }).click();
    const dialog = page.getByRole('dialog', { name: 'Entrega 1' });
    await dialog.getByText('secret: •••').waitFor();
    await dialog.getByText('"numero": "26BR0000000019"').waitFor();
    await dialog.getByText('status 500', { exact: true }).waitFor();
    await dialog.getByText('Resposta do receptor', { exact: true }).waitFor();
    await dialog.getByText('....................', { exact: true }).waitFor();
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

    // A test event is delivered to this subscription.
    await page.getByRole('button', { name: 'Enviar teste' }).click();
    await page.getByText('Um exemplo do evento foi enviado').waitFor();
    await page.getByText('entrega 2').waitFor();

    // An unchanged secret is kept, and is removed on request.
    await page.getByRole('button', { name: 'Editar' }).click();
    await page.getByLabel('Endpoint').fill(`${ENDPOINT}/2`);
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText(`${ENDPOINT}/2`).first().waitFor();
    await eventually(() => page.locator('td[data-label=Chaves]').textContent()).toBe('secreta');
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
    expectNoComplaints(opened);
    await page.context().close();
  });

  test('Enter selects and sends nothing before the events are loaded', async () => {
    const { page } = await site.enter('demo2', '/notificacoes');
    await settled(page);
    const types = Promise.withResolvers<void>();
    await page.route('**/appliance/api/event-types', async (route) => {
      await types.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Nova assinatura' }).click();
    const dialog = page.getByRole('dialog', { name: 'Nova assinatura' });
    await dialog.getByLabel('Endpoint').fill('https://nao-existe.invalid/');
    await dialog.getByRole('combobox', { name: 'Evento' }).pressSequentially('catp-prod-alt');
    await page.keyboard.press('Enter');
    types.resolve();
    await dialog.getByRole('option', { name: 'catp-prod-alterado' }).waitFor();
    expect(await dialog.getByRole('combobox', { name: 'Evento' }).inputValue()).toBe('catp-prod-alt');
    await page.context().close();
  });

  test('the keyboard alone creates a subscription, reads it, sends it again and deletes it', async () => {
    const { page, complaints } = await site.enter('demo2', '/notificacoes');
    await settled(page);
    const type = (text: string) => page.keyboard.type(text);
    await tabTo(page, 'Nova assinatura');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Nova assinatura' }).waitFor();
    await page.getByRole('combobox', { name: 'Evento' }).focus();
    await type('catp-prod-alt');
    await page.getByRole('option', { name: 'catp-prod-alterado' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Produto incluído, alterado ou desativado.').waitFor();
    await tabTo(page, 'Endpoint');
    await type('https://nao-existe.invalid/');
    await page.keyboard.press('Enter');
    await page.getByText('Aguardando').waitFor();
    await expectFocus(page, 'Nova assinatura');

    const product = { denominacao: 'Parafuso', modalidade: 'IMPORTACAO', ncm: '73181500' };
    expect((await site.call('demo2', 'POST', '/catp/api/ext/produto/12345678', product)).status).toBe(200);
    await page.getByText('Falhou').waitFor();
    await tabTo(page, 'Ver');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Entrega/ });
    await dialog.getByText('sem resposta').waitFor();
    await dialog.getByText('não pôde ser resolvido').waitFor();
    await tabTo(page, 'Reenviar');
    await page.keyboard.press('Enter');
    await dialog.getByText('sem resposta').nth(1).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expectFocus(page, 'Ver');

    await page.getByRole('tab', { name: 'Assinaturas' }).focus();
    for (const [name, message] of [
      ['Entregas', 'Reenviar'],
      ['Falhas do dia', 'não pôde ser resolvido'],
      ['Resumo', 'Em cada dia'],
    ] as const) {
      await page.keyboard.press('ArrowRight');
      await expectFocus(page, name);
      await page.getByText(message).first().waitFor();
      await settled(page);
      await expectGoodPage(page, 'Notificações', `notificacoes-${name.split(' ')[0]?.toLowerCase()}`);
    }
    expect(page.url()).toContain('aba=resumo');
    await page.keyboard.press('Home');
    await tabTo(page, 'Excluir');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('não pode ser desfeita').waitFor();
    await tabTo(page, 'Excluir');
    await page.keyboard.press('Enter');
    await page.getByText('Nenhuma assinatura ainda.').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('an administrator publishes any event, and filters failed deliveries and sends them again', async () => {
    expect(
      (
        await site.call('estranho', 'POST', '/portal/api/ext/webhook', {
          evento: 'meu-evento',
          endpoint: ENDPOINT,
        })
      ).status,
    ).toBe(200);
    const opened = await site.enter('admin', '/notificacoes');
    const { page } = opened;
    await page.getByLabel('Evento').fill(EVENTO);
    await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('26BR0000000019'));
    await page.getByLabel('Evento').fill('meu-evento');
    await page.getByLabel('Destinatário').fill('11222333');
    await page.getByText('chega a quem representa a empresa').waitFor();
    await page.getByLabel('Conteúdo').fill('{"texto": "<b>\u202eoãs\u200b", "valor": 1.10,}');
    await page.getByText('linha 1').waitFor();
    await page.getByRole('button', { name: 'Publicar', exact: true }).click();
    await expectGoodPage(page, 'Notificações', 'notificacoes-publicar');
    await page.getByLabel('Conteúdo').fill('{"texto": "<b>\u202eoãs\u200b", "valor": 1.10}');
    const before = receiver.requests.length;
    await page.getByRole('button', { name: 'Publicar', exact: true }).click();
    await page.getByText(/Publicado com o número \d+: 1 entrega\./).waitFor();
    // Earlier events were delivered too, so the test waits for this row.
    await page.getByRole('row').filter({ hasText: 'meu-evento' }).filter({ hasText: 'Entregue' }).waitFor();
    expect(receiver.requests[before]?.body).toContain('1.10');

    await page.getByLabel('Destinatário').fill('99999999');
    await page.getByRole('button', { name: 'Publicar', exact: true }).click();
    await page.getByText('ninguém o recebe').waitFor();
    await page.getByLabel('Destinatário').fill('123');
    await page.getByLabel('Tipo').selectOption('CPF');
    await page.getByRole('button', { name: 'Publicar', exact: true }).click();
    await page.getByRole('alert').waitFor();
    expect(await refusalOn(page)).toContain('PUCX-ER0010');
    await eventually(() => page.getByLabel('Destinatário').getAttribute('aria-invalid')).toBe('true');

    await page.getByRole('tab', { name: 'Entregas' }).click();
    await page.getByLabel('Evento').fill('meu-evento');
    await page.getByRole('button', { name: 'Filtrar' }).click();
    await page.waitForURL((url) => url.searchParams.get('evento') === 'meu-evento');
    await page.getByText('1 entrega', { exact: true }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Baixar CSV' }).click(),
    ]);
    expect((await Bun.file(await file.path()).text()).trim().split('\r\n')).toEqual([
      expect.stringContaining('Entrega;Evento;Endpoint;'),
      expect.stringContaining(';meu-evento;'),
    ]);
    await page.getByRole('button', { name: 'Ver' }).click();
    await page.getByRole('dialog').getByText('"valor": 1.10').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Reenviar as que falharam…' }).click();
    await page.getByLabel('Hora').fill('25:00');
    await page.getByRole('dialog').getByRole('button', { name: 'Reenviar' }).click();
    await page.getByText('Escreva o dia como').first().waitFor();
    await page.getByLabel('Hora').fill('00:00');
    await page.getByRole('dialog').getByRole('button', { name: 'Reenviar' }).click();
    await page.getByText('Nenhuma entrega falhou desde então.').waitFor();
    expectNoComplaints(opened);
    await page.context().close();
  });
});

/** Expects no complaints, except the refusals that Chromium logs. */
function expectNoComplaints({ complaints, strangers }: WatchedPage): void {
  const others = complaints.filter((text) => !/status of 4\d\d/.test(text));
  expect({ others, strangers }).toEqual({ others: [], strangers: [] });
}

async function publish(site: {
  call: (user: 'admin', method: string, path: string, body: unknown) => Promise<Response>;
}) {
  const response = await site.call('admin', 'POST', '/appliance/api/events', {
    evento: EVENTO,
    destinatarioTipo: 'CPF',
    destinatarioId: '00000000191',
    conteudo: { due: { numero: '26BR0000000019' } },
  });
  expect(response.status).toBe(200);
}
