/** Confirms a plan. The user types the number of deactivations when it exceeds the limit of the server. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { Run, RunStarted } from '../../api/answers.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { withCount } from '../../words.ts';
import { COMPARISONS, VERBS } from '../words.ts';
import { deactivations, deactivationsText, sum, toDo } from './operations.ts';

const BRAKE = 'maxDeactivations';

export function ConfirmRun({
  run,
  onClose,
}: {
  readonly run: Run;
  readonly onClose: () => void;
}): JSX.Element {
  const { remote, direction, asked, cpfCnpjRaiz } = run;
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState('');
  const starting = useAction(
    () =>
      api.post<RunStarted>(`${COMPARISONS}/${run.comparison}/runs`, {
        direction,
        ...asked,
        ...(/^\d+$/.test(typed.trim()) && { [BRAKE]: Number(typed) }),
      }),
    ({ id }) => navigate(`/remotos/${id}?cpfCnpjRaiz=${cpfCnpjRaiz}`),
  );
  const isBraked = starting.error?.problems.some(({ place }) => place === BRAKE) ?? false;
  // The field stays once the number was requested.
  const [wasBraked, setBraked] = useState(false);
  if (isBraked && !wasBraked) setBraked(true);
  const deactivated = deactivations(run);
  const isSent = direction === 'send';
  const steps = withCount(sum(toDo(run)), 'passo', 'passos');
  return (
    <Confirm
      title={isSent ? `Enviar ${steps} a ${remote}?` : `Trazer ${steps} de ${remote}?`}
      action={VERBS[direction]}
      cancelLabel="Voltar"
      danger={deactivated > 0}
      isBusy={starting.isBusy}
      error={starting.error}
      onConfirm={() => void starting.run()}
      onClose={onClose}
    >
      <div class="stack">
        <p>
          {isSent
            ? `O que está aqui é gravado em ${remote}, um passo por vez, mesmo que a instância seja reiniciada. O que já tiver sido gravado lá só pode ser desfeito lá.`
            : `O que está em ${remote} é gravado aqui, como uma importação, que se pode desfazer.`}
        </p>
        {deactivated > 0 && (
          <p>
            <strong>
              {deactivationsText(deactivated)} {isSent ? `em ${remote}` : 'aqui'}.
            </strong>
          </p>
        )}
        {wasBraked && (
          <Input
            label="Quantos podem ser desativados"
            inputMode="numeric"
            value={typed}
            onChange={setTyped}
            help={`São mais do que o limite que dispensa confirmação. Para confirmar, digite ${deactivated}.`}
          />
        )}
      </div>
    </Confirm>
  );
}
