/**
 * Markdown becomes HTML without any active content: texts escaped, links to this server only, anchors on
 * headings.
 */
import { describe, expect, test } from 'bun:test';
import { PageFault, escaped, rendered } from '../../src/docs/markdown.ts';
import { filled } from '../../src/docs/generated.ts';

const html = (markdown: string): string => rendered(markdown).html;

describe('a page', () => {
  test('keeps no HTML of its own: blocks and spans are shown as they are written', () => {
    expect(html('<script>alert(1)</script>\n')).toBe('<p>&lt;script&gt;alert(1)&lt;/script&gt;\n</p>\n');
    expect(html('a <b onclick="x">b</b>')).toBe('<p>a &lt;b onclick=&quot;x&quot;&gt;b&lt;/b&gt;</p>\n');
    expect(html('# a <img src=x>')).toContain('<h1>a &lt;img src=x&gt;</h1>');
    expect(html('<!-- <script>a</script> -->\n\nb')).toBe('<p>b</p>\n');
  });

  test('escapes the text of code, cells and headings', () => {
    const ugly = '<i a="b">\'&amp;';
    const escapedText = escaped(ugly);
    expect(html(`\`\`\`bash\n${ugly}\n\`\`\``)).toBe(
      `<pre tabindex="0"><code>${escapedText}\n</code></pre>\n`,
    );
    expect(html(`a \`${ugly}\` b`)).toContain(`<code>${escapedText}</code>`);
    expect(html(`| a |\n| --- |\n| \`${ugly}\` |`)).toContain(
      `<td data-head="a"><code>${escapedText}</code></td>`,
    );
    expect(rendered(`## \`${ugly}\``).headings[0]?.label).toBe(escapedText);
  });

  test('links to pages by their file, to its own sections and to paths of this server, and nowhere else', () => {
    expect(html('[a](codigos.md#b) [c](#d) [e](/docs)')).toBe(
      '<p><a href="/ajuda/codigos#b">a</a> <a href="#d">c</a> <a href="/docs">e</a></p>\n',
    );
    for (const href of [
      'https://example.com/',
      '//example.com',
      'javascript:alert(1)',
      'data:text/html,x',
      '../README.md',
      '/a?b="',
    ])
      expect(() => html(`[a](<${href}>)`)).toThrow(PageFault);
    expect(() => html('![a](b.png)')).toThrow(PageFault);
  });

  test('has an anchor on each heading below the first, without accents, and none twice', () => {
    const { title, headings } = rendered('# Título & mais\n\n## Além de `x`\n\n### Ação\n\n## Além de x');
    expect(title).toBe('Título & mais');
    expect(headings.map(({ id, level }) => [id, level])).toEqual([
      ['alem-de-x', 2],
      ['acao', 3],
      ['alem-de-x-2', 2],
    ]);
  });

  test('has lists, tables, quotes and emphasis', () => {
    expect(html('- a\n  1. b\n\n> c **d** _e_ ~~f~~')).toBe(
      '<ul><li>a<ol><li>b</li>\n</ol>\n</li>\n</ul>\n<blockquote><p>c <strong>d</strong> <em>e</em> <del>f</del></p>\n</blockquote>\n',
    );
    expect(html('| a |\n| --- |\n| b \\| c |')).toContain('<th scope="col">a</th>');
    const two = html('| a | "b" |\n| --- | --- |\n| c | d |\n| e | f |\n\n| g |\n| --- |\n| h |');
    expect([...two.matchAll(/data-head="(.*?)">(\w)/g)].map(([, head, cell]) => `${head} ${cell}`)).toEqual([
      ...['a c', '&quot;b&quot; d', 'a e', '&quot;b&quot; f', 'g h'],
    ]);
    expect(html('| a |\n| --- |\n| b \\| c |')).toContain('<td data-head="a">b | c</td>');
  });

  test('with an unknown generated part is an internal fault', () => {
    const parts = { commands: async () => [], jobs: [], operations: async () => [] };
    expect(filled('<!-- gerado: nada -->', parts)).rejects.toThrow("nothing generates 'nada'");
  });
});
