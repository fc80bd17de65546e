/**
 * Checks a rule shared by links and concession acts: the product exists and is not DESATIVADO (contract
 * section 4).
 */
import type { Problem } from '../../errors.ts';
import { violated } from '../codes.ts';
import type { Situacao } from './model.ts';

/** `situacao` is absent if the product does not exist; `mayBeInactive` requires only that it exists. */
export function productProblems(
  cpfCnpjRaiz: string,
  codigoProduto: number,
  situacao: Situacao | undefined,
  mayBeInactive = false,
): Problem[] {
  if (situacao === undefined)
    return [
      refused(
        `não existe produto com o código ${codigoProduto} no catálogo de ${cpfCnpjRaiz}; inclua-o antes.`,
      ),
    ];
  if (situacao !== 'DESATIVADO' || mayBeInactive) return [];
  return [refused(`o produto ${codigoProduto} está DESATIVADO; inclua uma nova versão para reativá-lo.`)];
}

const refused = (reason: string): Problem => violated('inactiveProduct', '/codigoProduto', reason);
