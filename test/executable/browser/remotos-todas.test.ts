/**
 * `/remotos` for several clients: all of them compared, all records that both sides changed decided at once.
 */
import { expect, test } from 'bun:test';
import { signIn } from '../../../scripts/proof/client.ts';
import { eventually } from '../../support/eventually.ts';
import { COMPANY, PRODUCTS, button, chip, expectNoComplaints, startRemote, product } from './remotos.ts';
import { expectGoodPage, inBrowser, settled } from './support.ts';

inBrowser('a remote of several clients', ['dev', '--empty'], (site) => {
  const remoteServer = startRemote();
  let session: ReturnType<typeof signIn> | undefined;
  /** Signs in once: the remote accepts one sign-in per user and minute. */
  const remoteUser = () => (session ??= signIn(remoteServer.url, 'demo2'));

  test('is compared for all clients, and all records that both sides changed are decided in one step', async () => {
    const remoteClient = await remoteUser();
    for (const code of ['A-1', 'A-2']) {
      const remote = await remoteClient.call('POST', PRODUCTS, product(`Caixa de lá ${code}`, [code]));
      const local = await site.call('demo', 'POST', PRODUCTS, product(`Caixa daqui ${code}`, [code]));
      expect([remote?.status, local.status]).toEqual([200, 200]);
    }
    const connection = { url: remoteServer.url, clientId: 'demo', clientSecret: 'demo' };
    const remote = { name: 'portal', companies: [COMPANY, '87654321'], ...connection };
    expect((await site.call('admin', 'POST', '/appliance/api/remotes', remote)).status).toBe(200);

    const opened = await site.enter('demo', '/remotos');
    const { page } = opened;
    await button(page, 'Comparar as 2 empresas').click();
    await page.getByText('2 comparações pedidas').waitFor();
    const states = async (): Promise<string[]> => {
      const path = '/appliance/api/comparisons?cpfCnpjRaiz=87654321';
      const list = (await (await site.call('demo', 'GET', path)).json()) as { state: string }[];
      return list.map(({ state }) => state);
    };
    await eventually(states).toEqual(['done']);
    await chip(page, /^Mudou nos dois 2/).click();
    await settled(page);
    await expectGoodPage(page, 'Remotos', 'remotos-todas');
    await button(page, 'Vale o daqui em todas').click();
    await page.getByRole('dialog', { name: 'Vale o daqui em 2 registros?' }).waitFor();
    await button(page, 'Decidir todos').click();
    await page.getByText('2 registros decididos.').waitFor();
    await chip(page, /^Mudou aqui 2/).waitFor();
    expectNoComplaints(opened);
    await page.context().close();
  });

  test('offers one answer for all records that match several remote records', async () => {
    const remoteClient = await remoteUser();
    // A local record has the codes of two remote records.
    const makeAmbiguous = async (name: string): Promise<void> => {
      for (const code of ['1', '2'])
        expect(
          (await remoteClient.call('POST', PRODUCTS, product(`${name} ${code}`, [name + code])))?.status,
        ).toBe(200);
      const local = product(name, [`${name}1`, `${name}2`]);
      expect((await site.call('demo', 'POST', PRODUCTS, local)).status).toBe(200);
    };
    await makeAmbiguous('Tampa');
    await makeAmbiguous('Pino');
    const opened = await site.enter('demo', `/remotos?cpfCnpjRaiz=${COMPANY}`);
    const { page } = opened;
    await button(page, 'Comparar com portal').click();
    await chip(page, /^Ambíguo 2/).click();
    await settled(page);
    await expectGoodPage(page, 'Remotos', 'remotos-ambiguos');
    await button(page, 'É o primeiro candidato em todas').click();
    await button(page, 'Decidir todos').click();
    await page.getByText('2 registros decididos.').waitFor();
    await chip(page, /^Ambíguo/).waitFor({ state: 'detached' });

    await makeAmbiguous('Mola');
    await button(page, 'Comparar com portal').click();
    await chip(page, /^Ambíguo 1/).click();
    await button(page, 'Vale o daqui em todas').click();
    await page.getByText('como novos').waitFor();
    await button(page, 'Decidir todos').click();
    await page.getByText('1 registro decidido.').waitFor();
    await chip(page, /^Só aqui 1/).waitFor();
    expectNoComplaints(opened);
    await page.context().close();
  });

  test('offers the servers of the public service by name', async () => {
    const { page } = await site.enter('admin', '/remotos');
    await button(page, 'Novo remoto').click();
    const field = page.getByRole('dialog').getByLabel('Endereço');
    await field.fill('portal treinamento');
    await page.getByRole('option', { name: 'Portal Único, treinamento' }).click();
    await eventually(() => field.inputValue()).toContain('https://val.portalunico.siscomex.gov.br');
    await page.context().close();
  });
});
