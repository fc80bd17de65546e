/** What the tests of a form ask of it. */
import type { Page } from 'playwright-core';

/** The labels of the fields in error. */
export const faultsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('[aria-invalid=true]')].map(
      ({ labels }) => labels?.[0]?.textContent ?? '',
    ),
  );

/** What is said at a field. */
export const describedBy = (page: Page, label: string): Promise<string> =>
  page
    .getByLabel(label)
    .evaluate(
      (field) => document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent ?? '',
    );

/** By its label alone: what stands in it is not looked at. */
export async function tabToField(page: Page, label: string): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press('Tab');
    const now = await page.evaluate(
      () => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent,
    );
    if (now === label) return;
  }
  throw new Error(`the keyboard does not reach ${label}`);
}

/** A refusal with its details open: message, code and tag, and where. */
export async function refusalOn(page: Page): Promise<string> {
  const alert = page.getByRole('alert').filter({ hasText: 'detalhes' });
  await alert.getByText('detalhes').click();
  return alert.innerText();
}
