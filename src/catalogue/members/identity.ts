/** Names the members that identify a record for people: a changed one means another record (contract section 24). */

/** Members by kind of import. */
const IDENTITY: Readonly<Record<string, readonly string[]>> = {
  produto: ['denominacao', 'ncm'],
  'operador-estrangeiro': ['nome', 'codigoPais'],
};

/** Returns true for a kind of import whose records have such members. */
export const hasIdentity = (tipo: string): boolean => Object.hasOwn(IDENTITY, tipo);

/** Returns the changes of such members. A member that was empty before is only filled in. */
export const identityChanges = <Change extends { readonly member: string; readonly before: string | null }>(
  tipo: string,
  changes: readonly Change[],
): readonly Change[] =>
  changes.filter(({ member, before }) => before !== null && IDENTITY[tipo]?.includes(member) === true);
