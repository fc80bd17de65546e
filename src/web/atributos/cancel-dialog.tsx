/** Cancels the scheduled activation of a table. */
import type { JSX } from 'preact';
import type { ListedAttributeTable } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { ConfirmSending } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.tsx';
import { dayText } from '../words.ts';
import { TABLES } from './words.ts';

export interface Scheduled {
  readonly table: ListedAttributeTable;
  /** A day of `scheduledOn`. */
  readonly on: string;
}

export function CancelDialog({
  table,
  on,
  onDone,
  onClose,
}: Scheduled & { readonly onDone: () => void; readonly onClose: () => void }): JSX.Element {
  return (
    <ConfirmSending
      title={`A tabela ${table.versao} não entra mais em vigor em ${dayText(on)}?`}
      action="Cancelar a entrada em vigor"
      cancelLabel="Voltar"
      danger
      send={() => api.delete(`${TABLES}/${table.id}/activate`, undefined, { query: { on } })}
      onDone={() => {
        toast(`A tabela ${table.versao} não entra mais em vigor em ${dayText(on)}.`);
        onDone();
      }}
      onClose={onClose}
    >
      <p>A tabela continua carregada, e pode ser ativada depois. A que está em vigor hoje não muda.</p>
    </ConfirmSending>
  );
}
