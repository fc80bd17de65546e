/** The table of pages: address, title, access and file of each page. */
import type { ComponentType } from 'preact';
import type { PageProps, Role } from './page.ts';

export interface PageEntry {
  /** The route in the notation of the router: `/produtos/:cpfCnpjRaiz/:codigo`. */
  readonly address: string;
  /** Title of the document, and of the navigation entry when `inNavigation` is set. */
  readonly title: string;
  /** `anybody`: also users who are not signed in. */
  readonly who: 'anybody' | readonly Role[];
  readonly inNavigation: boolean;
  /** True when the page shows data of the company in its address. */
  readonly ofCompany: boolean;
  /** The key that opens the page after `g`. */
  readonly shortcut?: string;
  /** True for pages that exist only in `catp dev`. */
  readonly onlyInDev?: boolean;
  readonly load: () => Promise<{ readonly default: ComponentType<PageProps> }>;
}

const EVERYBODY = ['representative', 'agent', 'administrator'] as const;
const CATALOGUE = ['representative', 'agent'] as const;
const WRITERS = ['representative'] as const;
const ADMINISTRATOR = ['administrator'] as const;

const inside = { inNavigation: false, ofCompany: true } as const;
const ofCompany = { inNavigation: true, ofCompany: true } as const;
const general = { inNavigation: true, ofCompany: false } as const;

/** Listed in the order of the navigation. The first page that matches an address is shown. */
export const PAGES: readonly PageEntry[] = [
  {
    address: '/',
    title: 'Painel',
    shortcut: 'd',
    who: EVERYBODY,
    ...ofCompany,
    load: () => import('./painel/page.tsx'),
  },
  {
    address: '/entrar',
    title: 'Entrar',
    who: 'anybody',
    inNavigation: false,
    ofCompany: false,
    load: () => import('./entrar/page.tsx'),
  },
  {
    address: '/produtos',
    title: 'Produtos',
    shortcut: 'p',
    who: CATALOGUE,
    ...ofCompany,
    load: () => import('./produtos/page.tsx'),
  },
  {
    address: '/produtos/novo',
    title: 'Novo produto',
    who: WRITERS,
    ...inside,
    load: () => import('./produtos/novo/page.tsx'),
  },
  {
    address: '/produtos/:cpfCnpjRaiz/:codigo',
    title: 'Produto',
    who: CATALOGUE,
    ...inside,
    load: () => import('./produtos/produto/page.tsx'),
  },
  {
    address: '/operadores',
    title: 'Operadores estrangeiros',
    shortcut: 'o',
    who: CATALOGUE,
    ...ofCompany,
    load: () => import('./operadores/page.tsx'),
  },
  {
    address: '/operadores/:cpfCnpjRaiz/:codigo',
    title: 'Operador estrangeiro',
    who: CATALOGUE,
    ...inside,
    load: () => import('./operadores/operador/page.tsx'),
  },
  {
    address: '/vinculos',
    title: 'Vínculos',
    shortcut: 'v',
    who: CATALOGUE,
    ...ofCompany,
    load: () => import('./vinculos/page.tsx'),
  },
  {
    address: '/importar',
    title: 'Importar',
    shortcut: 'i',
    who: WRITERS,
    ...ofCompany,
    load: () => import('./importar/page.tsx'),
  },
  {
    address: '/importar/:id',
    title: 'Importação',
    who: WRITERS,
    ...inside,
    load: () => import('./importar/importacao/page.tsx'),
  },
  {
    address: '/remotos',
    title: 'Remotos',
    shortcut: 's',
    who: ['representative', 'administrator'],
    ...ofCompany,
    load: () => import('./remotos/page.tsx'),
  },
  {
    address: '/remotos/:id',
    title: 'Envio',
    who: WRITERS,
    ...inside,
    load: () => import('./remotos/envio/page.tsx'),
  },
  {
    address: '/atributos',
    title: 'Atributos',
    shortcut: 'a',
    who: EVERYBODY,
    ...general,
    load: () => import('./atributos/page.tsx'),
  },
  {
    address: '/notificacoes',
    title: 'Notificações',
    shortcut: 'n',
    who: EVERYBODY,
    ...general,
    load: () => import('./notificacoes/page.tsx'),
  },
  {
    address: '/administracao',
    title: 'Administração',
    shortcut: 'm',
    who: ADMINISTRATOR,
    ...general,
    load: () => import('./administracao/page.tsx'),
  },
  {
    address: '/requisicoes',
    title: 'Requisições',
    shortcut: 'r',
    who: EVERYBODY,
    ...general,
    onlyInDev: true,
    load: () => import('./requisicoes/page.tsx'),
  },
  {
    address: '/fidelidade',
    title: 'Fidelidade',
    shortcut: 'f',
    who: EVERYBODY,
    ...general,
    load: () => import('./fidelidade/page.tsx'),
  },
  {
    address: '/docs',
    title: 'Referência da API',
    who: 'anybody',
    ...general,
    load: () => import('./docs/page.tsx'),
  },
];
