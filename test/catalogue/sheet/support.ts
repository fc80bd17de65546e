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

/** Returns the target of each column by its heading. */
export const targetsIn = ({ json }: Reply, sheet = 0): Record<string, string | null> =>
  Object.fromEntries(
    json.sheets[sheet].columns.map((column: { heading: string; target: string | null }) => [
      column.heading,
      column.target,
    ]),
  );

const IMPORTS = '/appliance/api/imports';

/** Starts an import, waits for its end, and returns it with its rows. */
export async function run(client: Client, order: object | FormData) {
  return ended(client, await client.call('POST', IMPORTS, order));
}

/** Waits for the end of a requested import. */
export async function ended(client: Client, started: Reply) {
  if (started.status !== 202) return { started, id: 0, job: undefined, rows: [] };
  const { id } = started.json;
  for (;;) {
    const { json: job } = await client.call('GET', `${IMPORTS}/${id}`);
    if (job.state === 'queued' || job.state === 'running') {
      await new Promise<void>((resolve) => setImmediate(resolve));
      continue;
    }
    const rows = (await client.call('GET', `${IMPORTS}/${id}/results`)).json;
    return { started, id, job, rows };
  }
}

/** Uploads rows, and imports them. */
export async function importRows(
  client: Client,
  rows: readonly (readonly string[])[] | Uint8Array,
  options: object = {},
  tipo = 'produto',
) {
  const upload = await send(client, rows instanceof Uint8Array ? rows : csv(rows), { tipo });
  return run(client, { sheet: upload.json.id, ...options });
}
