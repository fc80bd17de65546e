/** Drop area for files. The keyboard reaches it as a file input. */
import { useEffect, useState } from 'preact/hooks';
import { withCount, sizeText } from '../words.ts';

export interface FileDropProps {
  /** Title: `Solte aqui um arquivo .json ou .zip`. */
  readonly title: string;
  /** Same as in `<input type=file>`. */
  readonly accept: string;
  readonly files: readonly File[];
  readonly multiple?: boolean;
  readonly disabled?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

export function FileDrop(props: FileDropProps) {
  const { title, accept, files, multiple = false, disabled = false, onFiles } = props;
  const [isDragOver, setDragOver] = useState(false);
  useMissedDrops();
  const take = (list: FileList | null | undefined): void => {
    const newFiles = [...(list ?? [])];
    if (newFiles.length > 0) onFiles(multiple ? newFiles : newFiles.slice(0, 1));
  };
  const [first] = files;
  return (
    <label
      class={`drop ${isDragOver ? 'over' : ''} ${first === undefined ? '' : 'filled'}`}
      onDragOver={(event) => {
        event.preventDefault();
        setDragOver(!disabled);
      }}
      onDragLeave={() => setDragOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setDragOver(false);
        if (!disabled) take(event.dataTransfer?.files);
      }}
    >
      <input
        type="file"
        accept={accept}
        multiple={multiple}
        disabled={disabled}
        // Without this, selecting the same name again with new content would not fire `change`.
        onClick={({ currentTarget }) => {
          currentTarget.value = '';
        }}
        onChange={({ currentTarget }) => take(currentTarget.files)}
      />
      {first === undefined ? (
        <span>
          <strong>{title}</strong>
          <br />
          <span class="muted">ou clique para escolher</span>
        </span>
      ) : (
        <span>
          <strong>{files.length === 1 ? first.name : withCount(files.length, 'arquivo', 'arquivos')}</strong>
          <br />
          <span class="muted">
            {sizeText(files.reduce((sum, file) => sum + file.size, 0))} · clique para trocar
          </span>
        </span>
      )}
    </label>
  );
}

/** Ignores a file that is dropped outside: a browser would leave the page to show it. */
function useMissedDrops(): void {
  useEffect(() => {
    const refuse = (event: DragEvent): void => event.preventDefault();
    addEventListener('dragover', refuse);
    addEventListener('drop', refuse);
    return () => {
      removeEventListener('dragover', refuse);
      removeEventListener('drop', refuse);
    };
  }, []);
}
