/** From a dropped file to what became of each of its items. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Api, ImportProgress, ImportRequest } from '../api.ts';
import { Notice, words } from '../ui.tsx';
import { ImportForm } from './import-form.tsx';
import { ImportJob, isOver } from './import-job.tsx';
import { ImportResults } from './import-results.tsx';
import { RecentImports } from './recent-imports.tsx';

/** How often the progress is asked for. */
const POLL_MS = 400;

const RECENT = 5;

export function Import({ api, company }: { readonly api: Api; readonly company: string }): JSX.Element {
  const [recent, setRecent] = useState<readonly ImportProgress[]>([]);
  const [shown, setShown] = useState<number>();
  const [progress, setProgress] = useState<ImportProgress>();
  const [request, setRequest] = useState<ImportRequest>();
  const [sending, setSending] = useState(false);
  const [fault, setFault] = useState('');

  const fail = (refusal: unknown): void => setFault(words(refusal));
  const refresh = (): Promise<readonly ImportProgress[]> =>
    api.imports(RECENT).then((jobs) => {
      setRecent(jobs);
      return jobs;
    });
  const show = (id: number | undefined): void => {
    setProgress(undefined);
    setFault('');
    setShown(id);
  };
  const start = async (wanted: ImportRequest): Promise<void> => {
    show(undefined);
    setSending(true);
    try {
      const id = await api.startImport(wanted);
      setRequest(wanted);
      setShown(id);
    } catch (refusal) {
      fail(refusal);
    } finally {
      setSending(false);
    }
  };

  // An import goes on at the server whatever becomes of this page: one that still runs is shown again.
  useEffect(() => {
    refresh().then(([newest]) => {
      if (newest !== undefined && !isOver(newest)) setShown(newest.id);
    }, fail);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each client: `refresh` is made anew in every render
  }, [api]);

  useEffect(() => {
    if (shown === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopped = false;
    const poll = async (): Promise<void> => {
      try {
        const next = await api.importProgress(shown);
        if (stopped) return;
        setProgress(next);
        if (isOver(next)) await refresh();
        else timer = setTimeout(() => void poll(), POLL_MS);
      } catch (refusal) {
        if (!stopped) fail(refusal);
      }
    };
    void poll();
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each import: `refresh` is made anew in every render
  }, [api, shown]);

  const over = progress !== undefined && isOver(progress);
  const isWorthIt = over && progress.state === 'done' && progress.failed < progress.processed;
  const canRepeat = isWorthIt && progress.simular && request !== undefined;
  return (
    <section class="card import" aria-labelledby="import-title">
      <h2 id="import-title">Importar um arquivo</h2>
      <ImportForm
        company={company}
        busy={sending || (shown !== undefined && !over)}
        onStart={(wanted) => void start(wanted)}
      />
      {sending && <p role="status">Enviando o arquivo…</p>}
      {fault !== '' && <Notice tone="bad">{fault}</Notice>}
      {progress !== undefined && (
        <ImportJob progress={progress} onCancel={() => void api.cancelImport(progress.id).catch(fail)} />
      )}
      {over && (
        <ImportResults
          key={progress.id}
          api={api}
          progress={progress}
          onRepeat={canRepeat ? () => void start({ ...request, dryRun: false }) : undefined}
          onClose={() => show(undefined)}
        />
      )}
      {shown === undefined && !sending && recent.length > 0 && (
        <RecentImports
          imports={recent}
          onShow={(id) => {
            setRequest(undefined);
            show(id);
          }}
        />
      )}
    </section>
  );
}
