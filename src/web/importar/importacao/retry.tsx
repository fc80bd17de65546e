/** Sends failed items again: unchanged after another correction, or from a corrected file. */
import { useState } from 'preact/hooks';
import type { ImportProgress, ImportStarted, ImportResult } from '../../api/answers.ts';
import { useAction } from '../../api/use-action.ts';
import { useCompany } from '../../api/use-company.ts';
import { useOpenImport } from '../../api/use-open-import.ts';
import { type Result, faultOf } from '../../api/result.ts';
import { ErrorAlert } from '../../ui/alert.tsx';
import { Actions, Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FileDrop } from '../../ui/file-drop.tsx';
import { CompanyLine } from '../../ui/company-name.tsx';
import { countText, withCount } from '../../words.ts';
import { type Upload, startImport, uploadOf } from '../upload.ts';
import { type Item, itemsOf, textOfItems } from './sent-items.ts';
import { allResults } from './all-results.ts';

/** Retry for a file of items, if this tab still has it. */
export function Retry({ job }: { readonly job: ImportProgress }) {
  const company = useCompany();
  const openImport = useOpenImport();
  const [isOpen, setOpen] = useState(false);
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
      {!isOpen && <ErrorAlert error={again.error} />}
      {isOpen && (
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

/** Returns `upload` with only the items that failed in the import, each on its original line. */
async function withOnlyFailed(job: ImportProgress, upload: Upload): Promise<Result<Upload>> {
  const failed = await allResults(job.id, 'failed');
  if (!failed.ok) return failed;
  const items = await itemsOf(upload);
  if (items === undefined) return { ok: false, error: faultOf(UNREADABLE) };
  // The file contains only the failed lines, and is sent unchanged.
  if (items.length === failed.value.length) return { ...failed, value: upload };
  const itemsToSend = itemsWithLines(items, failed.value);
  if (items.length < (job.total ?? 0) || itemsToSend.length === 0)
    return { ok: false, error: faultOf(otherFile(items.length, job, failed.value.length)) };
  const file = new File([textOfItems(itemsToSend)], upload.file.name, { type: 'application/json' });
  return { ...failed, value: { ...upload, file } };
}

const itemsWithLines = (items: readonly Item[], failed: readonly ImportResult[]) =>
  failed.flatMap(({ index, line }) => {
    const item = items[index];
    return item === undefined ? [] : [{ line, item }];
  });

const UNREADABLE =
  'O arquivo não pôde ser lido: é grande demais para o navegador, ou não traz uma lista de itens em JSON.';

/** Returns the message for a file with another number of lines, in which the failed ones are unknown. */
const otherFile = (count: number, { total }: ImportProgress, failed: number): string =>
  `Este arquivo tem ${withCount(count, 'linha', 'linhas')}; o importado tinha ${withCount(total ?? 0, 'linha', 'linhas')}, das quais ${failed} com erro. Escolha o mesmo arquivo com as linhas corrigidas, ou um só com as que falharam.`;
