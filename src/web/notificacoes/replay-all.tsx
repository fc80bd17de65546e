/** Replays all deliveries that failed since an instant. For administrators. */
import type { JSX } from 'preact';
import type { DeliverySummary, ReplayResult } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useForm } from '../api/use-form.ts';
import { useResource } from '../api/use-resource.ts';
import { DayInput } from '../ui/typed-input.tsx';
import { Input } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { toast } from '../ui/toast.tsx';
import { withCount } from '../words.ts';
import { DELIVERIES } from './addresses.ts';
import { instantOf } from './moments.ts';

export function ReplayAll({
  onClose,
  onReplayed,
}: {
  readonly onClose: () => void;
  readonly onReplayed: () => void;
}): JSX.Element {
  const summary = useResource<DeliverySummary>(`${DELIVERIES}/summary`, { query: { days: 1 } });
  const today = summary.value?.days.at(-1)?.day ?? '';
  const form = useForm<{ readonly day?: string; readonly time: string }>({ time: '00:00' });
  const replay = async (): Promise<void> => {
    const { day = today, time } = form.latest();
    const instant = instantOf(day, time);
    if (instant === undefined) return form.refuse([notAnInstant]);
    const result = await form.submit(() =>
      api.post<ReplayResult>(`${DELIVERIES}/replay`, { since: instant }),
    );
    if (result === undefined) return;
    toast(
      result.replayed === 0
        ? 'Nenhuma entrega falhou desde então.'
        : `${withCount(result.replayed, 'entrega será tentada', 'entregas serão tentadas')} de novo agora.`,
    );
    onReplayed();
    onClose();
  };
  return (
    <FormDialog
      title="Reenviar tudo o que falhou"
      action="Reenviar"
      form={form}
      onClose={onClose}
      onSave={replay}
    >
      <p>
        Cada entrega que falhou desde esse instante, de qualquer usuário, é tentada mais uma vez, sem
        repetição. As canceladas ficam como estão.
      </p>
      <div class="notif-instant">
        <DayInput
          label="Desde o dia"
          value={form.values.day ?? today}
          onChange={(day) => form.set({ day }, 'since')}
          error={form.errorAt('since')}
        />
        <Input label="Hora" {...form.field('time')} placeholder="hh:mm" help="De Brasília." />
      </div>
    </FormDialog>
  );
}

const notAnInstant = {
  message: 'Escreva o dia como dd/mm/aaaa e a hora como hh:mm.',
  code: null,
  place: 'since',
};
