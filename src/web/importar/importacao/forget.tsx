/** Forgets what became of each item: names and reasons are kept no longer than somebody needs them. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ImportProgress } from '../../api/answers.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { IMPORTS } from '../kinds.ts';

export function Forget(props: {
  readonly job: ImportProgress;
  readonly onForgotten: () => void;
}): JSX.Element {
  const { job, onForgotten } = props;
  const [isOpen, setOpen] = useState(false);
  const forgetting = useAction(async () => {
    const answer = await api.delete(`${IMPORTS}/${job.id}/results`);
    if (answer.ok) {
      toast('Resultados apagados.');
      onForgotten();
    }
    return answer;
  });
  return (
    <>
      <Button onPress={() => setOpen(true)}>Apagar resultados</Button>
      {isOpen && (
        <Confirm
          title="Apagar os resultados desta importação?"
          action="Apagar"
          danger
          busy={forgetting.busy}
          error={forgetting.error}
          onConfirm={() => void forgetting.run()}
          onClose={() => setOpen(false)}
        >
          <p>
            O nome, a linha e os motivos de cada item são apagados e não voltam. Os números da importação e o
            que ela gravou permanecem.
          </p>
        </Confirm>
      )}
    </>
  );
}
