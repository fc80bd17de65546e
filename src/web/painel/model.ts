/** What the panel asks the server, as it is answered. */

export interface Summary {
  readonly cpfCnpjRaiz: string;
  readonly products: Readonly<Record<'ATIVADO' | 'DESATIVADO' | 'RASCUNHO' | 'deactivatedBySystem', number>>;
  readonly foreignOperators: Readonly<Record<'ATIVADO' | 'DESATIVADO', number>>;
  readonly manufacturerLinks: number;
}

export interface Readiness {
  readonly ready: boolean;
  readonly version: string;
  readonly ambiente: string;
  readonly perfil: string;
  readonly attributeTable: { readonly versao: string } | null;
  readonly notices: readonly string[];
  readonly backup: {
    readonly last: { readonly at: string; readonly file: string; readonly bytes: number } | null;
    readonly drill: {
      readonly at: string;
      readonly file: string;
      readonly ok: boolean;
      readonly message: string | null;
    } | null;
  };
}

export interface Import {
  readonly id: number;
  readonly simular: boolean;
  readonly fileName: string;
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  readonly processed: number;
  readonly failed: number;
  readonly createdAt: string;
}

export interface DeliverySummary {
  /** Oldest first; today is the last. */
  readonly days: readonly { readonly day: string; readonly delivered: number; readonly failed: number }[];
  readonly pending: number;
  readonly failing: readonly {
    readonly subscriptionId: number;
    readonly evento: string;
    readonly endpoint: string;
    readonly since: string;
  }[];
}

export interface Finding {
  readonly check: string;
  readonly level: 'ok' | 'notice' | 'warning' | 'error';
  readonly message: string;
  readonly remedy: string | null;
}

export interface Company {
  readonly cpfCnpjRaiz: string;
  readonly nome: string;
}

export const isEmpty = ({ products, foreignOperators }: Summary): boolean =>
  [products.ATIVADO, products.DESATIVADO, products.RASCUNHO].every((number) => number === 0) &&
  [foreignOperators.ATIVADO, foreignOperators.DESATIVADO].every((number) => number === 0);
