/** Sends again what failed: as it was, after something else was mended, or from a corrected file. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ImportProgress, ImportStarted } from '../../api/answers.ts';
import { useCompany } from '../../api/use-company.ts';
import { useAction } from '../../api/use-action.ts';
import { useGo } from '../../api/use-go.ts';
import { type Result, faultOf } from '../../api/result.ts';
import { ErrorAlert } from '../../ui/alert.tsx';
import { Actions, Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { FileDrop } from '../../ui/file-drop.tsx';
import { count } from '../../words.ts';
import { lookAt, uploadFrom, withForms } from '../chosen.ts';
import { type Upload, startImport, uploadOf } from '../upload.ts';
import { NCMS_MAX, formsOfNcms, ncmsOf } from '../use-attribute-forms.ts';
import { failedLines } from './failed-lines.ts';
import { onlyFailed } from './only-failed.ts';

export function Retry({ job }: { readonly job: ImportProgress }): JSX.Element {
  const company = useCompany();
  const go = useGo();
  const [open, setOpen] = useState(false);
  const upload = uploadOf(job.id);
  const from = upload?.from;
  const format = /\.xls[xm]$/i.test(job.fileName) ? 'xlsx' : 'csv';

  const again = useAction(
    async (from: Upload): Promise<Result<ImportStarted>> => {
      const failed = await onlyFailed(job, from);
      return failed.ok ? startImport(failed.value, job.simular) : failed;
    },
    ({ id }) => go(`/importar/${id}`),
  );
  /** A corrected spreadsheet is read as the first one was: its mapping is remembered. */
  const reading = useAction(async (file: File): Promise<Result<Upload>> => {
    const { tipo: kind, modo: mode } = job;
    try {
      const looked = await lookAt(file, kind);
      const forms = await formsOfNcms(ncmsOf([looked], kind).slice(0, NCMS_MAX));
      const chosen = withForms(looked, kind, forms);
      const value = uploadFrom(chosen, { kind, mode, cpfCnpjRaiz: company, forms });
      return { ok: true, headers: new Headers(), value };
    } catch (error) {
      return { ok: false, error: faultOf((error as Error).message) }; // `lookAt` says it for people
    }
  });
  const sendCorrected = async ([file]: readonly File[]): Promise<void> => {
    if (file === undefined) return;
    again.clear();
    const read = await reading.run(file);
    if (read !== undefined) await again.run(read);
  };

  return (
    <>
      <Actions>
        <Button
          kind="primary"
          busy={again.busy}
          onPress={() => (upload === undefined ? setOpen(true) : void again.run(upload))}
        >
          Importar só os que falharam
        </Button>
        {upload !== undefined && <Button onPress={() => setOpen(true)}>Usar um arquivo corrigido…</Button>}
        {from !== undefined && (
          <DownloadButton make={() => failedLines(job, from, format)} fallbackName={`corrigir.${format}`}>
            Baixar as linhas a corrigir
          </DownloadButton>
        )}
      </Actions>
      {!open && <ErrorAlert error={again.error} />}
      {open && (
        <Dialog title="Importar só os que falharam" onClose={() => setOpen(false)}>
          <p>
            Escolha o arquivo inteiro, na ordem de antes, com as linhas corrigidas; ou um só com as linhas que
            falharam. De um como do outro{' '}
            {job.failed === 1
              ? 'só o item que falhou é importado'
              : `só os ${count(job.failed)} itens que falharam são importados`}
            .
          </p>
          <FileDrop
            title="Solte aqui o arquivo corrigido"
            accept=".json,.zip,.xlsx,.xlsm,.csv,.tsv,.txt"
            files={[]}
            disabled={again.busy || reading.busy}
            onFiles={(files) => void sendCorrected(files)}
          />
          <ErrorAlert error={reading.error ?? again.error} />
          <Actions>
            <Button onPress={() => setOpen(false)}>Cancelar</Button>
          </Actions>
        </Dialog>
      )}
    </>
  );
}
