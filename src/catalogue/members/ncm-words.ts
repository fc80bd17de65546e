/** Describes an NCM in one line: next to its code in pages, and in a column of tables. */

/** Removes the dashes that mark levels in the official file, its HTML and the punctuation at the end. */
export const plainWords = (text: string): string =>
  text
    .replaceAll(/<[^<>]*>/g, '')
    .replace(/^[-\s]+/, '')
    .replace(/[:.]$/, '');

/** `path`: the headings above the NCM, from the chapter down. */
interface DescribedNcm {
  readonly descricao: string;
  readonly path: readonly string[];
}

/**
 * Returns a text such as `Bicicletas e outros ciclos › Bicicletas`: the heading precedes a description that
 * is unclear alone.
 */
export const ncmWords = ({ descricao, path }: DescribedNcm): string =>
  [...path.slice(-1), descricao].map(plainWords).join(' › ');

/** Column of exported tables; ignored in an imported sheet. */
export const NCM_WORDS = { target: 'ncmDescricao', heading: 'Descrição da NCM' } as const;
