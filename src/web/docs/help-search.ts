/** Finds sections of the handbook by words in any order; accents and case do not count. */
import { folded } from '../words.ts';

export interface HelpSection {
  readonly address: string;
  /** The name of the page in the list of pages. */
  readonly label: string;
  /** '' for what stands before the first heading. */
  readonly heading: string;
  /** All words of the section, folded, each once. */
  readonly words: string;
}

export const wordsIn = (text: string): readonly string[] => folded(text).match(/[a-z0-9]+/g) ?? [];

/** Returns the sections that have, for each word of `query`, one that begins with it; titles come first. */
export function sectionsFor(sections: readonly HelpSection[], query: string): readonly HelpSection[] {
  const words = wordsIn(query);
  if (words.length === 0) return [];
  const countIn = (text: string): number => words.filter((word) => ` ${text}`.includes(` ${word}`)).length;
  const inTitle = ({ label, heading }: HelpSection): number =>
    countIn(wordsIn(`${label} ${heading}`).join(' '));
  return sections
    .filter((section) => countIn(section.words) === words.length)
    .toSorted((helpSection, other) => inTitle(other) - inTitle(helpSection));
}
