/** Finds the brakes for the rows of a sheet by the targets of its columns (contract sections 24 and 25). */
import type { BrakedPart } from '../brake.ts';
import type { SheetOrder } from './order.ts';

/**
 * Returns the brake.
 * `undefined`: these rows cannot trigger one.
 * `further`: members that corrections fill.
 */
export function brakeOf(
  { tipo, key, columns, constants }: SheetOrder,
  simulates: boolean,
  further: readonly string[] = [],
): BrakedPart | undefined {
  const targets = new Set([...columns.map(({ target }) => target), ...Object.keys(constants), ...further]);
  const mayBecome =
    tipo === 'produto' && key !== 'nenhuma' && targets.has('ncm') && targets.has('denominacao');
  const mayFall =
    !simulates && (tipo === 'produto' || tipo === 'operador-estrangeiro') && targets.has('situacao');
  if (!mayBecome && !mayFall) return undefined;
  const keyTarget = key === 'codigo' ? 'codigo' : 'codigosInterno';
  const heading = columns.find(({ target }) => target === keyTarget)?.heading ?? key;
  return { looksAt: 'all', keyColumn: mayBecome ? heading : undefined };
}
