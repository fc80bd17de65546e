import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useResource } from '../../api/use-resource.ts';
import { Notice } from '../../ui/alert.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Actions, Button } from '../../ui/button.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { Fetched } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { count, counted } from '../../words.ts';
import { IMPORTS, type Import, type ImportResult } from '../model.ts';

/** Rows drawn at a time: a table of many thousands would stall the page. */
const PAGE_ROWS = 100;

/** Results fetched at a time; of more, errors.csv is the better reading. */
const RESULTS_MAX = 10_000;

const OUTCOME = {
  created: ['Incluído', 'good', 'plus'],
  newVersion: ['Nova versão', 'good', 'check'],
  unchanged: ['Sem mudança', 'muted', 'dash'],
  failed: ['Erro', 'bad', 'cross'],
} as const;

/** What became of each item; those with errors first, since they are what there is to do. */
export function ImportResults({ job: { id, processed, failed } }: { readonly job: Import }): JSX.Element {
  const [onlyFailed, setOnlyFailed] = useState(failed > 0);
  const [rows, setRows] = useState(PAGE_ROWS);
  const isTooLong = (onlyFailed ? failed : processed) > RESULTS_MAX;
  const results = useResource<readonly ImportResult[]>(isTooLong ? undefined : `${IMPORTS}/${id}/results`, {
    query: { outcome: onlyFailed ? 'failed' : '' },
  });
  return (
    <div class="stack">
      {failed > 0 && (
        <Actions>
          <DownloadButton path={`${IMPORTS}/${id}/errors.csv`} fallbackName="errors.csv">
            Baixar CSV
          </DownloadButton>
          <Checkbox label="Só os itens com erro" value={onlyFailed} onChange={setOnlyFailed} />
        </Actions>
      )}
      {isTooLong ? (
        <Notice tone="calm">
          São mais de {count(RESULTS_MAX)} itens, muitos para uma página.
          {failed > 0 && ' Os erros de todos estão no CSV.'}
        </Notice>
      ) : (
        <Fetched of={results}>
          {(all) => (
            <>
              <Table
                caption="Resultado de cada item"
                columns={COLUMNS}
                rows={all.slice(0, rows)}
                rowKey={({ index }) => index}
              />
              {all.length > rows && (
                <Button onPress={() => setRows(rows + PAGE_ROWS)}>
                  Mostrar mais ({counted(all.length - rows, 'item', 'itens')})
                </Button>
              )}
            </>
          )}
        </Fetched>
      )}
    </div>
  );
}

const COLUMNS: readonly Column<ImportResult>[] = [
  { key: 'name', title: 'Nome', cell: ({ name }) => name ?? '–' },
  { key: 'where', title: 'Onde está', cell: ({ file, line }) => `${file}, linha ${line}` },
  { key: 'seq', title: 'seq', cell: ({ seq }) => seq ?? '–' },
  { key: 'codigo', title: 'Código', cell: ({ codigo }) => codigo ?? '–' },
  { key: 'versao', title: 'Versão', cell: ({ versao }) => versao ?? '–' },
  { key: 'outcome', title: 'Resultado', cell: ({ outcome }) => <Outcome outcome={outcome} /> },
  { key: 'errors', title: 'O que corrigir', cell: (result) => <Problems {...result} /> },
];

function Outcome({ outcome }: Pick<ImportResult, 'outcome'>): JSX.Element {
  const [text, tone, icon] = OUTCOME[outcome];
  return (
    <Badge tone={tone} icon={icon}>
      {text}
    </Badge>
  );
}

function Problems({ errors, problems }: ImportResult): JSX.Element {
  if (errors.length === 0) return <>–</>;
  return (
    <ul class="plain">
      {errors.map((error, at) => (
        <li key={at}>
          {error} {(problems[at]?.path ?? '') !== '' && <code>{problems[at]?.path}</code>}
        </li>
      ))}
    </ul>
  );
}
