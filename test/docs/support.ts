/** Pages of help as the server sends them, and functions that read their HTML. */

export interface ServedPage {
  readonly status: number;
  readonly html: string;
  readonly headers: Headers;
  /** Returns the visible text, with one space for any gap. */
  readonly text: string;
}

export const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');

/** Returns the content of `main`. */
export function mainOf(html: string): string {
  const [, main] = /<main[^>]*>([^]*)<\/main>/.exec(html) ?? [];
  if (main === undefined) throw new Error(`no main in ${html.slice(0, 200)}`);
  return main;
}

/** Returns the cells of every row of every table, as text. */
export const rowsOf = (html: string): readonly (readonly string[])[] =>
  [...html.matchAll(/<tr>([^]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<td[^>]*>([^]*?)<\/td>/g)].map(([, cell = '']) => textOf(cell).trim()),
  );

export const linksOf = (html: string): readonly string[] =>
  [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = '']) => href);

export const idsOf = (html: string): ReadonlySet<string> =>
  new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id));
