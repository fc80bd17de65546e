import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ImportKind, ImportMode, ImportRequest } from '../api.ts';
import { Choice, count, Notice } from '../ui.tsx';

const KINDS: readonly { readonly value: ImportKind; readonly label: string }[] = [
  { value: 'produto', label: 'Produtos' },
  { value: 'operador-estrangeiro', label: 'Operadores estrangeiros' },
  { value: 'fabricante', label: 'Vínculos de fabricante' },
  { value: 'ato-concessorio', label: 'Atos concessórios' },
];

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

export function ImportForm({
  company,
  busy,
  onStart,
}: {
  readonly company: string;
  readonly busy: boolean;
  readonly onStart: (request: ImportRequest) => void;
}): JSX.Element {
  const [kind, setKind] = useState<ImportKind>('produto');
  const [mode, setMode] = useState<ImportMode>('lote');
  const [file, setFile] = useState<File>();
  const [problem, setProblem] = useState('');

  const choose = (chosen: File | undefined): void => {
    if (chosen === undefined) return;
    const isReadable = /\.(json|zip)$/i.test(chosen.name);
    setFile(isReadable ? chosen : undefined);
    setProblem(isReadable ? '' : `“${chosen.name}” não é um arquivo .json nem .zip.`);
  };
  const start = (dryRun: boolean): void => {
    if (file === undefined) setProblem('Escolha primeiro um arquivo .json ou .zip.');
    else onStart({ file, kind, mode, dryRun });
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        start(false);
      }}
    >
      <Choice
        legend="O que há no arquivo"
        name="kind"
        options={KINDS}
        value={kind}
        onChoose={setKind}
        disabled={busy}
      />
      <Choice legend="Modo" name="mode" options={MODES} value={mode} onChoose={setMode} disabled={busy} />
      <DropZone file={file} disabled={busy} onFile={choose} />
      <p class="muted">
        Cada item traz a própria empresa em <code>cpfCnpjRaiz</code>
        {company !== '' && (
          <>
            {' '}
            (a escolhida acima é <code>{company}</code>)
          </>
        )}
        ; itens de empresas que você não representa falham sozinhos.
      </p>
      {problem !== '' && <Notice tone="bad">{problem}</Notice>}
      <div class="actions">
        <button class="primary" disabled={busy}>
          Importar
        </button>
        <button type="button" class="quiet" disabled={busy} onClick={() => start(true)}>
          Conferir sem gravar
        </button>
      </div>
    </form>
  );
}

function DropZone({
  file,
  disabled,
  onFile,
}: {
  readonly file: File | undefined;
  readonly disabled: boolean;
  readonly onFile: (file: File | undefined) => void;
}): JSX.Element {
  const [over, setOver] = useState(false);
  return (
    <label
      class={`drop ${over ? 'over' : ''} ${file === undefined ? '' : 'filled'}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(!disabled);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (!disabled) onFile(event.dataTransfer?.files[0]);
      }}
    >
      <input
        type="file"
        accept=".json,.zip,application/json,application/zip"
        disabled={disabled}
        onChange={({ currentTarget }) => onFile(currentTarget.files?.[0])}
      />
      {file === undefined ? (
        <span>
          <strong>Solte aqui um arquivo .json ou .zip</strong>
          <br />
          <span class="muted">ou clique para escolher</span>
        </span>
      ) : (
        <span>
          <strong>{file.name}</strong>
          <br />
          <span class="muted">{size(file.size)} · clique para trocar</span>
        </span>
      )}
    </label>
  );
}

const KIB = 1024;
const MIB = 1024 * KIB;

function size(bytes: number): string {
  if (bytes < KIB) return `${count(bytes)} bytes`;
  const [amount, unit] = bytes < MIB ? [bytes / KIB, 'KiB'] : [bytes / MIB, 'MiB'];
  return `${amount.toLocaleString('pt-BR', { maximumFractionDigits: 1 })} ${unit}`;
}
