/** Support for race tests: events in one task of the page, delayed answers, rendered frames. */
import type { Page, Route } from 'playwright-core';

type Act = { readonly label: string; readonly value: string } | { readonly press: string };

/** Runs all acts in one task of the page. */
export async function atOnce(page: Page, acts: readonly Act[]): Promise<void> {
  await page.evaluate((all) => {
    for (const act of all)
      if ('press' in act)
        [...document.querySelectorAll('button')]
          .find(({ textContent }) => textContent?.trim() === act.press)
          ?.click();
      else {
        const field = [...document.querySelectorAll<HTMLInputElement>('main input, main textarea')].find(
          ({ labels }) => labels?.[0]?.textContent?.startsWith(act.label),
        );
        if (field === undefined) throw new Error(`no field ${act.label}`);
        field.value = act.value;
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      }
  }, acts);
}

/** Delays the first request of that address until it is released; later requests pass. */
export async function holdBack(page: Page, address: string, method = 'GET') {
  let tell: () => void = () => {};
  let letGo: () => void = () => {};
  const request = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const free = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let isFirst = true;
  await page.route(address, async (route: Route) => {
    if (isFirst && route.request().method() === method) {
      isFirst = false;
      tell();
      await free;
    }
    await route.continue().catch(() => undefined);
  });
  return { arrived: request, letGo: () => letGo() };
}

/** Resolves after callbacks that wait for a frame have run. */
export const shownFrames = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
  });
