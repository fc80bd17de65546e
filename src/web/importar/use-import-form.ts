/** The state of the import form: what is meant, the chosen files, and their way to the server. */
import { useRef, useState } from 'preact/hooks';
import type { ImportProgress } from '../api/answers.ts';
import { type Action, useAction } from '../api/use-action.ts';
import { ABORTED } from '../api/client.ts';
import { type Result, faultOf } from '../api/result.ts';
import { type Chosen, lookAt, uploadFrom, withForms, withSheet } from './chosen.ts';
import type { ImportKind, ImportMode } from './kinds.ts';
import type { AttributeForms } from './sheet/attributes.ts';
import { rememberMapping } from './sheet/mapping.ts';
import { importedBefore, startImport } from './upload.ts';
import { NO_FORMS, useAttributeForms } from './use-attribute-forms.ts';

export interface Starting {
  readonly dryRun: boolean;
  /** Also what was imported before. */
  readonly again?: boolean;
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
  readonly forms: AttributeForms;
}

export interface ImportFormState extends Now {
  /** Files are being looked at. */
  readonly isReading: boolean;
  /** What is wrong with what was chosen; '' when nothing is. */
  readonly problem: string;
  readonly starting: Action<[Starting], Started>;
  readonly sending: Sending | undefined;
  readonly stopSending: () => void;
  readonly setKind: (kind: ImportKind) => void;
  readonly setMode: (mode: ImportMode) => void;
  readonly choose: (files: readonly File[]) => Promise<void>;
  readonly change: (at: number, changed: Chosen) => void;
}

const NOTHING_CHOSEN = 'Escolha primeiro um arquivo JSON, ZIP, XLSX ou CSV.';
const STOPPED = faultOf('O envio foi cancelado; nada deste arquivo foi importado.');

export function useImportForm(cpfCnpjRaiz: string): ImportFormState {
  const [now, setNow] = useState<Now>({ kind: 'produto', mode: 'lote', chosen: [], forms: NO_FORMS });
  const [problem, setProblem] = useState('');
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
  const formsFor = useAttributeForms(now.chosen, now.kind, (forms) => {
    const { chosen, kind } = nowRef.current;
    put({ forms, chosen: chosen.map((one) => withForms(one, kind, forms)) });
  });

  const read = async (files: readonly File[], isOvertaken: () => boolean): Promise<void> => {
    try {
      const looked = await Promise.all(files.map((file) => lookAt(file, nowRef.current.kind)));
      if (isOvertaken()) return;
      const { kind, forms } = nowRef.current;
      put({ chosen: looked.map((one) => (one.sheets.length === 0 ? one : withSheet(one, 0, kind, forms))) });
    } catch (error) {
      if (isOvertaken()) return;
      put({ chosen: [] });
      setProblem((error as Error).message); // `lookAt` says it for people
    }
  };

  const starting = useAction(async ({ dryRun, again = false }: Starting): Promise<Result<Started>> => {
    await readingRef.current;
    const { kind, mode, chosen } = nowRef.current;
    if (chosen.length === 0) {
      setProblem((said) => said || NOTHING_CHOSEN);
      return done({ ids: [] });
    }
    const forms = await formsFor(chosen, kind);
    const uploads = chosen
      .map((one) => withForms(one, kind, forms))
      .map((one) => ({ one, upload: uploadFrom(one, { kind, mode, cpfCnpjRaiz, forms }) }));
    for (const { upload } of dryRun || again ? [] : uploads) {
      const before = await importedBefore(upload);
      if (before !== undefined) return done({ before });
    }
    const ids: number[] = [];
    for (const { one, upload } of uploads) {
      const headings = one.sheets[one.sheet]?.headings;
      if (headings !== undefined) rememberMapping(kind, headings, one.mapping);
      stopRef.current = new AbortController();
      const { name, size } = upload.file;
      setSending({ name, sent: 0, total: size });
      const answer = await startImport(upload, dryRun, {
        signal: stopRef.current.signal,
        onSent: (sent, total) => setSending({ name, sent, total }),
      }).finally(() => setSending(undefined));
      if (!answer.ok) return answer.error === ABORTED ? { ok: false, error: STOPPED } : answer;
      ids.push(answer.value.id);
      // What has begun is not sent again with what has not.
      if (!dryRun) put({ chosen: nowRef.current.chosen.filter(({ file }) => file !== one.file) });
    }
    return done({ ids });
  });

  return {
    ...{ ...now, isReading, problem, starting, sending },
    stopSending: () => stopRef.current.abort(),
    setMode: (mode) => put({ mode }),
    setKind: (kind) => {
      const { chosen, forms } = nowRef.current;
      put({
        kind,
        chosen: chosen.map((one) => (one.sheets.length === 0 ? one : withSheet(one, one.sheet, kind, forms))),
      });
    },
    choose: async (files) => {
      setProblem('');
      setReading(true);
      const reading = read(files, () => readingRef.current !== reading);
      readingRef.current = reading;
      await reading;
      if (readingRef.current === reading) setReading(false);
    },
    change: (at, changed) => put({ chosen: nowRef.current.chosen.with(at, changed) }),
  };
}

const done = (value: Started): Result<Started> => ({ ok: true, value, headers: new Headers() });
