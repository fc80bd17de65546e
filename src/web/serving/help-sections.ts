/**
 * The sections of the handbook with their words, for its search. `bundle.ts` embeds them. They lack the
 * content that only a running server can fill in: commands, jobs, operations.
 */
import { PAGES } from '../../docs/contents.ts';
import { filled } from '../../docs/generated.ts';
import { rendered } from '../../docs/markdown.ts';
import type { HelpSection } from '../docs/help-search.ts';
import { wordsIn } from '../docs/help-search.ts';

export async function helpSections(): Promise<readonly HelpSection[]> {
  const nothing = { commands: () => Promise.resolve([]), jobs: [], operations: () => Promise.resolve([]) };
  const pages = await Promise.all(
    PAGES.map(async ({ name, label, about, markdown }) => {
      const { title, html } = rendered(await filled(markdown, nothing));
      const [start = '', ...rest] = html.split(/(?=<h2 id=")/);
      const ofPage = (anchor: string, heading: string, text: string): HelpSection => ({
        address: `/ajuda/${name}${anchor}`,
        label,
        heading,
        words: [...new Set(wordsIn(`${label} ${heading} ${text}`))].join(' '),
      });
      return [
        ofPage('', '', `${title} ${about} ${textOf(start)}`),
        ...rest.map((section) => {
          const [, id = '', heading = ''] = /^<h2 id="([^"]+)">(.*?) <a class="anchor"/.exec(section) ?? [];
          return ofPage(`#${id}`, textOf(heading), textOf(section));
        }),
      ];
    }),
  );
  return pages.flat();
}

const SIGNS: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

const textOf = (html: string): string =>
  html.replaceAll(/<[^<>]*>/g, ' ').replaceAll(/&(\w+|#39);/g, (sign, name: string) => SIGNS[name] ?? sign);
