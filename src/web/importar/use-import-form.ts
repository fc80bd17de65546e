/** The state of the import form: what is meant, the chosen files, and their way to the server. */
import { useState } from 'preact/hooks';
import { type Action, useAction } from '../api/use-action.ts';
import type { Result } from '../api/result.ts';
import { type Chosen, fileToSend, lookAt, withSheet } from './chosen.ts';
import type { Import, ImportKind, ImportMode } from './model.ts';
import type { AttributeForms } from './sheet/attributes.ts';
import { rememberMapping } from './sheet/mapping.ts';
import { type Upload, importedBefore, startImport } from './upload.ts';
import { useAttributeForms } from './use-attribute-forms.ts';

export interface ImportFormState {
  readonly kind: ImportKind;
  readonly mode: ImportMode;
  readonly chosen: readonly Chosen[];
  readonly forms: AttributeForms;
  /** What is wrong with what was chosen; '' when nothing is. */
  readonly problem: string;
  readonly starting: Pick<Action<[boolean], unknown>, 'busy' | 'error'>;
  readonly setKind: (kind: ImportKind) => void;
  readonly setMode: (mode: ImportMode) => void;
  readonly choose: (files: readonly File[]) => Promise<void>;
  readonly change: (at: number, changed: Chosen) => void;
  /** The numbers of the imports that began, one for each file. */
  readonly start: (dryRun: boolean) => Promise<readonly number[]>;
  readonly importedBefore: () => Promise<Import | undefined>;
}

const NOTHING_CHOSEN = 'Escolha primeiro um arquivo JSON, ZIP, XLSX ou CSV.';

export function useImportForm(cpfCnpjRaiz: string): ImportFormState {
  const [kind, setKind] = useState<ImportKind>('produto');
  const [mode, setMode] = useState<ImportMode>('lote');
  const [chosen, setChosen] = useState<readonly Chosen[]>([]);
  const [problem, setProblem] = useState('');
  const forms = useAttributeForms(chosen, kind);

  const uploads = (): readonly Upload[] =>
    chosen.map((one) => ({ file: fileToSend(one, { kind, cpfCnpjRaiz, forms }), kind, mode }));

  const starting = useAction(async (dryRun: boolean): Promise<Result<readonly number[]>> => {
    const started: number[] = [];
    for (const upload of uploads()) {
      const answer = await startImport(upload, dryRun);
      if (!answer.ok) return answer;
      started.push(answer.value.id);
    }
    return { ok: true, value: started, headers: new Headers() };
  });

  const isChosen = (): boolean => {
    setProblem(chosen.length === 0 ? NOTHING_CHOSEN : '');
    return chosen.length > 0;
  };

  return {
    ...{ kind, mode, chosen, forms, problem, starting, setMode },
    setKind: (next) => {
      setKind(next);
      setChosen(
        chosen.map((one) => (one.sheets.length === 0 ? one : withSheet(one, one.sheet, next, forms))),
      );
    },
    choose: async (files) => {
      try {
        setChosen(await Promise.all(files.map((file) => lookAt(file, kind))));
        setProblem('');
      } catch (error) {
        setChosen([]);
        setProblem((error as Error).message); // `lookAt` says it for people
      }
    },
    change: (at, changed) => setChosen(chosen.with(at, changed)),
    start: async (dryRun) => {
      if (!isChosen()) return [];
      for (const { sheets, sheet, mapping } of chosen) {
        const headings = sheets[sheet]?.headings;
        if (headings !== undefined) rememberMapping(kind, headings, mapping);
      }
      return (await starting.run(dryRun)) ?? [];
    },
    importedBefore: async () => {
      for (const upload of isChosen() ? uploads() : []) {
        const known = await importedBefore(upload);
        if (known !== undefined) return known;
      }
      return undefined;
    },
  };
}
