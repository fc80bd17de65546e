/** Renders the content of a message as text and as HTML. */
import type { EmailContent, EmailGroup, EmailItem } from './model.ts';

export interface RenderedEmail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Characters of a subject; a longer one is cut. */
const SUBJECT_MAX = 150;

/** Line ends, controls, and characters that turn the direction of a text. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Returns a text on one line, so that no name can add a header or a line of its own. */
const oneLine = (text: string): string => text.toWellFormed().replaceAll(UNPRINTABLE, ' ').trim();

function cut(text: string): string {
  const characters = Array.from(text);
  return characters.length <= SUBJECT_MAX ? text : `${characters.slice(0, SUBJECT_MAX - 1).join('')}…`;
}

/** `address`: that of this instance, without a slash at its end. */
export function renderEmail(content: EmailContent, address: string): RenderedEmail {
  return {
    subject: cut(oneLine(content.subject)),
    text: textOf(content, address),
    html: htmlOf(content, address),
  };
}

const WHY = 'Você escolhe em sua conta o que recebe por e-mail:';
const ACCOUNT = '/conta';

function textOf({ lead, groups }: EmailContent, address: string): string {
  const item = ({ text, link }: EmailItem): string =>
    `- ${oneLine(text)}${link === undefined ? '' : `\n  ${address}${link.href}`}`;
  const group = ({ heading, items }: EmailGroup): string =>
    [...(heading === '' ? [] : [`${oneLine(heading)}\n`]), ...items.map(item)].join('\n');
  const parts = [...lead.map(oneLine), ...groups.map(group), `-- \n${WHY}\n${address}${ACCOUNT}`];
  return `${parts.join('\n\n')}\n`;
}

const SPECIAL: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string =>
  oneLine(text).replaceAll(/[&<>"']/g, (sign) => SPECIAL[sign] ?? sign);

const STYLE = `
body { margin: 0; padding: 16px; background: #f4f5f7; color: #1b2430; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
.page { max-width: 600px; margin: 0 auto; padding: 20px; background: #ffffff; border-radius: 8px; }
h1 { margin: 0 0 12px; font-size: 20px; line-height: 1.3; }
h2 { margin: 24px 0 8px; font-size: 16px; line-height: 1.3; }
p { margin: 0 0 12px; overflow-wrap: anywhere; }
ul { margin: 0; padding: 0; list-style: none; }
li { margin: 0 0 12px; padding: 0 0 12px; border-bottom: 1px solid #d8dde4; overflow-wrap: anywhere; }
a { color: #0b57a4; }
.why { margin: 20px 0 0; color: #566170; font-size: 14px; }
@media (prefers-color-scheme: dark) {
  body { background: #14181d; color: #e6eaef; }
  .page { background: #1e242b; }
  li { border-color: #3a434e; }
  a { color: #8ec1f5; }
  .why { color: #a9b4c0; }
}`;

function htmlOf({ subject, lead, groups }: EmailContent, address: string): string {
  const linked = (href: string, label: string): string =>
    `<a href="${escaped(`${address}${href}`)}">${escaped(label)}</a>`;
  const item = ({ text, link }: EmailItem): string =>
    `<li>${escaped(text)}${link === undefined ? '' : `<br>${linked(link.href, link.label)}`}</li>`;
  const group = ({ heading, items }: EmailGroup): string =>
    `${heading === '' ? '' : `<h2>${escaped(heading)}</h2>\n`}<ul>\n${items.map(item).join('\n')}\n</ul>`;
  return `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(subject)}</title>
<style>${STYLE}
</style>
</head>
<body>
<div class="page">
<h1>${escaped(subject)}</h1>
${[...lead.map((text) => `<p>${escaped(text)}</p>`), ...groups.map(group)].join('\n')}
<p class="why">${escaped(WHY)} ${linked(ACCOUNT, 'Minha conta')}</p>
</div>
</body>
</html>
`;
}
