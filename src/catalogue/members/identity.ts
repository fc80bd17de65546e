/** Names the members whose change makes another record of one (contract section 24). */

/** Members by kind of import. */
const IDENTITY: Readonly<Record<string, readonly string[]>> = {
  produto: ['denominacao', 'ncm'],
  'operador-estrangeiro': ['nome', 'codigoPais'],
};

/** Returns true for a kind whose records may become others. */
export const hasIdentity = (tipo: string): boolean => Object.hasOwn(IDENTITY, tipo);

/** Returns the changes that make another record. A member that was empty before is only filled in. */
export const identityChanges = <Change extends { readonly member: string; readonly before: string | null }>(
  tipo: string,
  changes: readonly Change[],
): readonly Change[] =>
  changes.filter(({ member, before }) => before !== null && IDENTITY[tipo]?.includes(member) === true);
