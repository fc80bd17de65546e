/** The interface between a page and the table of pages. */

/** The roles of a signed-in user. A user may have more than one. */
export type Role = 'representative' | 'agent' | 'administrator';

/** The props of every page: the parameters of its address, by the names after `:`. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>;
}
