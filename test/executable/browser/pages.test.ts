/**
 * Every page of the table: its structure, its appearance, its width, axe-core, and no message in the
 * console.
 */
import { expect, test } from 'bun:test';
import { PAGES } from '../../../src/web/pages.ts';
import {
  expectAccessible,
  expectAnatomy,
  expectNoOverflow,
  inBrowser,
  PHONE,
  screenshots,
  settled,
} from './support.ts';

/** The pages without a record in their address. The tests of the other pages create the record first. */
const WITHOUT_RECORD = PAGES.filter(({ address }) => !address.includes(':'));

inBrowser('every page', ['dev'], (site) => {
  for (const { address, title, audience } of WITHOUT_RECORD) {
    const user = audience === 'anybody' ? undefined : audience.includes('representative') ? 'demo' : 'admin';
    test(`${address} is complete, fits, is accessible and logs no message`, async () => {
      const opened = user === undefined ? await site.open(address) : await site.enter(user, address);
      const { page, complaints, strangers } = opened;
      await settled(page);
      await expectAnatomy(page, title);
      await screenshots(page, address === '/' ? 'painel' : address.slice(1).replaceAll('/', '-'));
      await expectNoOverflow(page);
      await expectAccessible(page);
      await page.setViewportSize(PHONE);
      await expectAccessible(page);
      expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
      await page.context().close();
    });
  }

  test('/ajuda, which the server renders, is complete, fits and is accessible', async () => {
    const { page, complaints } = await site.open('/ajuda/configuracoes', { javaScriptEnabled: true });
    await expectAnatomy(page, await page.title().then((text) => text.split(' · ')[0] ?? ''));
    await screenshots(page, 'ajuda');
    await expectNoOverflow(page);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
