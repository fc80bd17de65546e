/** Button that undoes a whole import. */
import type { JSX } from 'preact';
import type { ImportProgress, ImportStarted } from '../../api/answers.ts';
import { useState } from 'preact/hooks';
import { api } from '../../api/api.ts';
import type { ApiError } from '../../api/result.ts';
import { useCompany } from '../../api/use-company.ts';
import { useOpenImport } from '../../api/use-open-import.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { useExpected } from '../expected.tsx';
import { IMPORTS } from '../kinds.ts';

/** Returns true if the server can undo the import. Imports of acts and mirrors cannot be undone. */
export const isUndoable = (job: ImportProgress): boolean =>
  job.state === 'done' &&
  !job.simular &&
  !job.resultsForgotten &&
  job.modo === 'lote' &&
  job.tipo !== 'ato-concessorio' &&
  job.created + job.newVersion + job.deactivated > 0;

export function Undo({ job }: { readonly job: ImportProgress }): JSX.Element {
  const company = useCompany();
  const openImport = useOpenImport();
  const [error, setError] = useState<ApiError>();
  const { expected, fieldsOf } = useExpected();
  return (
    <ConfirmButton
      label="Desfazer"
      title="Desfazer esta importação?"
      action="Desfazer"
      danger
      send={async () => {
        const undone = await api.post<ImportStarted>(`${IMPORTS}/${job.id}/undo`, {
          ...(expected !== undefined && { expected }),
        });
        if (!undone.ok) setError(undone.error);
        return undone;
      }}
      onDone={({ id }) => openImport(id, company)}
    >
      <p>
        O que ela incluiu é desativado, e o que ela mudou ganha uma nova versão com o que havia antes. O que
        mudou depois dela fica como está, e é dito. Também isto pode ser desfeito.
      </p>
      {fieldsOf(error)}
    </ConfirmButton>
  );
}
