/** Sends again what failed: as it was, after something else was mended, or from a corrected file. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useCompany } from '../../api/use-company.ts';
import { useAction } from '../../api/use-action.ts';
import { type Result, faultOf } from '../../api/result.ts';
import { ErrorAlert } from '../../ui/alert.tsx';
import { Actions, Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FileDrop } from '../../ui/file-drop.tsx';
import { counted } from '../../words.ts';
import { fileToSend, lookAt } from '../chosen.ts';
import type { Import } from '../model.ts';
import { type Upload, startImport, uploadOf } from '../upload.ts';
import { onlyFailed } from './only-failed.ts';

const NO_ITEMS =
  'Nenhuma das linhas que falharam está neste arquivo. Escolha o mesmo arquivo, com as linhas corrigidas.';

export function Retry({ job }: { readonly job: Import }): JSX.Element {
  const company = useCompany();
  const [, navigate] = useLocation();
  const [open, setOpen] = useState(false);
  const upload = uploadOf(job.id);

  const again = useAction(async (from: Upload): Promise<Result<{ readonly id: number }>> => {
    const failed = await onlyFailed(job.id, from);
    if (!failed.ok) return failed;
    return failed.value === undefined
      ? { ok: false, error: faultOf(NO_ITEMS) }
      : startImport({ ...from, file: failed.value }, job.simular);
  });
  const send = async (from: Upload): Promise<void> => {
    const started = await again.run(from);
    if (started !== undefined) navigate(`/importar/${started.id}`);
  };
  /** A corrected spreadsheet is read as the first one was: its mapping is remembered. */
  const sendCorrected = async ([file]: readonly File[]): Promise<void> => {
    if (file === undefined) return;
    const { tipo: kind, modo: mode } = job;
    const chosen = await lookAt(file, kind);
    await send({ kind, mode, file: fileToSend(chosen, { kind, cpfCnpjRaiz: company, forms: new Map() }) });
  };

  return (
    <>
      <Actions>
        <Button
          kind="primary"
          busy={again.busy}
          onPress={() => (upload === undefined ? setOpen(true) : void send(upload))}
        >
          Importar só os que falharam
        </Button>
        {upload !== undefined && <Button onPress={() => setOpen(true)}>Usar um arquivo corrigido…</Button>}
      </Actions>
      {!open && <ErrorAlert error={again.error} />}
      {open && (
        <Dialog title="Importar só os que falharam" onClose={() => setOpen(false)}>
          <p>
            Escolha o arquivo com as linhas corrigidas, na ordem de antes: só{' '}
            {counted(job.failed, 'item que falhou é importado', 'itens que falharam são importados')}.
          </p>
          <FileDrop
            title="Solte aqui o arquivo corrigido"
            accept=".json,.zip,.xlsx,.xlsm,.csv,.tsv,.txt"
            files={[]}
            disabled={again.busy}
            onFiles={(files) => void sendCorrected(files)}
          />
          <ErrorAlert error={again.error} />
          <Actions>
            <Button onPress={() => setOpen(false)}>Cancelar</Button>
          </Actions>
        </Dialog>
      )}
    </>
  );
}
