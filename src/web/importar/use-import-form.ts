/** State of the import form: kind, mode, selected files and upload. */
import { useRef, useState } from 'preact/hooks';
import type { ImportProgress, ImportStarted } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { type Action, useAction } from '../api/use-action.ts';
import { ABORTED, type RequestOptions } from '../api/client.ts';
import { type ApiError, type Result, faultOf, resultOf } from '../api/result.ts';
import { type ChosenFile, inspectFile, sheetImportOf } from './chosen-file.ts';
import { IMPORTS, type ImportKind, type ImportMode } from './kinds.ts';
import { rowNumbersIn } from './row-numbers.ts';
import { unzipped } from './unzipped.ts';
import { digestOf, importedBefore, startImport } from './upload.ts';

export interface StartRequest {
  /**
   * Rows of a sheet are always checked first; their import starts on the page of the result (contract section
   * 17).
   */
  readonly dryRun: boolean;
  /** True to import content that was imported before. */
  readonly again?: boolean;
  /** Expected numbers that a refusal requested. */
  readonly expected?: object | undefined;
}

/** Result of a start. */
export type StartResult = { readonly ids: readonly number[] } | { readonly earlierImport: ImportProgress };

/** Upload in progress. */
export interface Sending {
  readonly name: string;
  readonly sent: number;
  readonly total: number;
}

interface ImportSelection {
  readonly kind: ImportKind;
  readonly mode: ImportMode;
  readonly chosenFiles: readonly ChosenFile[];
  /** Members of zips that are not imported. */
  readonly leftOut: readonly string[];
}

export interface ImportFormState extends ImportSelection {
  /** True while files are inspected. */
  readonly isReading: boolean;
  /** Problem of the selection. */
  readonly problem: ApiError | undefined;
  readonly starting: Action<[StartRequest], StartResult>;
  readonly sending: Sending | undefined;
  readonly stopSending: () => void;
  readonly setKind: (kind: ImportKind) => void;
  readonly setMode: (mode: ImportMode) => void;
  readonly choose: (files: readonly File[]) => Promise<void>;
  readonly change: (index: number, changed: ChosenFile) => void;
}

const NOTHING_CHOSEN = faultOf('Escolha primeiro um arquivo JSON, ZIP, XLSX ou CSV.');
const NO_MIRROR = faultOf(
  'O modo Espelho é de arquivos JSON e ZIP; escolha Lote, ou importe as planilhas à parte.',
);
const NO_ROWS = faultOf('As linhas a deixar de fora são números e intervalos: 3, 10-12. Corrija o campo.');
const STOPPED = faultOf('O envio foi cancelado; nada deste arquivo foi importado.');

export function useImportForm(cpfCnpjRaiz: string): ImportFormState {
  const [selection, setSelection] = useState<ImportSelection>({
    kind: 'produto',
    mode: 'lote',
    chosenFiles: [],
    leftOut: [],
  });
  const [problem, setProblem] = useState<ApiError>();
  const [isReading, setReading] = useState(false);
  const [sending, setSending] = useState<Sending>();
  // Inspection takes time. It uses the latest values, rendered or not.
  const selectionRef = useRef(selection);
  const pickedRef = useRef<readonly File[]>([]);
  const readingRef = useRef(Promise.resolve());
  const stopRef = useRef(new AbortController());
  const update = (changes: Partial<ImportSelection>): void => {
    selectionRef.current = { ...selectionRef.current, ...changes };
    setSelection(selectionRef.current);
  };
  const sendTracked = async <T>(
    { name, size }: File,
    send: (requestOptions: RequestOptions) => Promise<Result<T>>,
  ) => {
    stopRef.current = new AbortController();
    setSending({ name, sent: 0, total: size });
    const answer = await send({
      signal: stopRef.current.signal,
      onSent: (bytes, total) => setSending({ name, sent: bytes, total }),
    }).finally(() => setSending(undefined));
    return !answer.ok && answer.error === ABORTED ? { ok: false as const, error: STOPPED } : answer;
  };

  const read = async (files: readonly File[], isSuperseded: () => boolean): Promise<void> => {
    const chosenFiles: ChosenFile[] = [];
    const contents = await Promise.all(files.map(unzipped));
    const leftOut = contents.flatMap((content) => content.leftOut);
    for (const file of contents.flatMap((content) => content.files)) {
      const inspected = await sendTracked(file, (requestOptions) =>
        inspectFile(file, selectionRef.current.kind, cpfCnpjRaiz, requestOptions),
      );
      if (isSuperseded()) return;
      if (!inspected.ok) {
        update({ chosenFiles: [], leftOut: [] });
        return setProblem(inspected.error);
      }
      chosenFiles.push(inspected.value);
    }
    update({ chosenFiles, leftOut });
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
    async ({ dryRun, again = false, expected }: StartRequest): Promise<Result<StartResult>> => {
      await readingRef.current;
      const { kind, mode, chosenFiles } = selectionRef.current;
      if (chosenFiles.length === 0) {
        setProblem((before) => before ?? NOTHING_CHOSEN);
        return resultOf({ ids: [] });
      }
      const sheets = chosenFiles.filter(({ sheet }) => sheet !== undefined);
      if (sheets.some(({ sheet }) => rowNumbersIn(sheet?.rowsOut ?? '') === undefined))
        return { ok: false, error: NO_ROWS };
      if (mode === 'espelho' && sheets.length > 0 && sheets.length < chosenFiles.length)
        return { ok: false, error: NO_MIRROR };
      const simular = dryRun || sheets.length > 0;
      for (const { file } of simular || again ? [] : chosenFiles) {
        // An unreadable file is reported when it is sent.
        const sha256 = await digestOf(file).catch(() => undefined);
        const earlierImport = sha256 && (await importedBefore({ sha256, tipo: kind }));
        if (earlierImport) return resultOf({ earlierImport });
      }
      const ids: number[] = [];
      for (const { file, sheet } of chosenFiles) {
        const answer =
          sheet === undefined
            ? await sendTracked(file, (requestOptions) =>
                startImport({ file, kind, mode }, simular, requestOptions, expected),
              )
            : await api.post<ImportStarted>(IMPORTS, {
                ...sheetImportOf(sheet),
                simular,
                ...(expected !== undefined && { expected }),
              });
        if (!answer.ok) return answer;
        ids.push(answer.value.id);
        // Started files are removed, so that a retry sends only the others.
        if (!simular)
          update({ chosenFiles: selectionRef.current.chosenFiles.filter((other) => other.file !== file) });
      }
      return resultOf({ ids });
    },
  );

  return {
    ...selection,
    isReading,
    problem,
    starting,
    sending,
    choose,
    stopSending: () => stopRef.current.abort(),
    setMode: (mode) => update({ mode }),
    setKind: (kind) => {
      update({ kind });
      // The mapping of a sheet depends on the kind of its rows.
      const { chosenFiles } = selectionRef.current;
      if (chosenFiles.some(({ sheet }) => sheet !== undefined)) void choose(pickedRef.current);
    },
    change: (index, changed) =>
      update({ chosenFiles: selectionRef.current.chosenFiles.with(index, changed) }),
  };
}
