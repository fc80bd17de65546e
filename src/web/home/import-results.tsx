import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Api, ImportProgress, ImportResult } from '../api.ts';
import { count, counted, Notice, save, words } from '../ui.tsx';

/** Rows drawn at a time: a table of many thousands would stall the page. */
const PAGE_ROWS = 100;

/** Results fetched at a time; of more, errors.csv is the better reading. */
const RESULTS_MAX = 10_000;

const OUTCOME: Readonly<Record<ImportResult['outcome'], string>> = {
  created: 'Incluído',
  newVersion: 'Nova versão',
  unchanged: 'Sem mudança',
  failed: 'Erro',
};

/** What became of each item; those with errors first, since they are what there is to do. */
export function ImportResults({
  api,
  progress: { id, processed, failed },
  onRepeat,
  onClose,
}: {
  readonly api: Api;
  readonly progress: ImportProgress;
  /** Imports for real what was only checked. */
  readonly onRepeat: (() => void) | undefined;
  readonly onClose: () => void;
}): JSX.Element {
  const [results, setResults] = useState<readonly ImportResult[]>([]);
  const [onlyFailed, setOnlyFailed] = useState(failed > 0);
  const [rows, setRows] = useState(PAGE_ROWS);
  const [fault, setFault] = useState('');

  const isTooLong = (onlyFailed ? failed : processed) > RESULTS_MAX;
  useEffect(() => {
    let left = false;
    if (isTooLong) setResults([]);
    else
      api.importResults(id, onlyFailed).then(
        (rows) => left || setResults(rows),
        (refusal) => left || setFault(words(refusal)),
      );
    return () => {
      left = true;
    };
  }, [api, id, onlyFailed, isTooLong]);

  return (
    <div class="results">
      <div class="actions">
        {onRepeat !== undefined && (
          <button type="button" class="primary" onClick={onRepeat}>
            Importar agora
          </button>
        )}
        {failed > 0 && (
          <button
            type="button"
            class="quiet"
            onClick={() => void api.importErrors(id).then(save, (refusal) => setFault(words(refusal)))}
          >
            Baixar errors.csv
          </button>
        )}
        <button type="button" class="quiet" onClick={onClose}>
          Fechar
        </button>
        {failed > 0 && (
          <label class="check">
            <input
              type="checkbox"
              checked={onlyFailed}
              onChange={({ currentTarget }) => setOnlyFailed(currentTarget.checked)}
            />
            <span>Só os itens com erro</span>
          </label>
        )}
      </div>
      {fault !== '' && <Notice tone="bad">{fault}</Notice>}
      {isTooLong && (
        <Notice tone="calm">
          São mais de {count(RESULTS_MAX)} itens, muitos para uma página.
          {failed > 0 && ' Os erros de todos estão em errors.csv.'}
        </Notice>
      )}
      {results.length > 0 && <ResultTable results={results.slice(0, rows)} />}
      {results.length > rows && (
        <button type="button" class="quiet" onClick={() => setRows(rows + PAGE_ROWS)}>
          Mostrar mais ({counted(results.length - rows, 'item', 'itens')})
        </button>
      )}
    </div>
  );
}

function ResultTable({ results }: { readonly results: readonly ImportResult[] }): JSX.Element {
  return (
    <table>
      <caption class="hidden">Resultado de cada item</caption>
      <thead>
        <tr>
          <th scope="col">Nome</th>
          <th scope="col">Onde está</th>
          <th scope="col">seq</th>
          <th scope="col">Código</th>
          <th scope="col">Versão</th>
          <th scope="col">Resultado</th>
          <th scope="col">O que corrigir</th>
        </tr>
      </thead>
      <tbody>
        {results.map(({ index, seq, codigo, versao, outcome, errors, name, file, line, problems }) => (
          <tr key={index} class={outcome}>
            <td data-label="Nome">{name ?? '–'}</td>
            <td data-label="Onde está">
              {file}, linha {line}
            </td>
            <td data-label="seq">{seq ?? '–'}</td>
            <td data-label="Código">{codigo ?? '–'}</td>
            <td data-label="Versão">{versao ?? '–'}</td>
            <td data-label="Resultado">
              <span class="outcome">{OUTCOME[outcome]}</span>
            </td>
            <td data-label="O que corrigir" class="errors">
              {errors.length === 0 ? (
                '–'
              ) : (
                <ul>
                  {errors.map((error, at) => (
                    <li key={at}>
                      {error}
                      {(problems[at]?.path ?? '') !== '' && <code> {problems[at]?.path}</code>}
                    </li>
                  ))}
                </ul>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
