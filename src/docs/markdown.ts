/** Markdown of ours as HTML: every text escaped, every link and picture ours, an anchor on every heading. */

export interface Heading {
  readonly level: number;
  /** What follows `#` in its address. */
  readonly id: string;
  /** HTML without links. */
  readonly label: string;
}

export interface Rendered {
  /** Text of the first heading. */
  readonly title: string;
  readonly html: string;
  /** The second and third level. */
  readonly headings: readonly Heading[];
}

/** A mistake in a page of ours: the test that renders them all finds it. */
export class PageFault extends Error {
  override readonly name = 'PageFault';
}

export function rendered(markdown: string): Rendered {
  let title = '';
  // Of the table under way: its heads, and the column of the next cell.
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
    // Raw HTML comes through here too, so that none of it is left.
    text: escaped,
    html: (children) => (/^\s*&lt;!--[^]*--&gt;\s*$/.test(children) ? '' : `<p>${children}</p>\n`),
    heading: (children, { level }) => heading(children, level),
    paragraph: (children) => `<p>${children}</p>\n`,
    blockquote: (children) => `<blockquote>${children}</blockquote>\n`,
    // May be wider than the page: reached and scrolled with the keyboard too.
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
    // Where the page is narrow, cells stand below one another, each behind its head.
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

/** `notificacoes.md#falhas` → `/ajuda/notificacoes#falhas`, so that links work in the sources too. Others stay on this server. */
function addressOf(href: string): string {
  const [, page, anchor = ''] = /^(?:\.\/)?([a-z-]+)\.md(#[\w-]+)?$/.exec(href) ?? [];
  if (page !== undefined) return `/ajuda/${page}${anchor}`;
  if (/^#[\w-]+$/.test(href) || /^\/(?!\/)[\w./-]*$/.test(href)) return href;
  throw new PageFault(`a page of ours links to '${href}'`);
}

/** `images/painel.png`, so that they are seen in the sources too. */
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

/** Of a heading: without tags, and as it was before `escaped`. */
const plain = (html: string): string =>
  html
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
    .trim();

/** `Além de uma máquina` → `alem-de-uma-maquina` */
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
