/** Forgets what became of each item: names and reasons are kept no longer than somebody needs them. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ImportProgress } from '../../api/answers.ts';
import { api } from '../../api/api.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmSending } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { IMPORTS } from '../kinds.ts';

export function Forget(props: {
  readonly job: ImportProgress;
  readonly onForgotten: () => void;
}): JSX.Element {
  const { job, onForgotten } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button small onPress={() => setOpen(true)}>
        Apagar resultados
      </Button>
      {isOpen && (
        <ConfirmSending
          title="Apagar os resultados desta importação?"
          action="Apagar"
          danger
          send={() => api.delete(`${IMPORTS}/${job.id}/results`)}
          onDone={() => {
            toast('Resultados apagados.');
            onForgotten();
          }}
          onClose={() => setOpen(false)}
        >
          <p>
            O nome, a linha e os motivos de cada item são apagados e não voltam. Os números da importação e o
            que ela gravou permanecem.
          </p>
        </ConfirmSending>
      )}
    </>
  );
}
