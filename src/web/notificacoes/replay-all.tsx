/** One more attempt of all that failed since an instant: the administrator's. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api } from '../api/api.ts';
import { useForm } from '../api/use-form.ts';
import { useResource } from '../api/use-resource.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { DayInput } from '../ui/day-input.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Input } from '../ui/field.tsx';
import { toast } from '../ui/toast.tsx';
import { counted } from '../words.ts';
import { DELIVERIES, type DeliverySummary } from './model.ts';
import { instantOf } from './moments.ts';

export function ReplayAll({
  onClose,
  onReplayed,
}: {
  readonly onClose: () => void;
  readonly onReplayed: () => void;
}): JSX.Element {
  const summary = useResource<DeliverySummary>(`${DELIVERIES}/summary`, { query: { days: 1 } });
  const form = useForm({ time: '00:00' });
  const [chosen, choose] = useState<string>();
  const { formRef, error, busy } = form;
  const day = chosen ?? summary.value?.days.at(-1)?.day ?? '';
  const replay = async (): Promise<void> => {
    const since = instantOf(day, form.values.time);
    if (since === undefined) {
      form.refuse([
        { message: 'Escreva o dia como dd/mm/aaaa e a hora como hh:mm.', code: null, place: 'since' },
      ]);
      return;
    }
    const done = await form.submit(() => api.post<{ replayed: number }>(`${DELIVERIES}/replay`, { since }));
    if (done === undefined) return;
    toast(
      done.replayed === 0
        ? 'Nenhuma entrega falhou desde então.'
        : `${counted(done.replayed, 'entrega será tentada', 'entregas serão tentadas')} de novo agora.`,
    );
    onReplayed();
    onClose();
  };
  return (
    <Dialog title="Reenviar tudo o que falhou" onClose={onClose}>
      <form
        class="stack"
        ref={formRef}
        onSubmit={(event) => {
          event.preventDefault();
          void replay();
        }}
      >
        <p>
          Cada entrega que falhou desde esse instante, de qualquer usuário, é tentada mais uma vez, sem
          repetição. As canceladas ficam como estão.
        </p>
        <ErrorAlert error={error} />
        <div class="notif-instant">
          <DayInput label="Desde o dia" value={day} onChange={choose} error={form.errorAt('since')} />
          <Input label="Hora" {...form.field('time')} placeholder="hh:mm" help="De Brasília." />
        </div>
        <Actions>
          <Button type="submit" kind="primary" busy={busy}>
            Reenviar
          </Button>
          <Button onPress={onClose}>Cancelar</Button>
        </Actions>
      </form>
    </Dialog>
  );
}
