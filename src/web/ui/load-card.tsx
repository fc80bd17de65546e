/** Loads one file, JSON or zip. The server reads it completely before anything changes. */
import { useState } from 'preact/hooks';
import { api } from '../api/api.ts';
import { useAction } from '../api/use-action.ts';
import { sizeText } from '../words.ts';
import { ErrorAlert } from './alert.tsx';
import { Button } from './button.tsx';
import { FileDrop } from './file-drop.tsx';
import { instead } from './form.tsx';
import { Card } from './page.tsx';
import { Progress } from './progress.tsx';

export interface LoadCardProps<Loaded> {
  readonly title: string;
  /** Text in the drop area. */
  readonly drop: string;
  readonly about: string;
  /** Path of the upload. */
  readonly path: string;
  readonly onLoaded: (loaded: Loaded) => void;
}

export function LoadCard<Loaded>({ title, drop, about, path, onLoaded }: LoadCardProps<Loaded>) {
  const [file, setFile] = useState<File>();
  const { run, isBusy, error, clear } = useAction((selectedFile: File) =>
    sendFile<Loaded>(path, selectedFile),
  );
  const load = async (): Promise<void> => {
    if (file === undefined) return;
    const loaded = await run(file);
    if (loaded === undefined) return;
    setFile(undefined);
    onLoaded(loaded);
  };
  return (
    <Card title={title}>
      <form class="stack" onSubmit={instead(load)}>
        <FileDrop
          title={drop}
          accept=".json,.zip"
          files={file === undefined ? [] : [file]}
          disabled={isBusy}
          onFiles={([newFile]) => {
            clear();
            setFile(newFile);
          }}
        />
        <ErrorAlert error={error} />
        {isBusy && file !== undefined ? (
          <Progress
            label={`Enviando e conferindo ${file.name}`}
            done={0}
            total={null}
            aside={sizeText(file.size)}
          />
        ) : (
          <p class="muted">{about}</p>
        )}
        <div>
          <Button type="submit" kind="primary" isBusy={isBusy} disabled={file === undefined}>
            Carregar
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** Browsers use several media types for a zip. */
function sendFile<Loaded>(path: string, file: File) {
  const type = /\.zip$/i.test(file.name) ? 'application/zip' : 'application/json';
  return api.post<Loaded>(path, file, { headers: { 'Content-Type': type } });
}
