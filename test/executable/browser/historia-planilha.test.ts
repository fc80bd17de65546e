/**
 * An analyst brings in a sheet of three hundred rows with ten kinds of faults in two rounds: one dry run that
 * reports all faults, and one without any. Once by mouse, once by keyboard alone.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'bun:test';
import { csv } from '../../catalogue/sheet/support.ts';
import { tabToField } from './forms.ts';
import { tabToIn } from './keyboard.ts';
import { expectGoodPage, inBrowser, tabTo } from './support.ts';

const ROWS = 300;
const HEADINGS = [
  ...['Cód. Material', 'Nome', 'Clas. Fiscal', 'Aplicação', 'Orgânico', 'Teor alcoólico', 'Uvas'],
  ...['Ano da safra', 'Embalagem: Material', 'Embalagem: Capacidade (L)'],
];

/** Returns a row of the sheet: its faults depend on its number. */
function rowOf(prefix: string, number: number): readonly string[] {
  const isEvery = (step: number, offset: number): boolean => number % step === offset;
  const codeOf = (position: number): string => `${prefix}${String(position).padStart(4, '0')}`;
  return [
    isEvery(100, 3) ? codeOf(number - 1) : codeOf(number),
    isEvery(60, 5) ? '' : `Vinho tinto ${number}`,
    isEvery(50, 7) ? '2204' : '22042100',
    isEvery(10, 4) ? 'REVENDA' : isEvery(100, 9) ? 'EXP' : 'IMP',
    isEvery(30, 8) ? 'talvez' : 'Não',
    isEvery(20, 11) ? '12.500' : isEvery(40, 12) ? '' : '12,5',
    // In two rows the unknown modality hides this fault.
    isEvery(50, 14) || isEvery(50, 13) ? 'Merlot inventadda' : 'Merlot inventada',
    isEvery(37, 1) ? 'n/d' : '2019',
    'Vidro',
    '0,75',
  ];
}

const sheetOf = (prefix: string): string =>
  csv([HEADINGS, ...Array.from({ length: ROWS }, (_, index) => rowOf(prefix, index + 1))]);

/** Actions on the page of the faults by one input device. */
interface InputDevice {
  readonly choose: (page: Page, label: string, option: string) => Promise<void>;
  readonly fill: (page: Page, label: string, text: string) => Promise<void>;
  readonly press: (page: Page, name: string) => Promise<void>;
  /** Presses a button of one reason, named by the text of its heading. */
  readonly pressAt: (page: Page, reason: string, name: string) => Promise<void>;
}

const MOUSE: InputDevice = {
  choose: async (page, label, option) => void (await page.getByLabel(label).selectOption(option)),
  fill: (page, label, text) => page.getByLabel(label, { exact: true }).fill(text),
  press: (page, name) => page.getByRole('button', { name, exact: true }).click(),
  pressAt: (page, reason, name) =>
    page.locator('li', { hasText: reason }).getByRole('button', { name }).first().click(),
};

/** Maximum number of Tab presses: the fields of all reasons, and once around the page. */
const MAX_STEPS = 200;

const KEYBOARD: InputDevice = {
  choose: async (page, label, option) => {
    await tabToField(page, label, MAX_STEPS);
    const options = await page.getByLabel(label).locator('option').allTextContents();
    for (let step = 0; step < options.indexOf(option); step += 1) await page.keyboard.press('ArrowDown');
  },
  fill: async (page, label, text) => {
    await (label.startsWith('Nome, ') ? tabTo(page, label) : tabToField(page, label, MAX_STEPS));
    await page.keyboard.type(text);
  },
  press: async (page, name) => {
    await tabTo(page, name, MAX_STEPS);
    await page.keyboard.press('Enter');
  },
  pressAt: async (page, reason, name) => {
    await tabToIn(page, 'li', reason, name);
    await page.keyboard.press('Enter');
  },
};

inBrowser('an analyst with ten kinds of faults', ['dev'], (site) => {
  const setUp = async (prefix: string) => {
    const { page, complaints } = await site.enter('demo', '/importar');
    await page.locator('main input[type=file]').setInputFiles({
      name: 'vinhos.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(sheetOf(prefix)),
    });
    // The page marks the two columns that it guesses by their values.
    await page.getByLabel('Aplicação').waitFor();
    expect(await page.getByText('parece, pelos valores: confira').count()).toBe(2);
    return { page, complaints };
  };

  test.each([
    ['mouse', MOUSE, 'M'],
    ['keyboard', KEYBOARD, 'K'],
  ] as const)(
    'corrects each fault once by %s, and the second dry run reports none',
    async (_, device, prefix) => {
      const { page, complaints } = await setUp(prefix);
      await device.press(page, 'Conferir sem gravar');
      await page.getByRole('heading', { name: 'O que corrigir' }).waitFor();
      await page
        .getByText(/Aplicação: recebido "REVENDA"/)
        .first()
        .waitFor();

      await device.choose(page, 'Em vez de “REVENDA” (30)', 'Importação');
      await device.choose(page, 'O ponto, na coluna inteira', 'separa decimais: 12.500 é 12,500');
      for (const column of ['Orgânico', 'Uvas', 'Embalagem', 'Ano da safra'])
        await device.pressAt(page, `${column} · 3 linhas`, 'Esvaziar');
      await device.choose(page, 'Em vez de “talvez” (10)', 'Não');
      await device.pressAt(page, 'recebido "n/d"', 'Esvaziar');
      await device.fill(page, 'Em vez de nada (8)', '12');
      await device.choose(page, 'Em vez de “Merlot inventadda” (6)', '02 - Merlot inventada');
      await device.fill(page, 'Em vez de “2204” (6)', '2204.21.00');
      await device.pressAt(page, 'Nome · 5 linhas', 'Cada um o seu');
      const dialog = page.getByRole('dialog');
      for (const row of [6, 66, 126, 186, 246]) {
        await dialog.getByLabel(`Nome, linha ${row}`, { exact: true }).waitFor();
        await device.fill(page, `Nome, linha ${row}`, `Vinho sem nome ${row}`);
      }
      await device.press(page, 'Usar estes valores');
      await dialog.waitFor({ state: 'detached' });
      for (const number of ['0002', '0102', '0202']) {
        const code = prefix + number;
        const key = page.locator('.fix', { hasText: `Em vez de “${code}” (1)` });
        if (device === MOUSE) await key.getByRole('button', { name: 'Deixar de fora' }).click();
        else {
          await tabToField(page, `Em vez de “${code}” (1)`, MAX_STEPS);
          await page.keyboard.press('Tab');
          await page.keyboard.press('Tab');
          await page.keyboard.press('Enter');
        }
        await page.getByText(`Em vez de “${code}” (1): a linha fica de fora`).waitFor();
      }
      await expectGoodPage(
        page,
        `Importação ${new URL(page.url()).pathname.split('/').at(-1)}`,
        'importar-faltas',
      );
      await device.press(page, 'Conferir as linhas corrigidas');

      await page.getByText('vinhos.csv: 297 seriam incluídos.').waitFor();
      expect(await page.getByRole('heading', { name: 'O que corrigir' }).count()).toBe(0);
      await page.getByText('3 linhas de fora, como pedido: 4, 104, 204.').waitFor();
      await device.press(page, 'Importar');
      await page.getByText('vinhos.csv: 297 incluídos.').waitFor();
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  );
});
