/**
 * The table of platforms in the page `plataformas`: each run rewrites the rows of the platforms that it tried.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

const PAGE = 'src/docs/pages/plataformas.md';
export const TABLE = /(?<=^<!-- platforms -->\n)[^]*?(?=^<!-- \/platforms -->$)/m;

export interface PageRow {
  readonly title: string;
  readonly way: string;
  readonly seen: string;
}

/** Writes the rows. Other rows do not change. */
export async function writeRows(rows: readonly PageRow[]): Promise<void> {
  const page = readFileSync(PAGE, 'utf8');
  const written = page.replace(TABLE, (table) => `\n${withRows(table.trim(), rows)}\n\n`);
  writeFileSync(PAGE, await format(written, { ...(await resolveConfig(PAGE)), filepath: PAGE }));
}

export function withRows(table: string, rows: readonly PageRow[]): string {
  const lines = table.split('\n');
  for (const { title, way, seen } of rows) {
    const line = `| ${[title, way, seen].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
    const at = lines.findIndex((one) => one.split('|')[1]?.trim() === title);
    lines.splice(at === -1 ? lines.length : at, at === -1 ? 0 : 1, line);
  }
  return lines.join('\n');
}
