/** Shows the test clock and moves it. */
import type { ClockState } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useAction } from '../api/use-action.ts';
import { useForm } from '../api/use-form.ts';
import { useResource } from '../api/use-resource.ts';
import { ErrorAlert, Notice } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Input } from '../ui/field.tsx';
import { Card, ResourceView } from '../ui/page.tsx';
import { LineForm } from '../ui/form.tsx';
import { toast } from '../ui/toast.tsx';
import { dayText } from '../words.ts';
import { instantOf } from './instant.ts';

const PATH = '/appliance/api/clock';

const STEPS = [
  ['PT1H', '1 hora'],
  ['P1D', '1 dia'],
  ['P30D', '30 dias'],
  ['P365D', '365 dias'],
] as const;

export function ClockTab() {
  const clock = useResource<ClockState>(PATH);
  return (
    <Card title="Relógio">
      <ResourceView resource={clock}>
        {({ now, test }) => (
          <div class="stack">
            <p class="requests-now">
              <time dateTime={now}>
                {dayText(now)} {now.slice(11, 19)}
              </time>
              <span class="muted">hora de Brasília</span>
            </p>
            {test ? (
              <MoveClock onMoved={clock.reload} />
            ) : (
              <Notice tone="calm">
                <p>
                  Esta instância usa o relógio da máquina. Para movê-lo, inicie-a com um de teste:{' '}
                  <code>catp dev --clock 2026-01-31T12:00:00Z</code>
                </p>
              </Notice>
            )}
          </div>
        )}
      </ResourceView>
    </Card>
  );
}

interface MoveProps {
  readonly onMoved: (now: string) => void;
}

function MoveClock({ onMoved }: { readonly onMoved: () => void }) {
  const step = useAction((advance: string) => api.post<ClockState>(PATH, { advance }));
  const moved = (now: string): void => {
    toast(`Agora são ${now.slice(11, 16)} de ${dayText(now)}.`);
    onMoved();
  };
  return (
    <div class="stack">
      <p class="muted">
        O que vence no caminho (vigências, repetições de entregas, tarefas) já aconteceu quando a resposta
        chega. A sessão de um programa dura uma hora deste relógio: depois de andar mais que isso, ele tem de
        autenticar-se de novo. A sua, nesta página, continua.
      </p>
      <ErrorAlert error={step.error} />
      <Actions>
        {STEPS.map(([advance, label]) => (
          <Button
            key={advance}
            isBusy={step.isBusy}
            onPress={() => void step.run(advance).then((state) => state && moved(state.now))}
          >
            {`Avançar ${label}`}
          </Button>
        ))}
      </Actions>
      <div class="requests-moves">
        <MoveBy onMoved={moved} />
        <MoveTo onMoved={moved} />
      </div>
    </div>
  );
}

function MoveBy({ onMoved }: MoveProps) {
  const form = useForm({ advance: '' });
  const move = async (): Promise<void> => {
    const moved = await form.submit(({ advance }) => api.post<ClockState>(PATH, { advance: advance.trim() }));
    if (moved === undefined) return;
    form.reset();
    onMoved(moved.now);
  };
  return (
    <LineForm form={form} verb="Avançar" onSend={move}>
      <Input label="Duração" code help="ISO 8601, por exemplo P45D ou PT90M" {...form.field('advance')} />
    </LineForm>
  );
}

function MoveTo({ onMoved }: MoveProps) {
  const form = useForm({ set: '' });
  const move = async (): Promise<void> => {
    const moved = await form.submit(({ set }) => api.post<ClockState>(PATH, { set: instantOf(set) }));
    if (moved !== undefined) onMoved(moved.now);
  };
  return (
    <LineForm form={form} verb="Acertar" onSend={move}>
      <Input label="Ir para" code help="dd/mm/aaaa hh:mm, hora de Brasília" {...form.field('set')} />
    </LineForm>
  );
}
