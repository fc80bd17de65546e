/** A sheet that is older than the product: the column Versão says what its sender saw (contract section 24). */
import { type Problem, unprocessable } from '../../errors.ts';
import { shown } from '../../validation/shown.ts';
import { violated } from '../codes.ts';
import { dayOf } from '../../validation/calendar.ts';
import type { Deed } from '../deed.ts';
import type { ProductPatch, ProductPatches } from '../product/patch.ts';
import { parseVersion } from '../version.ts';
import type { SheetOrder } from './order.ts';
import { refusalOf } from './row-checks.ts';
import type { SheetReading } from './row.ts';

interface SeenProduct {
  readonly codigo: number;
  /** The current one. */
  readonly versao: string;
}

/**
 * What others changed since the version that the sheet says: where the row has what that version had, its sender changed
 * nothing, and it is left out of the patch; where it has something else, that is refused, or goes over theirs.
 */
export function withoutStale(
  patches: ProductPatches,
  { cpfCnpjRaiz, conflict }: Pick<SheetOrder, 'cpfCnpjRaiz' | 'conflict'>,
  deed: Deed,
  found: SeenProduct,
  reading: SheetReading,
  versao: string | null | undefined,
  patch: ProductPatch,
): ProductPatch {
  if (versao === undefined || versao === null || versao === found.versao) return patch;
  const number = parseVersion(versao);
  if (number === undefined)
    throw refusalOf(
      reading,
      'unknownKey',
      `recebido ${shown(versao)}; aceita uma versão, como 2 ou 2.1.`,
      'versao',
    );
  const recordKey = { cpfCnpjRaiz, codigo: found.codigo };
  const seen = patches.membersAt(recordKey, number, dayOf(deed.now));
  const seenText = (member: string): string | null => seen.get(member)?.text ?? null;
  const changes = patches.preview(deed, recordKey, patch);
  const stale = new Set(
    changes.filter(({ member, after }) => seenText(member) === after).map(({ member }) => member),
  );
  const lost = changes.filter(({ member, before }) => !stale.has(member) && seenText(member) !== before);
  if (lost.length > 0 && conflict === 'recusar')
    throw unprocessable(
      lost.map(({ member, heading, before, after }): Problem => {
        const message = `mudouDepois: ${heading}: a planilha viu ${shown(seenText(member))} na versão ${versao}, a versão ${found.versao} tem ${shown(before)}, e a linha traz ${shown(after)}; confira, ou envie conflict: "sobrepor".`;
        return reading.located(violated('changedSince', `/${member}`, message), member);
      }),
    );
  return {
    ...patch,
    members: Object.fromEntries(Object.entries(patch.members).filter(([member]) => !stale.has(member))),
    codigosInterno: stale.has('codigosInterno') ? { add: [], remove: [] } : patch.codigosInterno,
    atributos: new Map(
      [...patch.atributos].filter(
        ([codigo]) =>
          ![...stale].some((one) => one === `atributo:${codigo}` || one.startsWith(`atributo:${codigo}/`)),
      ),
    ),
  };
}
