/**
 * The HTML around every page: the content before the script has run, and the values that the server passes to
 * the script.
 */
import { escapeHTML as escaped } from 'bun';
import { ambienteName } from '../words.ts';
import type { WebAssets } from './assets.ts';

/** Facts about the instance that a page reads from `meta` elements. */
export interface Instance {
  readonly ambiente: string;
  readonly mode: 'dev' | 'serve';
  /** True when users can sign in with a certificate. */
  readonly certificates: boolean;
  /** True when the secrets of `dev` are the fixed ones. */
  readonly fixedSecrets: boolean;
}

export const shell = (
  title: string,
  { script, preloads, style, icon }: WebAssets,
  instance: Instance,
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
    <title>${escaped(title)} · ${escaped(ambienteName(instance.ambiente))} · catp</title>
    <link rel="icon" type="image/svg+xml" href="/assets/${icon}" />
    <link rel="stylesheet" href="/assets/${style}" />
    ${preloads.map((name) => `<link rel="modulepreload" href="/assets/${name}" />`).join('')}
    <script type="module" src="/assets/${script}"></script>
  </head>
  <body>
    <div id="app"><div class="frame">${side(instance, '')}<main id="main"><h1>${escaped(title)}</h1></main></div></div>
    <noscript>Esta página precisa de JavaScript. A API funciona sem ela: veja <code>/openapi.json</code>.</noscript>
  </body>
</html>
`;

/** Renders a help page in the same frame. It is complete without its script. */
export const helpShell = (
  { title, main, contents }: { readonly title: string; readonly main: string; readonly contents: string },
  { helpScript, style, icon }: WebAssets,
  instance: Instance,
): string => `<!doctype html>
<html lang="pt-BR">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title} · ${escaped(ambienteName(instance.ambiente))} · catp</title>
    <link rel="icon" type="image/svg+xml" href="/assets/${icon}" />
    <link rel="stylesheet" href="/assets/${style}" />
    <script type="module" src="/assets/${helpScript}"></script>
  </head>
  <body>
    <a class="skip" href="#main">Ir para o conteúdo</a>
    <div class="frame still">
      ${side(instance, HELP_LINKS)}
      <div class="help">
        <main id="main" tabindex="-1">${main}</main>
        <aside aria-label="Páginas da ajuda">${contents}</aside>
      </div>
    </div>
  </body>
</html>
`;

const HELP_LINKS = `<ul>
  <li><a href="/">Painel</a></li>
  <li><a href="/docs">Referência da API</a></li>
  <li><a href="/fidelidade">Fidelidade</a></li>
  <li><a href="/ajuda" aria-current="page">Ajuda</a></li>
</ul>`;

const side = ({ ambiente }: Instance, links: string): string => `<header class="side">
  <div class="side-top">
    <a class="logo" href="/"><svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" /><path d="M16 6.5 25 11v10l-9 4.5L7 21V11z" /><path d="M7 11l9 4.5L25 11M16 15.5v10" /></svg><span><strong>catp</strong></span></a>
    <p class="environment ${escaped(ambiente)}"><strong>${escaped(ambienteName(ambiente))}</strong> sem efeito legal</p>
  </div>
  <nav aria-label="Principal">${links}</nav>
</header>`;
