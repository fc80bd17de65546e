/** The pages of `/ajuda`, rendered from Markdown, with the list of pages. Loaded on the first request. */
import { CHAPTERS, PAGES, type PageSource } from './contents.ts';
import { type HelpParts, filled } from './generated.ts';
import { type Heading, escaped, rendered } from './markdown.ts';

export interface HelpPage {
  readonly title: string;
  /** Content of `main`. */
  readonly main: string;
  /** Content of the list of pages. */
  readonly contents: string;
  /** `try`: the page sends an operation. Absent: the script of every page of the handbook. */
  readonly script?: 'try';
}

/**
 * Returns the page of that name, '' for the first, or `undefined` if it does not exist. `origin`: the origin
 * of the request.
 */
export async function helpPage(
  name: string,
  parts: HelpParts,
  origin: string,
): Promise<HelpPage | undefined> {
  if (name === '') return { title: 'Ajuda', main: FIRST_PAGE, contents: contentsOn(name) };
  const source = PAGES.find((page) => page.name === name);
  return source && pageOf(source, parts, origin);
}

/** First line of each tour. Its address is replaced, so that pasted commands go to the server of the page. */
const TOUR_ADDRESS = /^B=http:\/\/127\.0\.0\.1:8080$/gm;

async function pageOf({ name, markdown }: PageSource, parts: HelpParts, origin: string): Promise<HelpPage> {
  const localMarkdown = markdown.replaceAll(TOUR_ADDRESS, () => `B=${origin}`);
  const { title, html, headings } = rendered(await filled(localMarkdown, parts));
  return { title, main: withOutline(html, headings), contents: contentsOn(name) };
}

export const missingPage = (name: string): HelpPage => ({
  title: 'Página não encontrada',
  main: `<h1>Página não encontrada</h1>\n<p>Não existe a página <code>${escaped(name)}</code> na ajuda. As que existem estão na lista de páginas e em <a href="/ajuda">Ajuda</a>.</p>`,
  contents: contentsOn(name),
});

/** Pages with fewer headings have no outline. */
const OUTLINE_LEAST = 3;

/** Adds the outline after the title. */
function withOutline(html: string, headings: readonly Heading[]): string {
  const sections = headings.filter(({ level }) => level === 2);
  if (sections.length < OUTLINE_LEAST) return html;
  const items = sections.map(({ id, label }) => `<li><a href="#${id}">${label}</a></li>`).join('');
  const outline = `<section class="outline" aria-label="Nesta página"><ul>${items}</ul></section>\n`;
  return html.replace('</h1>\n', (end) => `${end}${outline}`);
}

function contentsOn(current: string): string {
  const link = ({ name, label }: PageSource): string =>
    `<li><a href="/ajuda/${name}"${name === current ? ' aria-current="page"' : ''}>${escaped(label)}</a></li>`;
  return CHAPTERS.map(({ title, pages }) => `<h2>${title}</h2>\n<ul>${pages.map(link).join('\n')}</ul>`).join(
    '\n',
  );
}

const FIRST_PAGE = `<h1>Ajuda</h1>
<p>Quem importa registra uma <strong>Duimp</strong>, e cada item dela cita um produto do Catálogo de Produtos do Portal Único: o código e a versão,
com os atributos que a NCM pede. Um produto que falta, ou que caiu porque um atributo passou a ser obrigatório, para o despacho. O <code>catp</code> é esse
catálogo em um executável: a empresa o mantém no seu servidor, e o põe em dia com o serviço público.</p>
<ul>
<li><strong>Substitui o Portal Único? Não.</strong> Para a Duimp só conta o que está lá: o serviço público continua sendo onde os produtos valem.</li>
<li><strong>O que faz em vez disso:</strong> traz a planilha da empresa, confere cada linha antes, guarda quem mudou o quê, avisa do atributo que
vai ser exigido antes do dia, <a href="/ajuda/remotos">compara com o Portal, envia o que falta e traz o que mudou lá</a>, nada duas vezes.</li>
<li><strong>Quem escreve um programa</strong> para o serviço público fala com o <code>catp</code> sem mudar nada, na própria máquina: comece pelos
<a href="/ajuda/primeiros-passos">primeiros passos</a>. A <a href="/docs">referência da API</a> descreve cada operação com seus esquemas e exemplos.</li>
<li><strong>Quem tem um catálogo no Portal</strong> começa pela <a href="/ajuda/mudanca">mudança</a>.</li>
</ul>
${CHAPTERS.map(
  ({ title, pages }) =>
    `<h2>${title}</h2>\n<ul>${pages
      .map(
        ({ name, label, about }) =>
          `<li><a href="/ajuda/${name}">${escaped(label)}</a>: ${escaped(about)}</li>`,
      )
      .join('\n')}</ul>`,
).join('\n')}`;
