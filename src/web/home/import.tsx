/** From a dropped file to what became of each of its items. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Api, ImportProgress, ImportRequest } from '../api.ts';
import { Notice, words } from '../ui.tsx';
import { ImportForm } from './import-form.tsx';
import { ImportJob, isOver } from './import-job.tsx';
import { ImportResults } from './import-results.tsx';

/** How often the progress is asked for. */
const POLL_MS = 400;

/** The import that is shown; kept so that a reload finds it again. */
interface Shown {
  readonly id: string;
  readonly fileName: string;
  readonly dryRun: boolean;
}

const SHOWN = 'catp.import';

export function Import({ api, company }: { readonly api: Api; readonly company: string }): JSX.Element {
  const [shown, setShown] = useState<Shown | undefined>(remembered);
  const [progress, setProgress] = useState<ImportProgress>();
  const [request, setRequest] = useState<ImportRequest>();
  const [sending, setSending] = useState(false);
  const [fault, setFault] = useState('');

  const start = async (wanted: ImportRequest): Promise<void> => {
    setSending(true);
    setFault('');
    setProgress(undefined);
    show(undefined);
    try {
      const id = await api.startImport(wanted);
      setRequest(wanted);
      show({ id, fileName: wanted.file.name, dryRun: wanted.dryRun });
    } catch (refusal) {
      setFault(words(refusal));
    } finally {
      setSending(false);
    }
  };
  const show = (next: Shown | undefined): void => {
    if (next === undefined) sessionStorage.removeItem(SHOWN);
    else sessionStorage.setItem(SHOWN, JSON.stringify(next));
    setShown(next);
  };
  const close = (): void => {
    show(undefined);
    setProgress(undefined);
    setFault('');
  };

  useEffect(() => {
    if (shown === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopped = false;
    const poll = async (): Promise<void> => {
      try {
        const next = await api.importProgress(shown.id);
        if (stopped) return;
        setProgress(next);
        if (!isOver(next)) timer = setTimeout(() => void poll(), POLL_MS);
      } catch (refusal) {
        if (stopped) return;
        show(undefined);
        setFault(words(refusal));
      }
    };
    void poll();
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [api, shown]);

  const running = sending || (shown !== undefined && (progress === undefined || !isOver(progress)));
  const over = shown !== undefined && progress !== undefined && isOver(progress);
  return (
    <section class="card import" aria-labelledby="import-title">
      <h2 id="import-title">Importar um arquivo</h2>
      <ImportForm company={company} busy={running} onStart={(wanted) => void start(wanted)} />
      {sending && <p role="status">Enviando o arquivo…</p>}
      {fault !== '' && <Notice tone="bad">{fault}</Notice>}
      {shown !== undefined && progress !== undefined && (
        <ImportJob
          fileName={shown.fileName}
          dryRun={shown.dryRun}
          progress={progress}
          onCancel={() => api.cancelImport(shown.id).catch((refusal) => setFault(words(refusal)))}
        />
      )}
      {over && (
        <ImportResults
          key={shown.id}
          api={api}
          id={shown.id}
          failed={progress.failed}
          onRepeat={
            shown.dryRun && request !== undefined && progress.state === 'done'
              ? () => void start({ ...request, dryRun: false })
              : undefined
          }
          onClose={close}
        />
      )}
    </section>
  );
}

function remembered(): Shown | undefined {
  const kept = sessionStorage.getItem(SHOWN);
  return kept === null ? undefined : (JSON.parse(kept) as Shown); // Only `show` writes it.
}
