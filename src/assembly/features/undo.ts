/** Undo operations for the rows of imports, by kind. */
import type { Undos } from '../../catalogue/import/undo-applier.ts';
import { linkUndo } from '../../catalogue/manufacturer-link/undo.ts';
import type { Catalogue } from './catalogue.ts';

export const undosOf = ({ product, operator, link }: Catalogue): Undos => ({
  produto: (actorTx, cpfCnpjRaiz, change) =>
    product.undo.undo(actorTx, { cpfCnpjRaiz, codigo: Number(codigoIn(change.key)) }, change),
  operador: (actorTx, cpfCnpjRaiz, change) => {
    const codigo = codigoIn(change.key);
    // Operators are never deleted. The key does not contain the country.
    const codigoPais = operator.store.findHead(cpfCnpjRaiz, codigo)?.codigoPais ?? '';
    return operator.undo.undo(actorTx, { cpfCnpjRaiz, codigoPais, codigo }, change);
  },
  vinculo: linkUndo(link.changes),
});

/** Returns the code in a key such as `12345678/OPE_1`. A foreign code may contain a slash. */
const codigoIn = (key: string): string => key.slice(key.indexOf('/') + 1);
