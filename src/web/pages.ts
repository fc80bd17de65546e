/** Every page: its address, its title, who may see it, and its file. What is seen on the screen is found from here in one step. */
import type { ComponentType } from 'preact';
import type { PageProps, Role } from './page.ts';

export interface PageEntry {
  /** As the router reads it: `/produtos/:cpfCnpjRaiz/:codigo`. */
  readonly address: string;
  /** Of the document; in the navigation too, where `inNavigation` says so. */
  readonly title: string;
  /** `anybody`: also who has not signed in. */
  readonly who: 'anybody' | readonly Role[];
  readonly inNavigation: boolean;
  /** Whether it shows what belongs to the company of the address. */
  readonly ofCompany: boolean;
  /** After `g` it leads there. */
  readonly shortcut?: string;
  /** Only in `catp dev`. */
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

/** In the order of the navigation. Of two that fit an address the first is shown. */
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
