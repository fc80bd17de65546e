/** Brings in a table: the public file of attributes by NCM. Loading changes nothing yet. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { LoadedAttributeTable } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useAction } from '../api/use-action.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { FileDrop } from '../ui/file-drop.tsx';
import { Card } from '../ui/page.tsx';
import { Progress } from '../ui/progress.tsx';
import { instead } from '../ui/form.tsx';
import { toast } from '../ui/toast.tsx';
import { counted, size } from '../words.ts';
import { TABLES } from './words.ts';

export function LoadCard({
  onLoaded,
}: {
  readonly onLoaded: (table: LoadedAttributeTable) => void;
}): JSX.Element {
  const [file, setFile] = useState<File>();
  const { run, busy, error, clear } = useAction(sendTable);
  const load = async (): Promise<void> => {
    if (file === undefined) return;
    const loaded = await run(file);
    if (loaded === undefined) return;
    setFile(undefined);
    toast(
      `Tabela ${loaded.versao} carregada: ${counted(loaded.ncms, 'NCM', 'NCMs')}. Ela ainda não está em vigor.`,
    );
    onLoaded(loaded);
  };
  return (
    <Card title="Carregar uma tabela">
      <form class="stack" onSubmit={instead(load)}>
        <FileDrop
          title="Solte aqui o arquivo público de atributos por NCM (JSON ou ZIP)"
          accept=".json,.zip"
          files={file === undefined ? [] : [file]}
          disabled={busy}
          onFiles={([chosen]) => {
            clear();
            setFile(chosen);
          }}
        />
        <ErrorAlert error={error} />
        {busy && file !== undefined ? (
          <Progress
            label={`Enviando e conferindo ${file.name}`}
            done={0}
            total={null}
            aside={size(file.size)}
          />
        ) : (
          <p class="muted">
            O arquivo é conferido por inteiro antes de ser guardado. Carregar não muda nada: depois se vê o
            que mudaria, e então se põe a tabela em vigor.
          </p>
        )}
        <div>
          <Button type="submit" kind="primary" busy={busy} disabled={file === undefined}>
            Carregar
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** Browsers know a zip by several names. */
function sendTable(file: File) {
  const type = /\.zip$/i.test(file.name) ? 'application/zip' : 'application/json';
  return api.post<LoadedAttributeTable>(TABLES, file, { headers: { 'Content-Type': type } });
}
