/** Prints the forms of a link, members in the order of contract section 4. */
import { type ManufacturerLink, type StoredLink, linkOf } from './model.ts';

/** Returns the response form. */
export const responseRecord = (cpfCnpjRaiz: string, link: ManufacturerLink): object => ({
  cpfCnpjRaiz,
  ...linkOf(link),
});

/**
 * Returns the batch form of a link in force: an import of it makes the same link, from the same day on. The
 * day is written as a moment, as the public form requires (contract section 4).
 */
export function exportRecord(cpfCnpjRaiz: string, seq: number, link: StoredLink): object {
  return {
    seq,
    cpfCnpjRaiz,
    ...linkOf(link),
    vincular: true,
    dataReferencia: `${link.startsOn}T00:00:00-03:00`,
  };
}
