/**
 * The HTML around every page: the content before the script has run, and the values that the server passes to
 * the script.
 */
import { escapeHTML as escaped } from 'bun';
import type { HelpPage } from '../../docs/help.ts';
import { ambienteName } from '../words.ts';
import type { WebAssets } from './assets.ts';

/** Facts about the instance that a page reads from `meta` elements. */
export interface Instance {
  readonly ambiente: string;
  readonly mode: 'dev' | 'serve';
  /** True when users can sign in with a certificate. */
  readonly certificates: boolean;
  /** Text of the button that leads to the provider of sign-ins. Empty: there is none. */
  readonly provider: string;
  /** Returns true when somebody can sign in with a password. */
  readonly hasPasswords: () => boolean;
  readonly sendsEmail: boolean;
  /** True when the secrets of `dev` are the fixed ones. */
  readonly fixedSecrets: boolean;
}

const head = (
  title: string,
  { style, icon }: WebAssets,
  instance: Instance,
  scripts: string,
): string => `<!doctype html>
<html lang="pt-BR">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="catp:ambiente" content="${escaped(instance.ambiente)}" />
    <meta name="catp:modo" content="${instance.mode}" />
    <meta name="catp:segredos" content="${instance.fixedSecrets ? 'fixos' : 'próprios'}" />
    <meta name="catp:certificado" content="${instance.certificates ? 'sim' : 'não'}" />
    <meta name="catp:provedor" content="${escaped(instance.provider)}" />
    <meta name="catp:senha" content="${instance.hasPasswords() ? 'sim' : 'não'}" />
    <meta name="catp:email" content="${instance.sendsEmail ? 'sim' : 'não'}" />
    <title>${escaped(title)} · ${escaped(ambienteName(instance.ambiente))} · catp</title>
    <link rel="icon" type="image/svg+xml" href="/assets/${icon}" />
    <link rel="stylesheet" href="/assets/${style}" />
    ${scripts}
  </head>`;

const moduleScript = (name: string): string => `<script type="module" src="/assets/${name}"></script>`;

export function shell(title: string, assets: WebAssets, instance: Instance): string {
  const preloads = assets.preloads.map((name) => `<link rel="modulepreload" href="/assets/${name}" />`);
  return `${head(title, assets, instance, preloads.join('') + moduleScript(assets.script))}
  <body>
    <div id="app"><div class="frame">${side(instance, '')}<main id="main"><h1>${escaped(title)}</h1></main></div></div>
    <noscript>Esta página precisa de JavaScript. A API funciona sem ela: veja <code>/openapi.json</code>.</noscript>
  </body>
</html>
`;
}

/**
 * Renders a page of the handbook in the same frame. It is complete without its script. `address`: first page
 * of the part of the handbook that contains it.
 */
export function helpShell(
  { title, main, contents, script }: HelpPage,
  assets: WebAssets,
  instance: Instance,
  address: string,
): string {
  const name = script === 'try' ? assets.tryScript : assets.helpScript;
  return `${head(title, assets, instance, moduleScript(name))}
  <body>
    <a class="skip" href="#main">Ir para o conteúdo</a>
    <div class="frame still">
      ${side(instance, helpLinks(address, instance.mode))}
      <div class="help">
        <main id="main" tabindex="-1">${main}</main>
        <aside aria-label="Páginas da ajuda">${contents}</aside>
      </div>
    </div>
  </body>
</html>
`;
}

/** Returns a page without a script in the same frame. */
export const stillShell = (title: string, main: string, assets: WebAssets, instance: Instance): string =>
  `${head(title, assets, instance, '')}
  <body>
    <a class="skip" href="#main">Ir para o conteúdo</a>
    <div class="frame still">
      ${side(instance, helpLinks('', instance.mode))}
      <div class="content"><main id="main" tabindex="-1">${main}</main></div>
    </div>
  </body>
</html>
`;

type PageLink = readonly [href: string, label: string];

const DEVELOPER_LINK: PageLink = ['/requisicoes', 'Desenvolvedor'];
const HELP_LINKS: readonly PageLink[] = [
  ['/docs', 'Referência da API'],
  ['/fidelidade', 'Fidelidade'],
  ['/ajuda', 'Ajuda'],
];

function helpLinks(address: string, mode: Instance['mode']): string {
  const links: readonly PageLink[] = [
    ['/', 'Painel'],
    ...(mode === 'dev' ? [DEVELOPER_LINK] : []),
    ...HELP_LINKS,
  ];
  const items = links.map(
    ([href, label]) =>
      `<li><a href="${href}"${href === address ? ' aria-current="page"' : ''}>${label}</a></li>`,
  );
  return `<ul>${items.join('')}</ul>`;
}

const side = ({ ambiente }: Instance, links: string): string => `<header class="side">
  <div class="side-top">
    <a class="logo" href="/"><svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" /><path d="M16 6.5 25 11v10l-9 4.5L7 21V11z" /><path d="M7 11l9 4.5L25 11M16 15.5v10" /></svg><span><strong>catp</strong></span></a>
    <p class="environment ${escaped(ambiente)}"><strong>${escaped(ambienteName(ambiente))}</strong> sem efeito legal</p>
  </div>
  <nav aria-label="Principal">${links}</nav>
</header>`;
