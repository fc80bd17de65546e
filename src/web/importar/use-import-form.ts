/** The state of the import form: what is meant, the chosen files, and their way to the server. */
import { useRef, useState } from 'preact/hooks';
import type { ImportProgress, ImportStarted } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { type Action, useAction } from '../api/use-action.ts';
import { ABORTED, type Asking } from '../api/client.ts';
import { type ApiError, type Result, faultOf } from '../api/result.ts';
import { type Chosen, lookAt, orderOf } from './chosen.ts';
import { IMPORTS, type ImportKind, type ImportMode } from './kinds.ts';
import { importedBefore, startImport } from './upload.ts';

export interface Starting {
  readonly dryRun: boolean;
  /** Also what was imported before. */
  readonly again?: boolean;
  /** The numbers that a brake asked for. */
  readonly expected?: object | undefined;
}

/** What pressing the button led to. */
export type Started = { readonly ids: readonly number[] } | { readonly before: ImportProgress };

/** A file on its way. */
export interface Sending {
  readonly name: string;
  readonly sent: number;
  readonly total: number;
}

interface Now {
  readonly kind: ImportKind;
  readonly mode: ImportMode;
  readonly chosen: readonly Chosen[];
}

export interface ImportFormState extends Now {
  /** Files are being looked at. */
  readonly isReading: boolean;
  /** What is wrong with what was chosen. */
  readonly problem: ApiError | undefined;
  readonly starting: Action<[Starting], Started>;
  readonly sending: Sending | undefined;
  readonly stopSending: () => void;
  readonly setKind: (kind: ImportKind) => void;
  readonly setMode: (mode: ImportMode) => void;
  readonly choose: (files: readonly File[]) => Promise<void>;
  readonly change: (at: number, changed: Chosen) => void;
}

const NOTHING_CHOSEN = faultOf('Escolha primeiro um arquivo JSON, ZIP, XLSX ou CSV.');
const NO_MIRROR = faultOf(
  'O modo Espelho é de arquivos JSON e ZIP; escolha Lote, ou importe as planilhas à parte.',
);
const STOPPED = faultOf('O envio foi cancelado; nada deste arquivo foi importado.');

export function useImportForm(cpfCnpjRaiz: string): ImportFormState {
  const [now, setNow] = useState<Now>({ kind: 'produto', mode: 'lote', chosen: [] });
  const [problem, setProblem] = useState<ApiError>();
  const [isReading, setReading] = useState(false);
  const [sending, setSending] = useState<Sending>();
  // Reading takes its time: what is meant by then counts, drawn or not.
  const nowRef = useRef(now);
  const readingRef = useRef(Promise.resolve());
  const stopRef = useRef(new AbortController());
  const put = (some: Partial<Now>): void => {
    nowRef.current = { ...nowRef.current, ...some };
    setNow(nowRef.current);
  };
  const sent = async <T>({ name, size }: File, send: (asking: Asking) => Promise<Result<T>>) => {
    stopRef.current = new AbortController();
    setSending({ name, sent: 0, total: size });
    const answer = await send({
      signal: stopRef.current.signal,
      onSent: (bytes, total) => setSending({ name, sent: bytes, total }),
    }).finally(() => setSending(undefined));
    return !answer.ok && answer.error === ABORTED ? { ok: false as const, error: STOPPED } : answer;
  };

  const read = async (files: readonly File[], isOvertaken: () => boolean): Promise<void> => {
    const chosen: Chosen[] = [];
    for (const file of files) {
      const looked = await sent(file, (asking) => lookAt(file, nowRef.current.kind, cpfCnpjRaiz, asking));
      if (isOvertaken()) return;
      if (!looked.ok) {
        put({ chosen: [] });
        return setProblem(looked.error);
      }
      chosen.push(looked.value);
    }
    put({ chosen });
  };
  const choose = async (files: readonly File[]): Promise<void> => {
    setProblem(undefined);
    setReading(true);
    stopRef.current.abort();
    const reading = read(files, () => readingRef.current !== reading);
    readingRef.current = reading;
    await reading;
    if (readingRef.current === reading) setReading(false);
  };

  const starting = useAction(
    async ({ dryRun, again = false, expected }: Starting): Promise<Result<Started>> => {
      await readingRef.current;
      const { kind, mode, chosen } = nowRef.current;
      if (chosen.length === 0) {
        setProblem((said) => said ?? NOTHING_CHOSEN);
        return done({ ids: [] });
      }
      const sheets = chosen.filter(({ sheet }) => sheet !== undefined);
      if (mode === 'espelho' && sheets.length > 0 && sheets.length < chosen.length)
        return { ok: false, error: NO_MIRROR };
      for (const { file, sheet } of dryRun || again ? [] : chosen) {
        const before = await importedBefore(file, kind, sheet && cpfCnpjRaiz);
        if (before !== undefined) return done({ before });
      }
      const ids: number[] = [];
      for (const { file, sheet } of chosen) {
        const answer =
          sheet === undefined
            ? await sent(file, (asking) => startImport({ file, kind, mode }, dryRun, asking, expected))
            : await api.post<ImportStarted>(IMPORTS, {
                ...orderOf(sheet),
                simular: dryRun,
                ...(expected !== undefined && { expected }),
              });
        if (!answer.ok) return answer;
        ids.push(answer.value.id);
        // What has begun is not sent again with what has not.
        if (!dryRun) put({ chosen: nowRef.current.chosen.filter((one) => one.file !== file) });
      }
      return done({ ids });
    },
  );

  return {
    ...now,
    isReading,
    problem,
    starting,
    sending,
    choose,
    stopSending: () => stopRef.current.abort(),
    setMode: (mode) => put({ mode }),
    setKind: (kind) => {
      put({ kind });
      // Where the columns of a sheet go depends on what its rows are.
      const { chosen } = nowRef.current;
      if (chosen.some(({ sheet }) => sheet !== undefined)) void choose(chosen.map(({ file }) => file));
    },
    change: (at, changed) => put({ chosen: nowRef.current.chosen.with(at, changed) }),
  };
}

const done = (value: Started): Result<Started> => ({ ok: true, value, headers: new Headers() });
