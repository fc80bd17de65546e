/** Takes back that a table comes into force on a day. */
import type { JSX } from 'preact';
import type { ListedAttributeTable } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useAction } from '../api/use-action.ts';
import { Confirm } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.tsx';
import { day } from '../words.ts';
import { TABLES } from './words.ts';

export interface Scheduled {
  readonly table: ListedAttributeTable;
  /** One of `scheduledOn`. */
  readonly on: string;
}

export function CancelDialog({
  table,
  on,
  onDone,
  onClose,
}: Scheduled & { readonly onDone: () => void; readonly onClose: () => void }): JSX.Element {
  const { run, busy, error } = useAction(async () => {
    const answer = await api.delete(`${TABLES}/${table.id}/activate`, undefined, { query: { on } });
    return answer.ok ? { ...answer, value: true } : answer;
  });
  const cancel = async (): Promise<void> => {
    if ((await run()) === undefined) return;
    toast(`A tabela ${table.versao} não entra mais em vigor em ${day(on)}.`);
    onDone();
  };
  return (
    <Confirm
      title={`A tabela ${table.versao} não entra mais em vigor em ${day(on)}?`}
      action="Cancelar a entrada em vigor"
      back="Voltar"
      danger
      {...{ busy, error, onClose }}
      onConfirm={() => void cancel()}
    >
      <p>A tabela continua carregada, e pode ser ativada depois. A que está em vigor hoje não muda.</p>
    </Confirm>
  );
}
