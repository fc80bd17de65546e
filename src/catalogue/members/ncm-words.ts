/** What an NCM is, in one line: beside its code in pages, and in a column of tables. */

/** Without the dashes by which the file tells levels, its HTML and its last sign. */
export const plainWords = (text: string): string =>
  text
    .replaceAll(/<[^<>]*>/g, '')
    .replace(/^[-\s]+/, '')
    .replace(/[:.]$/, '');

/** `path`: its headings, from the chapter down. */
interface DescribedNcm {
  readonly descricao: string;
  readonly path: readonly string[];
}

/** `Bicicletas e outros ciclos › Bicicletas`: what says little by itself has its heading before it. */
export const ncmWords = ({ descricao, path }: DescribedNcm): string =>
  [...path.slice(-1), descricao].map(plainWords).join(' › ');

/** A column of tables that go out; of a sheet that comes back it says nothing. */
export const NCM_WORDS = { target: 'ncmDescricao', heading: 'Descrição da NCM' } as const;
