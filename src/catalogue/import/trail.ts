/** Entries of the audit about an import itself. Its items have their own entries. */
import type { Actor, Change, ChangeAction, Members, MembersChanged } from '../../change.ts';
import type { ImportRequest } from './model.ts';

/** Makes an audit entry about the import itself. */
export const importChange = (
  id: number,
  action: ChangeAction,
  by: Actor,
  { before, after }: MembersChanged,
): Change => ({ by, action, kind: 'importacao', key: String(id), before, after });

/** Returns the members of an import that the audit records at its start and its removal. */
export const importMembers = ({
  kind,
  tipo,
  modo,
  simular,
  fileName,
  company,
}: Pick<ImportRequest, 'kind' | 'tipo' | 'modo' | 'simular' | 'fileName' | 'company'>): Members => ({
  kind,
  tipo,
  modo,
  simular,
  fileName,
  cpfCnpjRaiz: company,
});
