/** Names the operation that a run waits to send, by its name in the specification. */
const OPERATIONS: Readonly<Record<string, string>> = {
  includeProduct: 'A inclusão de produtos',
  newProductVersion: 'A nova versão de produtos',
  deactivateProduct: 'A desativação de produtos',
  listProducts: 'A consulta de produtos',
  includeForeignOperator: 'A inclusão de operadores',
  newForeignOperatorVersion: 'A nova versão de operadores',
  deactivateForeignOperator: 'A desativação de operadores',
  listForeignOperators: 'A consulta de operadores',
  linkManufacturer: 'O vínculo de fabricantes',
  unlinkManufacturer: 'A desvinculação de fabricantes',
};

export const restsForInWords = (operation: string | null): string =>
  `${OPERATIONS[operation ?? ''] ?? (operation?.startsWith('export') === true ? 'A exportação' : 'Tudo')} espera`;
