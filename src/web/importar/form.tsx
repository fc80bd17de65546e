import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useCompany } from '../api/use-company.ts';
import { Notice } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { FileDrop } from '../ui/file-drop.tsx';
import { Choice } from '../ui/select.tsx';
import type { ImportKind, ImportMode } from './model.ts';

export interface ImportRequest {
  readonly file: File;
  readonly kind: ImportKind;
  readonly mode: ImportMode;
  /** Validates everything and keeps nothing. */
  readonly dryRun: boolean;
}

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
  busy,
  onStart,
}: {
  readonly busy: boolean;
  readonly onStart: (request: ImportRequest) => void;
}): JSX.Element {
  const company = useCompany();
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
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        start(false);
      }}
    >
      <Choice
        label="O que há no arquivo"
        name="kind"
        options={KINDS}
        value={kind}
        onChange={setKind}
        disabled={busy}
      />
      <Choice label="Modo" name="mode" options={MODES} value={mode} onChange={setMode} disabled={busy} />
      <FileDrop
        title="Solte aqui um arquivo .json ou .zip"
        accept=".json,.zip,application/json,application/zip"
        files={file === undefined ? [] : [file]}
        disabled={busy}
        onFiles={([chosen]) => choose(chosen)}
      />
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
      <Actions>
        <Button type="submit" kind="primary" busy={busy}>
          Importar
        </Button>
        <Button busy={busy} onPress={() => start(true)}>
          Conferir sem gravar
        </Button>
      </Actions>
    </form>
  );
}
