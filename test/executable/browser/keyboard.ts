/** Keyboard navigation: the focused element, and the way to one row of many. */
import type { Page } from 'playwright-core';

const MAX_STEPS = 120;

/**
 * Presses Tab until a button of this name, once it exists, has the focus in the row or card with the text.
 */
export async function tabToIn(
  page: Page,
  around: 'tr' | 'section' | 'li',
  text: string,
  name: string,
): Promise<void> {
  await page.locator(around, { hasText: text }).getByText(name, { exact: true }).first().waitFor();
  for (let step = 0; step < MAX_STEPS; step += 1) {
    await page.keyboard.press('Tab');
    const isFocused = await page.evaluate(
      ([part, rowText, buttonName]) => {
        const element = document.activeElement;
        return (
          element?.textContent?.trim() === buttonName &&
          element.closest(part)?.textContent?.includes(rowText) === true
        );
      },
      [around, text, name] as const,
    );
    if (isFocused) return;
  }
  throw new Error(`the keyboard does not reach ${name} in ${text}`);
}

/**
 * Resolves when an element of the page, not the document, has the focus, also after an element was removed.
 */
export const somethingHasFocus = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => document.activeElement !== document.body && document.activeElement !== null);
