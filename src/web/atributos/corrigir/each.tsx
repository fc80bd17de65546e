/** A grid in which each product is given its own value: Enter and the arrows go from row to row, a column of a spreadsheet is pasted. */
import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { ImportStarted, PagedProduct } from '../../api/answers.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { useGo } from '../../api/use-go.ts';
import { IMPORTS } from '../../importar/kinds.ts';
import { ErrorAlert, Notice } from '../../ui/alert.tsx';
import { Actions, Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { instead } from '../../ui/form.tsx';
import { count } from '../../words.ts';
import { type Cells, EACH_MAX, isFilled, isRefused, meant, pasted, sheetOf } from './each-sheet.ts';
import { type Fill, nowIn } from './mending.ts';

export interface EachProps {
  readonly company: string;
  readonly products: readonly PagedProduct[];
  readonly fills: readonly Fill[];
  /** They are deactivated. */
  readonly isToActivate: boolean;
  /** As long as nobody says otherwise. */
  readonly activates: boolean;
  readonly note: string | undefined;
  readonly onClose: () => void;
}

export function Each(props: EachProps): JSX.Element {
  const { company, products, fills, isToActivate, note, onClose } = props;
  const [cells, setCells] = useState<Cells>(() => products.map(() => fills.map(() => '')));
  const [activates, setActivates] = useState(props.activates);
  const gridRef = useRef<HTMLTableElement>(null);
  const go = useGo();
  const trying = useAction(
    (body: FormData) => api.post<ImportStarted>(IMPORTS, body),
    ({ id }) => go(`/importar/${id}?cpfCnpjRaiz=${company}`),
  );
  const put = (row: number, column: number, cell: string): void =>
    setCells((before) => before.with(row, (before[row] ?? []).with(column, cell)));
  const settle = (row: number, column: number): void =>
    setCells((before) => {
      const cell = meant(before[row]?.[column] ?? '', fills[column]?.accepted ?? null);
      return before.with(row, (before[row] ?? []).with(column, cell));
    });
  const settled = (): Cells =>
    cells.map((row) => row.map((cell, column) => meant(cell, fills[column]?.accepted ?? null)));
  const move = (event: TargetedKeyboardEvent<HTMLInputElement>, row: number, column: number): void => {
    const way = WAYS[event.key];
    if (way === undefined || event.isComposing) return;
    const next = gridRef.current?.querySelector<HTMLInputElement>(`[data-cell="${row + way} ${column}"]`);
    // Behind the last row Enter is the button.
    if (next === null || next === undefined) return;
    event.preventDefault();
    next.focus();
    next.select();
  };
  const [first = []] = cells;
  return (
    <Dialog title="Cada um o seu valor" wide onClose={onClose}>
      <form
        class="stack"
        onSubmit={instead(() => void trying.run(sheetOf(company, products, fills, settled(), activates)))}
      >
        <p>
          {count(products.length)} {products.length === 1 ? 'produto' : 'produtos'}
          {products.length === EACH_MAX && ', os primeiros: de mais, use a planilha'}. O que ficar em branco
          fica como está. Uma coluna copiada de uma planilha pode ser colada a partir de qualquer linha.
        </p>
        {note !== undefined && <Notice tone="calm">{note}</Notice>}
        <div class="each">
          <table class="table" ref={gridRef}>
            <caption class="hidden">O valor de cada produto</caption>
            <thead>
              <tr>
                <th scope="col">Produto</th>
                {fills.map(({ target, heading }) => (
                  <th key={target} scope="col">
                    {heading}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {products.map((product, row) => (
                <tr key={product.codigo}>
                  <th scope="row">
                    <span class="code">{product.codigo}</span> <bdi>{product.denominacao}</bdi>
                  </th>
                  {fills.map(({ target, heading, accepted }, column) => {
                    const cell = cells[row]?.[column] ?? '';
                    return (
                      <td
                        key={target}
                        class={`field${isRefused(meant(cell, accepted), accepted) ? ' wrong' : ''}`}
                      >
                        <input
                          aria-label={`${heading} do produto ${product.codigo}`}
                          aria-invalid={isRefused(meant(cell, accepted), accepted) ? 'true' : undefined}
                          data-cell={`${row} ${column}`}
                          autocomplete="off"
                          placeholder={nowIn(product, target)}
                          value={cell}
                          onInput={({ currentTarget }) => put(row, column, currentTarget.value)}
                          onBlur={() => settle(row, column)}
                          onKeyDown={(event) => move(event, row, column)}
                          onPaste={(event) => {
                            const text = event.clipboardData?.getData('text/plain') ?? '';
                            if (!/[\t\n]/.test(text)) return;
                            event.preventDefault();
                            setCells((before) => pasted(before, text, row, column));
                          }}
                        />
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {isToActivate && (
          <Checkbox label="Ativar os que estão desativados" value={activates} onChange={setActivates} />
        )}
        <ErrorAlert error={trying.error} />
        <Actions>
          <Button type="submit" kind="primary" busy={trying.busy} disabled={!isFilled(cells)}>
            Conferir sem gravar
          </Button>
          <Button
            disabled={!isFilled([first])}
            onPress={() =>
              setCells((before) =>
                before.map((row) => row.map((cell, at) => (cell === '' ? (first[at] ?? '') : cell))),
              )
            }
          >
            Preencher em todas
          </Button>
          <Button onPress={onClose}>Cancelar</Button>
        </Actions>
      </form>
    </Dialog>
  );
}

const WAYS: Readonly<Record<string, number>> = { Enter: 1, ArrowDown: 1, ArrowUp: -1 };
