/** Import form: the files, then their kind and mode. */
import { Notice } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { FileDrop } from '../ui/file-drop.tsx';
import { Choice } from '../ui/select.tsx';
import type { ChosenFile } from './chosen-file.ts';
import { KINDS, type ImportKind, type ImportMode, kindInWords } from './kinds.ts';

const MODES: readonly { readonly value: ImportMode; readonly label: string; readonly hint: string }[] = [
  {
    value: 'lote',
    label: 'Lote',
    hint: 'Cada item inclui, cria versão, retifica ou desativa, como na operação em lote.',
  },
  {
    value: 'espelho',
    label: 'Espelho',
    hint: 'Mantém código e versão do arquivo. Para trazer um catálogo exportado.',
  },
];

export interface ImportChoices {
  readonly kind: ImportKind;
  readonly mode: ImportMode;
}

export interface ImportFieldsProps extends ImportChoices {
  readonly chosenFiles: readonly ChosenFile[];
  /** Members of zips that are not imported. */
  readonly leftOut: readonly string[];
  readonly isBusy: boolean;
  readonly onKind: (kind: ImportKind) => void;
  readonly onMode: (mode: ImportMode) => void;
  readonly onFiles: (files: readonly File[]) => void;
}

export function ImportFields(props: ImportFieldsProps) {
  const { kind, mode, chosenFiles, leftOut, isBusy, onKind, onMode, onFiles } = props;
  const other = chosenFiles.find(({ detectedKind }) => detectedKind !== null && detectedKind !== kind);
  // A sheet always includes and changes records, so it has no mode.
  const hasItems = chosenFiles.some(({ sheet }) => sheet === undefined);
  const exported = chosenFiles.find(({ isExport }) => isExport);
  return (
    <>
      <FileDrop
        title="Solte aqui arquivos JSON, ZIP, XLSX ou CSV"
        accept=".json,.zip,.xlsx,.xlsm,.csv,.tsv,.txt"
        files={chosenFiles.map(({ file }) => file)}
        multiple
        disabled={isBusy}
        onFiles={onFiles}
      />
      {leftOut.length > 0 && (
        <Notice tone="warn">
          <p>Ficam de fora, por não serem JSON nem planilha: {leftOut.join(', ')}.</p>
        </Notice>
      )}
      <Choice
        label="O que há no arquivo"
        name="kind"
        options={KINDS}
        value={kind}
        onChange={onKind}
        disabled={isBusy}
      />
      {hasItems && (
        <Choice label="Modo" name="mode" options={MODES} value={mode} onChange={onMode} disabled={isBusy} />
      )}
      {other !== undefined && other.detectedKind !== null && (
        <Notice tone="warn">
          <p>
            “{other.file.name}” parece um arquivo de <strong>{kindInWords(other.detectedKind)}</strong>.
          </p>
          <Button small onPress={() => onKind(other.detectedKind ?? kind)}>
            Mudar para {kindInWords(other.detectedKind)}
          </Button>
        </Notice>
      )}
      {exported !== undefined && mode === 'lote' && (
        <Notice tone="calm">
          <p>
            “{exported.file.name}” traz códigos e versões, como um catálogo exportado. No modo Lote seus itens
            viram novas versões do que já existe; no Espelho mantêm código e versão.
          </p>
          <Button small onPress={() => onMode('espelho')}>
            Usar Espelho
          </Button>
        </Notice>
      )}
    </>
  );
}
