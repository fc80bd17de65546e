/** Queries and actions of the form tests. */
import type { Page } from 'playwright-core';

/** Returns the labels of the fields in error. */
export const faultsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('[aria-invalid=true]')].map(
      ({ labels }) => labels?.[0]?.textContent ?? '',
    ),
  );

/** Returns the description of a field. */
export const describedBy = (page: Page, label: string): Promise<string> =>
  page
    .getByLabel(label)
    .evaluate(
      (field) => document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent ?? '',
    );

/** Finds the field by its label alone; its value is ignored. */
export async function tabToField(page: Page, label: string, maxSteps = 60): Promise<void> {
  for (let step = 0; step < maxSteps; step += 1) {
    await page.keyboard.press('Tab');
    const now = await page.evaluate(
      () => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent,
    );
    if (now === label) return;
  }
  throw new Error(`the keyboard does not reach ${label}`);
}

/** Chooses the company of the pages by its CNPJ, in the searchable field. */
export async function chooseCompany(page: Page, cpfCnpjRaiz: string): Promise<void> {
  const field = page.getByLabel('Empresa', { exact: true });
  await field.fill(cpfCnpjRaiz);
  await field.press('Enter');
}

/** Returns the CNPJ of the company of the page. */
export const chosenCompany = async (page: Page): Promise<string> =>
  (await page.locator('.company .company-number').innerText()).replaceAll('.', '');

/** Returns a refusal with its details open: message, code, tag and position. */
export async function refusalOn(page: Page): Promise<string> {
  const alert = page.getByRole('alert').filter({ hasText: 'detalhes' });
  await alert.getByText('detalhes').click();
  return alert.innerText();
}

/** Adds a filter to a list. */
export async function addFilter(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Adicionar filtro' }).click();
  await page.locator('.filters .menu').getByRole('button', { name, exact: true }).click();
  await page.locator('.filters').getByLabel(name, { exact: true }).waitFor();
}

/** Removes an added filter. */
export const removeFilter = (page: Page, name: string): Promise<void> =>
  page.locator('.filter-chip', { hasText: name }).getByRole('button', { name: 'Tirar o filtro' }).click();

/** Chooses an entry below `Editar` on the page of a product. */
export async function edit(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Editar', exact: true }).click();
  await page.locator('.menu').getByRole('button', { name, exact: true }).click();
}
