/** The acknowledged writes in order, and those that a restored folder lacks. */

export type Claim =
  | {
      readonly kind: 'produto';
      readonly codigo: number;
      readonly versao: number;
      readonly denominacao: string;
      /** The answer, unchanged. */
      readonly text: string;
    }
  | { readonly kind: 'operador'; readonly codigo: string; readonly nome: string }
  | { readonly kind: 'assinatura'; readonly id: number; readonly evento: string }
  | { readonly kind: 'empresa'; readonly raiz: string };

/** The content of a restored folder. */
export interface RestoredState {
  /** Current version and name by codigo. */
  readonly products: ReadonlyMap<number, { readonly versao: number; readonly denominacao: string }>;
  readonly operators: ReadonlyMap<string, string>;
  readonly subscriptions: ReadonlyMap<number, string>;
  readonly companies: ReadonlySet<string>;
}

/**
 * Returns the claims that are not kept. A later version is no loss: it was written while the backup began.
 */
export const missingIn = (shown: RestoredState, claims: readonly Claim[]): readonly Claim[] =>
  claims.filter((claim) => !isKept(shown, claim));

function isKept(shown: RestoredState, claim: Claim): boolean {
  switch (claim.kind) {
    case 'produto': {
      const product = shown.products.get(claim.codigo);
      if (product === undefined || product.versao < claim.versao) return false;
      return product.versao > claim.versao || product.denominacao === claim.denominacao;
    }
    case 'operador':
      return shown.operators.get(claim.codigo) === claim.nome;
    case 'assinatura':
      return shown.subscriptions.get(claim.id) === claim.evento;
    case 'empresa':
      return shown.companies.has(claim.raiz);
  }
}
