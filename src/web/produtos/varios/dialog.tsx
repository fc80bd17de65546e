/** Several products changed at once: which, which attribute, a look at each change, then new versions. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Query } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { useIsHere } from '../../api/use-is-here.ts';
import { ErrorAlert } from '../../ui/alert.tsx';
import { Actions, Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Choice } from '../../ui/select.tsx';
import { toast } from '../../ui/toast.tsx';
import { count, counted } from '../../words.ts';
import { gather, type Gathered } from './gather.ts';
import type { Planned } from './plan.ts';
import { postProducts } from './post.ts';
import { Preview } from './preview.tsx';
import { SentResults } from './results.tsx';
import { sendAll, type Sending } from './send.ts';

export interface ChangeManyProps {
  readonly company: string;
  readonly chosen: readonly number[];
  /** What the filters of the list find. */
  readonly query: Query;
  readonly total: number;
  readonly isFiltered: boolean;
  /** `changed`: some products have a new version. */
  readonly onClose: (changed: boolean) => void;
}

type Which = 'chosen' | 'all';

export function ChangeMany(props: ChangeManyProps): JSX.Element {
  const { company, chosen, query, total, isFiltered, onClose } = props;
  const [which, setWhich] = useState<Which>(chosen.length > 0 ? 'chosen' : 'all');
  const [reading, setReading] = useState('');
  const [gathered, setGathered] = useState<Gathered>();
  const [progress, setProgress] = useState({ done: 0, of: 0 });
  const [sending, setSending] = useState<Sending>();
  const stoppedRef = useRef(false);
  const isHere = useIsHere();
  const look = useAction(() =>
    gather(company, which === 'chosen' ? { chosen } : { query }, (what) => {
      setReading(what);
      return isHere();
    }),
  );
  const send = async (changes: readonly Planned[]): Promise<void> => {
    setProgress({ done: 0, of: changes.length });
    const done = await sendAll(changes, {
      post: postProducts,
      onProgress: (sent) => setProgress({ done: sent, of: changes.length }),
      isStopped: () => stoppedRef.current,
    });
    setSending(done);
    if (!isHere()) toast(`${counted(done.sent.length, 'produto enviado', 'produtos enviados')}.`);
  };
  const isSending = progress.of > 0 && sending === undefined;
  const close = (): void => {
    // What is under way ends first, so that its result is seen.
    if (isSending) stoppedRef.current = true;
    else onClose(sending !== undefined);
  };
  return (
    <Dialog title="Alterar vários produtos" wide onClose={close}>
      <div class="stack">
        {gathered === undefined && (
          <>
            <Choice
              label="Quais"
              name="which"
              value={which}
              disabled={look.busy}
              onChange={setWhich}
              options={[
                ...(chosen.length > 0
                  ? [{ value: 'chosen' as const, label: `Os escolhidos (${count(chosen.length)})` }]
                  : []),
                {
                  value: 'all',
                  label: isFiltered
                    ? `Todos os que o filtro encontra (${count(total)})`
                    : `Todos os do catálogo (${count(total)})`,
                  ...(chosen.length === 0 && { hint: 'Para só alguns, marque-os antes na lista.' }),
                },
              ]}
            />
            <ErrorAlert error={look.error} />
            {look.busy && <p role="status">{reading}</p>}
            <Actions>
              <Button
                kind="primary"
                busy={look.busy}
                onPress={() => void look.run().then((found) => found !== undefined && setGathered(found))}
              >
                Continuar
              </Button>
              <Button onPress={close}>Cancelar</Button>
            </Actions>
          </>
        )}
        {gathered !== undefined && progress.of === 0 && (
          <Preview gathered={gathered} onSend={(changes) => void send(changes)} onCancel={close} />
        )}
        {isSending && (
          <>
            <Progress
              label="Gravando"
              done={progress.done}
              total={progress.of}
              aside={`${count(progress.done)} de ${counted(progress.of, 'produto', 'produtos')}`}
            />
            <Actions>
              <Button onPress={close}>Parar</Button>
            </Actions>
          </>
        )}
        {sending !== undefined && <SentResults sending={sending} of={progress.of} onClose={close} />}
      </div>
    </Dialog>
  );
}
