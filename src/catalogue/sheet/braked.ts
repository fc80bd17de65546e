/** The brakes that stand before the rows of a sheet, told by where its columns go (contract sections 24 and 25). */
import type { BrakedPart } from '../brake.ts';
import type { SheetOrder } from './order.ts';

/** `undefined`: nothing that these rows say can bring a brake. `further`: members that corrections fill. */
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
