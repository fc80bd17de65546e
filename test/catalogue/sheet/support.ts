/** Spreadsheets sent to a server in process. */
import type { Client, Reply } from '../../support/app.ts';

export const COMPANY = '12345678';
export const SHEETS = '/appliance/api/sheets';

export const csv = (rows: readonly (readonly string[])[]): string =>
  rows
    .map((row) =>
      row.map((text) => (/[;"\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(';'),
    )
    .join('\r\n');

export function send(
  client: Client,
  content: Uint8Array | string,
  { tipo = 'produto', company = COMPANY, name = 'planilha.csv' } = {},
): Promise<Reply> {
  const form = new FormData();
  form.set('file', new File([content as string], name));
  return client.call('POST', `${SHEETS}?cpfCnpjRaiz=${company}&tipo=${tipo}`, form);
}

/** Where each column goes, by its heading. */
export const targetsIn = ({ json }: Reply, sheet = 0): Record<string, string | null> =>
  Object.fromEntries(
    json.sheets[sheet].columns.map((column: { heading: string; target: string | null }) => [
      column.heading,
      column.target,
    ]),
  );
