/** Lines of a list of people, as typed or pasted from a spreadsheet. */
import { plainNumber } from './numbers.ts';

export interface PersonLine {
  readonly text: string;
  /** Document, name, e-mail, company, right. */
  readonly cells: readonly [string, string, string, string, string];
}

/** Returns the lines with a text, without the line of headings. */
export const peopleIn = (list: string): readonly PersonLine[] =>
  list
    .split('\n')
    .map((text) => text.trim())
    .filter((text) => text !== '' && !text.toLowerCase().startsWith('documento'))
    .map((text) => {
      const [documento = '', nome = '', email = '', empresa = '', papel = ''] = text
        .split(text.includes('\t') ? '\t' : ';')
        .map((cell) => cell.trim());
      return {
        text,
        cells: [plainNumber(documento), nome, email, plainNumber(empresa), papel.toLowerCase()],
      };
    });
