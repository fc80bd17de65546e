/** State of the import form: kind, mode, selected files and upload. */
import { useRef, useState } from 'preact/hooks';
import type { ImportProgress, ImportStarted } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { type Action, useAction } from '../api/use-action.ts';
import { ABORTED, type RequestOptions } from '../api/client.ts';
import { type ApiError, type Result, faultOf } from '../api/result.ts';
import { type Chosen, lookAt, sheetImportOf } from './chosen.ts';
import { IMPORTS, type ImportKind, type ImportMode } from './kinds.ts';
import { rowNumbersIn } from './row-numbers.ts';
import { unzipped } from './unzipped.ts';
import { digestOf, importedBefore, startImport } from './upload.ts';

export interface Starting {
  /** Rows of a sheet are always checked first; their import starts on the page of the result (contract section 17). */
  readonly dryRun: boolean;
  /** True to import content that was imported before. */
  readonly again?: boolean;
  /** Expected numbers that a refusal requested. */
  readonly expected?: object | undefined;
}

/** Result of a start. */
export type Started = { readonly ids: readonly number[] } | { readonly earlierImport: ImportProgress };

/** Upload in progress. */
export interface Sending {
  readonly name: string;
  readonly sent: number;
  readonly total: number;
}

interface Now {
  readonly kind: ImportKind;
  readonly mode: ImportMode;
  readonly chosen: readonly Chosen[];
  /** Members of zips that are not imported. */
  readonly leftOut: readonly string[];
}

export interface ImportFormState extends Now {
  /** True while files are inspected. */
  readonly isReading: boolean;
  /** Problem of the selection. */
  readonly problem: ApiError | undefined;
  readonly starting: Action<[Starting], Started>;
  readonly sending: Sending | undefined;
  readonly stopSending: () => void;
  readonly setKind: (kind: ImportKind) => void;
  readonly setMode: (mode: ImportMode) => void;
  readonly choose: (files: readonly File[]) => Promise<void>;
  readonly change: (index: number, changed: Chosen) => void;
}

const NOTHING_CHOSEN = faultOf('Escolha primeiro um arquivo JSON, ZIP, XLSX ou CSV.');
const NO_MIRROR = faultOf(
  'O modo Espelho é de arquivos JSON e ZIP; escolha Lote, ou importe as planilhas à parte.',
);
const NO_ROWS = faultOf('As linhas a deixar de fora são números e intervalos: 3, 10-12. Corrija o campo.');
const STOPPED = faultOf('O envio foi cancelado; nada deste arquivo foi importado.');

export function useImportForm(cpfCnpjRaiz: string): ImportFormState {
  const [now, setNow] = useState<Now>({ kind: 'produto', mode: 'lote', chosen: [], leftOut: [] });
  const [problem, setProblem] = useState<ApiError>();
  const [isReading, setReading] = useState(false);
  const [sending, setSending] = useState<Sending>();
  // Inspection takes time. It uses the latest values, rendered or not.
  const nowRef = useRef(now);
  const pickedRef = useRef<readonly File[]>([]);
  const readingRef = useRef(Promise.resolve());
  const stopRef = useRef(new AbortController());
  const put = (some: Partial<Now>): void => {
    nowRef.current = { ...nowRef.current, ...some };
    setNow(nowRef.current);
  };
  const sent = async <T>({ name, size }: File, send: (asking: RequestOptions) => Promise<Result<T>>) => {
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
    const contents = await Promise.all(files.map(unzipped));
    const leftOut = contents.flatMap((one) => one.leftOut);
    for (const file of contents.flatMap((one) => one.files)) {
      const looked = await sent(file, (asking) => lookAt(file, nowRef.current.kind, cpfCnpjRaiz, asking));
      if (isOvertaken()) return;
      if (!looked.ok) {
        put({ chosen: [], leftOut: [] });
        return setProblem(looked.error);
      }
      chosen.push(looked.value);
    }
    put({ chosen, leftOut });
  };
  const choose = async (files: readonly File[]): Promise<void> => {
    pickedRef.current = files;
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
      if (sheets.some(({ sheet }) => rowNumbersIn(sheet?.rowsOut ?? '') === undefined))
        return { ok: false, error: NO_ROWS };
      if (mode === 'espelho' && sheets.length > 0 && sheets.length < chosen.length)
        return { ok: false, error: NO_MIRROR };
      const simular = dryRun || sheets.length > 0;
      for (const { file } of simular || again ? [] : chosen) {
        // An unreadable file is reported when it is sent.
        const sha256 = await digestOf(file).catch(() => undefined);
        const earlierImport = sha256 && (await importedBefore({ sha256, tipo: kind }));
        if (earlierImport) return done({ earlierImport });
      }
      const ids: number[] = [];
      for (const { file, sheet } of chosen) {
        const answer =
          sheet === undefined
            ? await sent(file, (asking) => startImport({ file, kind, mode }, simular, asking, expected))
            : await api.post<ImportStarted>(IMPORTS, {
                ...sheetImportOf(sheet),
                simular,
                ...(expected !== undefined && { expected }),
              });
        if (!answer.ok) return answer;
        ids.push(answer.value.id);
        // Started files are removed, so that a retry sends only the others.
        if (!simular) put({ chosen: nowRef.current.chosen.filter((one) => one.file !== file) });
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
      // The mapping of a sheet depends on the kind of its rows.
      const { chosen } = nowRef.current;
      if (chosen.some(({ sheet }) => sheet !== undefined)) void choose(pickedRef.current);
    },
    change: (index, changed) => put({ chosen: nowRef.current.chosen.with(index, changed) }),
  };
}

const done = (value: Started): Result<Started> => ({ ok: true, value, headers: new Headers() });
