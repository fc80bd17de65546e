/** Rights of a representation over the catalogue of its company, least first (contract section 27). */
export const RIGHTS = ['leitura', 'preenchimento', 'aprovacao'] as const;
export type Right = (typeof RIGHTS)[number];

/** The right of a representation that names none. */
export const DEFAULT_RIGHT: Right = 'aprovacao';

/** Returns true when a right includes what another one permits. */
export const includesRight = (right: Right, needed: Right): boolean =>
  RIGHTS.indexOf(right) >= RIGHTS.indexOf(needed);
