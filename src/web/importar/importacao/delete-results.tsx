/**
 * Button that deletes the results of the items: names and reasons are kept only as long as they are needed.
 */
import type { JSX } from 'preact';
import type { ImportProgress } from '../../api/answers.ts';
import { api } from '../../api/api.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { IMPORTS } from '../kinds.ts';

export const DeleteResults = ({
  job,
  onForgotten,
}: {
  readonly job: ImportProgress;
  readonly onForgotten: () => void;
}): JSX.Element => (
  <ConfirmButton
    label="Apagar resultados"
    small
    title="Apagar os resultados desta importação?"
    action="Apagar"
    danger
    send={() => api.delete(`${IMPORTS}/${job.id}/results`)}
    onDone={() => {
      toast('Resultados apagados.');
      onForgotten();
    }}
  >
    <p>
      O nome, a linha e os motivos de cada item são apagados e não voltam. Os números da importação e o que
      ela gravou permanecem.
    </p>
  </ConfirmButton>
);
