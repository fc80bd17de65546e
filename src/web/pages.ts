/** The table of pages: address, title, access and file of each page. */
import type { ComponentType } from 'preact';
import type { PageProps, Role } from './page.ts';

export interface PageEntry {
  /** The route in the notation of the router: `/produtos/:cpfCnpjRaiz/:codigo`. */
  readonly address: string;
  /** Title of the document, and of the navigation entry without a `label`. */
  readonly title: string;
  /** A shorter name for the navigation. */
  readonly label?: string;
  /** `anybody`: also users who are not signed in. */
  readonly audience: 'anybody' | readonly Role[];
  /** Group of the navigation (contract section 17); absent for pages that the navigation does not list. */
  readonly group?: Group;
  /** True when the page shows data of the company in its address. */
  readonly ofCompany: boolean;
  /** The key that opens the page after `g`. */
  readonly shortcut?: string;
  /** True for pages that exist only in `catp dev`. */
  readonly onlyInDev?: boolean;
  readonly load: () => Promise<{ readonly default: ComponentType<PageProps> }>;
}

/** Headings of the groups of the navigation, in their order. */
export const GROUPS = { catalogue: 'Catálogo', portal: 'Portal Único', installation: 'Instalação' } as const;

/** `developer` has no heading and stands last. */
type Group = keyof typeof GROUPS | 'developer';

const EVERYBODY = ['representative', 'agent', 'administrator'] as const;
const CATALOGUE = ['representative', 'agent'] as const;
const WRITERS = ['representative'] as const;
const ADMINISTRATOR = ['administrator'] as const;

/** Listed in the order of the navigation. The first page that matches an address is shown. */
export const PAGES: readonly PageEntry[] = [
  {
    address: '/',
    title: 'Painel',
    shortcut: 'd',
    audience: EVERYBODY,
    group: 'catalogue',
    ofCompany: true,
    load: () => import('./painel/page.tsx'),
  },
  {
    address: '/entrar',
    title: 'Entrar',
    audience: 'anybody',
    ofCompany: false,
    load: () => import('./entrar/page.tsx'),
  },
  {
    address: '/convite',
    title: 'Definir a senha',
    audience: 'anybody',
    ofCompany: false,
    load: () => import('./convite/page.tsx'),
  },
  {
    address: '/conta',
    title: 'Minha conta',
    audience: EVERYBODY,
    ofCompany: false,
    load: () => import('./conta/page.tsx'),
  },
  {
    address: '/produtos',
    title: 'Produtos',
    shortcut: 'p',
    audience: CATALOGUE,
    group: 'catalogue',
    ofCompany: true,
    load: () => import('./produtos/page.tsx'),
  },
  {
    address: '/produtos/novo',
    title: 'Novo produto',
    audience: WRITERS,
    ofCompany: true,
    load: () => import('./produtos/novo/page.tsx'),
  },
  {
    address: '/produtos/:cpfCnpjRaiz/:codigo',
    title: 'Produto',
    audience: CATALOGUE,
    ofCompany: true,
    load: () => import('./produtos/produto/page.tsx'),
  },
  {
    address: '/operadores',
    title: 'Operadores estrangeiros',
    label: 'Operadores',
    shortcut: 'o',
    audience: CATALOGUE,
    group: 'catalogue',
    ofCompany: true,
    load: () => import('./operadores/page.tsx'),
  },
  {
    address: '/operadores/:cpfCnpjRaiz/:codigo',
    title: 'Operador estrangeiro',
    audience: CATALOGUE,
    ofCompany: true,
    load: () => import('./operadores/operador/page.tsx'),
  },
  {
    address: '/vinculos',
    title: 'Vínculos',
    shortcut: 'v',
    audience: CATALOGUE,
    group: 'catalogue',
    ofCompany: true,
    load: () => import('./vinculos/page.tsx'),
  },
  {
    address: '/importar',
    title: 'Importar',
    shortcut: 'i',
    audience: WRITERS,
    group: 'catalogue',
    ofCompany: true,
    load: () => import('./importar/page.tsx'),
  },
  {
    address: '/importar/:id',
    title: 'Importação',
    audience: WRITERS,
    ofCompany: true,
    load: () => import('./importar/importacao/page.tsx'),
  },
  {
    address: '/corrigir',
    title: 'A corrigir',
    shortcut: 'c',
    audience: CATALOGUE,
    group: 'catalogue',
    ofCompany: true,
    load: () => import('./corrigir/page.tsx'),
  },
  {
    address: '/aprovar',
    title: 'Aprovar',
    shortcut: 'u',
    audience: WRITERS,
    group: 'catalogue',
    ofCompany: true,
    load: () => import('./aprovar/page.tsx'),
  },
  {
    address: '/auditoria',
    title: 'O que foi feito',
    audience: WRITERS,
    ofCompany: true,
    load: () => import('./auditoria/page.tsx'),
  },
  {
    address: '/remotos',
    title: 'Remotos',
    shortcut: 's',
    audience: ['representative', 'administrator'],
    group: 'portal',
    ofCompany: true,
    load: () => import('./remotos/page.tsx'),
  },
  {
    address: '/remotos/:id',
    title: 'Envio',
    audience: WRITERS,
    ofCompany: true,
    load: () => import('./remotos/envio/page.tsx'),
  },
  {
    address: '/notificacoes',
    title: 'Notificações',
    shortcut: 'n',
    audience: EVERYBODY,
    group: 'portal',
    ofCompany: false,
    load: () => import('./notificacoes/page.tsx'),
  },
  {
    address: '/atributos',
    title: 'Atributos',
    shortcut: 'a',
    audience: EVERYBODY,
    group: 'installation',
    ofCompany: false,
    load: () => import('./atributos/page.tsx'),
  },
  {
    address: '/administracao',
    title: 'Administração',
    shortcut: 'm',
    audience: ADMINISTRATOR,
    group: 'installation',
    ofCompany: false,
    load: () => import('./administracao/page.tsx'),
  },
  {
    address: '/requisicoes',
    title: 'Requisições',
    label: 'Desenvolvedor',
    shortcut: 'r',
    audience: EVERYBODY,
    group: 'developer',
    ofCompany: false,
    onlyInDev: true,
    load: () => import('./requisicoes/page.tsx'),
  },
];
