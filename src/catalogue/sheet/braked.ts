/** Finds the brakes for the rows of a sheet by the targets of its columns (contract sections 24 and 25). */
import type { BrakedPart } from '../brake.ts';
import type { SheetInstructions } from './instructions.ts';

/**
 * Returns the brake.
 * `undefined`: these rows cannot trigger one.
 * `correctedMembers`: members that corrections fill.
 */
export function brakeOf(
  { tipo, key, columns, constants }: SheetInstructions,
  simulates: boolean,
  correctedMembers: readonly string[] = [],
): BrakedPart | undefined {
  const targets = new Set([
    ...columns.map(({ target }) => target),
    ...Object.keys(constants),
    ...correctedMembers,
  ]);
  const mayChangeIdentity =
    tipo === 'produto' && key !== 'nenhuma' && targets.has('ncm') && targets.has('denominacao');
  const mayDeactivate =
    !simulates && (tipo === 'produto' || tipo === 'operador-estrangeiro') && targets.has('situacao');
  if (!mayChangeIdentity && !mayDeactivate) return undefined;
  const keyTarget = key === 'codigo' ? 'codigo' : 'codigosInterno';
  const heading = columns.find(({ target }) => target === keyTarget)?.heading ?? key;
  return { checkedItems: 'all', keyColumn: mayChangeIdentity ? heading : undefined };
}
