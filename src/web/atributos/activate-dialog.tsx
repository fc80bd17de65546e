/** Puts a table in force, now or on a day, once it is said how many products that would deactivate. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api } from '../api/api.ts';
import { useAction } from '../api/use-action.ts';
import { useResource } from '../api/use-resource.ts';
import { Notice } from '../ui/alert.tsx';
import { DayInput } from '../ui/day-input.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Fetched } from '../ui/page.tsx';
import { Choice } from '../ui/select.tsx';
import { toast } from '../ui/toast.tsx';
import { counted, day } from '../words.ts';
import { type Activation, type Impact, type ListedTable, TABLES } from './model.ts';

export interface ActivateDialogProps {
  readonly table: ListedTable;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const WHENS = [
  { value: 'now', label: 'Agora', hint: 'Responde quando todos os produtos foram conferidos.' },
  { value: 'day', label: 'Em um dia', hint: 'Às 00:05 desse dia, horário de Brasília.' },
] as const;

export function ActivateDialog({ table, onDone, onClose }: ActivateDialogProps): JSX.Element {
  const [when, setWhen] = useState<'now' | 'day'>('now');
  const [on, setOn] = useState('');
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(on);
  const isChosen = when === 'now' || isDay;
  const query = when === 'day' ? { on } : {};
  const impact = useResource<Impact>(isChosen ? `${TABLES}/${table.id}/impact` : undefined, { query });
  const { run, busy, error } = useAction(() => api.post<Activation>(`${TABLES}/${table.id}/activate`, query));
  const activate = async (): Promise<void> => {
    if (!isChosen) return;
    const done = await run();
    if (done === undefined) return;
    toast(
      when === 'day'
        ? `A tabela ${table.versao} entra em vigor em ${day(on)}.`
        : `A tabela ${table.versao} está em vigor: ${counted(done.deactivated, 'produto desativado', 'produtos desativados')}.`,
    );
    onDone();
  };
  return (
    <Confirm
      title={`Ativar a tabela ${table.versao}`}
      action="Ativar"
      {...{ busy, error, onClose }}
      onConfirm={() => void activate()}
    >
      <div class="stack">
        <Choice label="Quando" name="when" options={WHENS} value={when} onChange={setWhen} disabled={busy} />
        {when === 'day' && (
          <DayInput
            label="Dia"
            required
            value={on}
            onChange={setOn}
            error={on === '' || isDay ? undefined : 'Informe o dia como dd/mm/aaaa.'}
          />
        )}
        {isChosen && (
          <Fetched of={impact} lines={1}>
            {({ total }) => (
              <Notice tone={total === 0 ? 'good' : 'warn'}>
                {total === 0
                  ? 'Nenhum produto seria desativado.'
                  : `O sistema desativaria ${counted(total, 'produto', 'produtos')}, e avisaria quem assina o evento catp-prod-desativado.`}
              </Notice>
            )}
          </Fetched>
        )}
      </div>
    </Confirm>
  );
}
