/** Sends failed items again: unchanged after another correction, or from a corrected file. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ImportProgress, ImportStarted } from '../../api/answers.ts';
import { useAction } from '../../api/use-action.ts';
import { useCompany } from '../../api/use-company.ts';
import { useOpenImport } from '../../api/use-open-import.ts';
import type { Result } from '../../api/result.ts';
import { ErrorAlert } from '../../ui/alert.tsx';
import { Actions, Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FileDrop } from '../../ui/file-drop.tsx';
import { CompanyLine } from '../../ui/company-name.tsx';
import { countText } from '../../words.ts';
import { type Upload, startImport, uploadOf } from '../upload.ts';
import { withOnlyFailed } from './only-failed.ts';

/** Retry for a file of items, if this tab still has it. */
export function Retry({ job }: { readonly job: ImportProgress }): JSX.Element {
  const company = useCompany();
  const openImport = useOpenImport();
  const [open, setOpen] = useState(false);
  const upload = uploadOf(job.id);
  const again = useAction(
    async (from: Upload): Promise<Result<ImportStarted>> => {
      const failed = await withOnlyFailed(job, from);
      return failed.ok ? startImport(failed.value, job.simular) : failed;
    },
    ({ id }) => openImport(id, company),
  );
  const sendCorrected = ([file]: readonly File[]): void => {
    if (file !== undefined) void again.run({ file, kind: job.tipo, mode: job.modo });
  };

  return (
    <>
      <Actions>
        <Button
          kind="primary"
          isBusy={again.isBusy}
          onPress={() => (upload === undefined ? setOpen(true) : void again.run(upload))}
        >
          Importar só os que falharam
        </Button>
        {upload !== undefined && <Button onPress={() => setOpen(true)}>Usar um arquivo corrigido…</Button>}
      </Actions>
      {!open && <ErrorAlert error={again.error} />}
      {open && (
        <Dialog title="Importar só os que falharam" onClose={() => setOpen(false)}>
          <CompanyLine />
          <p>
            Escolha o arquivo inteiro, na ordem de antes, com os itens corrigidos; ou um só com os que
            falharam. De um como do outro{' '}
            {job.failed === 1
              ? 'só o item que falhou é importado'
              : `só os ${countText(job.failed)} itens que falharam são importados`}
            .
          </p>
          <FileDrop
            title="Solte aqui o arquivo corrigido"
            accept=".json,.zip"
            files={[]}
            disabled={again.isBusy}
            onFiles={sendCorrected}
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
