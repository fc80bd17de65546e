/** What a page and the table of pages agree on. */

/** What somebody who is signed in is: any of them, also more than one. */
export type Role = 'representative' | 'agent' | 'administrator';

/** What every page is handed: what stands in its address, by the names after `:`. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>;
}
