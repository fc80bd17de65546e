/** Undoes a change of a link (contract section 24). */
import { unprocessable } from '../../errors.ts';
import { violated } from '../codes.ts';
import type { Undo } from '../undo.ts';
import type { LinkChanges } from './changes.ts';
import { type ManufacturerLink, linkChange } from './model.ts';

/** Removes an added link; adds a removed one again, from today on. Throws 422, also if the link changed later. */
export const linkUndo =
  (links: LinkChanges): Undo =>
  (actorTx, cpfCnpjRaiz, { was, is, held }) => {
    const link = held as ManufacturerLink; // the form in a change of links
    if (links.isLinked(cpfCnpjRaiz, link) !== (is !== null)) {
      const message = `mudouDepois: o vínculo do produto ${link.codigoProduto} mudou depois da importação e fica como está.`;
      throw unprocessable([violated('changedSince', null, message)]);
    }
    if (was === null) links.unlink(actorTx, cpfCnpjRaiz, link);
    else links.link(actorTx, cpfCnpjRaiz, link);
    return {
      versao: null,
      outcome: was === null ? 'newVersion' : 'created',
      changes: [linkChange(link, was !== null)],
    };
  };
