/** Who takes back what the rows of imports did, kind by kind. */
import type { Undos } from '../../catalogue/import/undo-applier.ts';
import { linkUndo } from '../../catalogue/manufacturer-link/undo.ts';
import type { Catalogue } from './catalogue.ts';

export const undosOf = ({ product, operator, link }: Catalogue): Undos => ({
  produto: (actorTx, cpfCnpjRaiz, did) =>
    product.undo.undo(actorTx, { cpfCnpjRaiz, codigo: Number(codigoIn(did.key)) }, did),
  operador: (actorTx, cpfCnpjRaiz, did) => {
    const codigo = codigoIn(did.key);
    // None is ever deleted; the country is in no key.
    const codigoPais = operator.store.findHead(cpfCnpjRaiz, codigo)?.codigoPais ?? '';
    return operator.undo.undo(actorTx, { cpfCnpjRaiz, codigoPais, codigo }, did);
  },
  vinculo: linkUndo(link.changes),
});

/** `12345678/OPE_1`: a code that comes from elsewhere may have a stroke in it. */
const codigoIn = (key: string): string => key.slice(key.indexOf('/') + 1);
