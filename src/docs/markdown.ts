/**
 * Renders our Markdown as HTML: all text is escaped, links and images are local, and every heading has an
 * anchor.
 */

export interface Heading {
  readonly level: number;
  /** The fragment after `#` in its address. */
  readonly id: string;
  /** HTML without links. */
  readonly label: string;
}

export interface Rendered {
  /** Text of the first heading. */
  readonly title: string;
  readonly html: string;
  /** Headings of the second and third level. */
  readonly headings: readonly Heading[];
}

/** An error in a page of the handbook; the test that renders all pages finds it. */
export class PageFault extends Error {
  override readonly name = 'PageFault';
}

export function rendered(markdown: string): Rendered {
  let title = '';
  // State of the current table: its headings, and the column of the next cell.
  let heads: string[] = [];
  let column = 0;
  const headings: Heading[] = [];
  const heading = (label: string, level: number): string => {
    const text = plain(label);
    if (level === 1) {
      title = text;
      return `<h1>${label}</h1>\n`;
    }
    const id = uniqueAmong(headings, slugOf(text));
    headings.push({ level, id, label: escaped(text) });
    return `<h${level} id="${id}">${label} <a class="anchor" href="#${id}" aria-label="Endereço de ${escaped(text)}">#</a></h${level}>\n`;
  };
  const html = Bun.markdown.render(markdown, {
    // Raw HTML passes through this function too, so all of it is escaped.
    text: escaped,
    html: (children) => (/^\s*&lt;!--[^]*--&gt;\s*$/.test(children) ? '' : `<p>${children}</p>\n`),
    heading: (children, { level }) => heading(children, level),
    paragraph: (children) => `<p>${children}</p>\n`,
    blockquote: (children) => `<blockquote>${children}</blockquote>\n`,
    // May be wider than the page, so the keyboard can focus and scroll it.
    code: (children) => `<pre tabindex="0"><code>${children}</code></pre>\n`,
    list: (children, { ordered }) => (ordered ? `<ol>${children}</ol>\n` : `<ul>${children}</ul>\n`),
    listItem: (children) => `<li>${children}</li>\n`,
    hr: () => '<hr>\n',
    table: (children) => {
      heads = [];
      return `<div class="table" role="region" aria-label="Tabela" tabindex="0"><table>${children}</table></div>\n`;
    },
    thead: (children) => `<thead>${children}</thead>\n`,
    tbody: (children) => `<tbody>${children}</tbody>\n`,
    tr: (children) => {
      column = 0;
      return `<tr>${children}</tr>\n`;
    },
    th: (children) => {
      heads.push(plain(children));
      return `<th scope="col">${children}</th>`;
    },
    // On a narrow page the cells are stacked, each after its heading.
    td: (children) => `<td data-head="${escaped(heads[column++] ?? '')}">${children}</td>`,
    strong: (children) => `<strong>${children}</strong>`,
    emphasis: (children) => `<em>${children}</em>`,
    strikethrough: (children) => `<del>${children}</del>`,
    codespan: (children) => `<code>${children}</code>`,
    link: (children, { href }) => `<a href="${escaped(addressOf(href))}">${children}</a>`,
    image: (alt, { src }) => `<img src="${imageAddress(src)}" alt="${escaped(alt)}" loading="lazy">`,
  });
  return { title, html, headings };
}

/**
 * Converts `notificacoes.md#falhas` to `/ajuda/notificacoes#falhas`, so that links also work in the sources.
 * Other links must be local.
 */
function addressOf(href: string): string {
  const [, page, anchor = ''] = /^(?:\.\/)?([a-z-]+)\.md(#[\w-]+)?$/.exec(href) ?? [];
  if (page !== undefined) return `/ajuda/${page}${anchor}`;
  if (/^#[\w-]+$/.test(href) || /^\/(?!\/)[\w./-]*$/.test(href)) return href;
  throw new PageFault(`a page of ours links to '${href}'`);
}

/** Converts `images/painel.png`, so that images are also visible in the sources. */
function imageAddress(src: string): string {
  const [, name] = /^images\/([a-z-]+\.png)$/.exec(src) ?? [];
  if (name === undefined) throw new PageFault(`a page of ours shows '${src}'`);
  return `/ajuda/imagens/${name}`;
}

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Returns the text of a heading: without tags, and unescaped. */
const plain = (html: string): string =>
  html
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
    .trim();

/** Converts `Além de uma máquina` to `alem-de-uma-maquina`. */
const slugOf = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

function uniqueAmong(headings: readonly Heading[], id: string): string {
  for (let number = 1; ; number += 1) {
    const wanted = number === 1 ? id : `${id}-${number}`;
    if (!headings.some((heading) => heading.id === wanted)) return wanted;
  }
}
