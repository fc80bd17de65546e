/** Bar of the list while its cells are edited: what changed, the dry run, and the way to discard it. */
import type { JSX } from 'preact';
import type { ImportStarted, PagedProduct } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useOpenImport } from '../api/use-open-import.ts';
import { sheetOf } from '../corrigir/each-sheet.ts';
import { IMPORTS } from '../importar/kinds.ts';
import type { CellEditing } from '../kit/list/cell-editing.tsx';
import { ErrorAlert } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { withCount } from '../words.ts';
import type { ProductFill } from './cells.ts';

export function CellsBar({
  company,
  editing,
  fills,
}: {
  readonly company: string;
  readonly editing: CellEditing<PagedProduct>;
  readonly fills: readonly ProductFill[];
}): JSX.Element {
  const { rows, count, form, setOn, choices, error } = editing;
  const openImport = useOpenImport();
  const check = async (): Promise<void> => {
    const changed = fills.filter(({ target }) => rows.some(({ cells }) => target in cells));
    // Each row has the text of all these columns, so that an empty cell means an emptied one.
    const filled = rows.map(({ row, cells }) => ({
      product: row,
      cells: changed.map(({ target, currentText }) => cells[target] ?? currentText(row)),
    }));
    const body = sheetOf(company, changed, filled, { reactivate: false, empty: 'apagar' });
    const started = await form.submit(() => api.post<ImportStarted>(IMPORTS, body));
    if (started !== undefined) openImport(started.id, company);
  };
  return (
    <div class="cells-bar">
      {choices}
      <p role="status">
        {count === 0
          ? 'Escreva nas células ou cole uma coluna. Enter desce, Escape devolve o que havia.'
          : `${withCount(count, 'célula alterada', 'células alteradas')} em ${withCount(rows.length, 'produto', 'produtos')}; nada foi gravado.`}
      </p>
      <Actions>
        <Button small kind="primary" isBusy={form.isBusy} disabled={count === 0} onPress={() => void check()}>
          Conferir sem gravar
        </Button>
        <Button
          small
          onPress={() => {
            form.reset();
            setOn(false);
          }}
        >
          {count === 0 ? 'Terminar' : 'Descartar'}
        </Button>
      </Actions>
      <ErrorAlert error={form.error} />
      <ErrorAlert error={error} />
    </div>
  );
}
