/** Support for race tests: events in one task of the page, delayed answers, rendered frames. */
import type { Page, Route } from 'playwright-core';

type Act = { readonly label: string; readonly value: string } | { readonly press: string };

/** Runs all acts in one task of the page. */
export async function runInOneTask(page: Page, acts: readonly Act[]): Promise<void> {
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
export async function delayFirst(page: Page, address: string, method = 'GET') {
  let reportArrival: () => void = () => {};
  let release: () => void = () => {};
  const request = new Promise<void>((resolve) => {
    reportArrival = resolve;
  });
  const free = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isFirst = true;
  await page.route(address, async (route: Route) => {
    if (isFirst && route.request().method() === method) {
      isFirst = false;
      reportArrival();
      await free;
    }
    await route.continue().catch(() => undefined);
  });
  return { arrived: request, release: () => release() };
}

/** Resolves after callbacks that wait for a frame have run. */
export const waitForFrames = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
  });
