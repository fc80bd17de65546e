/**
 * Grid with one value per row. Enter and arrow keys move between rows. A spreadsheet column can be pasted.
 * Typed values survive a new sign-in, until they are sent or discarded (contract section 2).
 */
import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useRef } from 'preact/hooks';
import type { Result } from '../../api/result.ts';
import { useForm } from '../../api/use-form.ts';
import { ErrorAlert } from '../../ui/alert.tsx';
import { Actions, Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { instead } from '../../ui/form.tsx';
import { withCount } from '../../words.ts';
import { type Cells, EACH_MAX, type Fill, completeValue, isFilled, isRefused, withPasted } from './cells.ts';

export interface EachRow {
  /** Number of the row, as in `produto 7`. */
  readonly number: number;
  readonly name: string;
  /** Returns the current value of a target. */
  readonly currentOf: (target: string) => string;
}

export interface EachDialogProps<T> {
  /** Storage key of the typed values: it names the rows. */
  readonly storageKey: string;
  /** `produto`, `produtos` */
  readonly words: readonly [singular: string, plural: string];
  readonly rows: readonly EachRow[];
  readonly fills: readonly Fill[];
  readonly submit: string;
  /** Values that were filled in before. Absent: none. */
  readonly initial?: Cells;
  /** Takes the values: a request, or the form of the page. */
  readonly send: (cells: Cells) => Promise<Result<T>>;
  readonly onDone: (value: T) => void;
  readonly onClose: () => void;
  /** Text above the grid. */
  readonly note?: ComponentChildren;
  /** Further fields below the grid. */
  readonly children?: ComponentChildren;
}

export function EachDialog<T>(props: EachDialogProps<T>) {
  const { storageKey, words, rows, fills, initial, send, onDone, onClose } = props;
  const [singular, plural] = words;
  const form = useForm<{ readonly cells: Cells }>(
    { cells: initial ?? rows.map(() => fills.map(() => '')) },
    { storageKey: `cada.${storageKey}` },
  );
  const { cells } = form.values;
  const setCells = (change: (before: Cells) => Cells): void =>
    form.set((before) => ({ cells: change(before.cells) }));
  const isEmpty = !isFilled(cells) && !isFilled(initial ?? []);
  const completedCells = (): Cells =>
    cells.map((row) => row.map((cell, column) => completeValue(cell, fills[column]?.accepted ?? null)));
  const submit = async (): Promise<void> => {
    const value = await form.submit(() => send(completedCells()));
    if (value !== undefined) onDone(value);
  };
  const close = (): void => {
    form.reset();
    onClose();
  };
  const fillIn = (): void =>
    setCells((before) =>
      before.map((row) => row.map((cell, index) => (cell === '' ? (before[0]?.[index] ?? '') : cell))),
    );
  return (
    <Dialog title="Cada um o seu valor" wide onClose={close}>
      <form class="stack" onSubmit={instead(submit)}>
        <p>
          {withCount(rows.length, singular, plural)}
          {rows.length === EACH_MAX && ', os primeiros: de mais, use a planilha'}. O que ficar em branco fica
          como está. Uma coluna copiada de uma planilha pode ser colada a partir de qualquer linha.
        </p>
        {props.note}
        <Grid singular={singular} rows={rows} fills={fills} cells={cells} setCells={setCells} />
        {props.children}
        <ErrorAlert error={form.error} />
        <Actions>
          <Button type="submit" kind="primary" isBusy={form.isBusy} disabled={isEmpty}>
            {props.submit}
          </Button>
          <Button disabled={!isFilled(cells.slice(0, 1))} onPress={fillIn}>
            Preencher em todas
          </Button>
          <Button onPress={close}>Cancelar</Button>
        </Actions>
      </form>
    </Dialog>
  );
}

interface GridProps extends Pick<EachDialogProps<unknown>, 'rows' | 'fills'> {
  readonly singular: string;
  readonly cells: Cells;
  readonly setCells: (change: (before: Cells) => Cells) => void;
}

function Grid({ singular, rows, fills, cells, setCells }: GridProps) {
  const gridRef = useRef<HTMLTableElement>(null);
  const put = (row: number, column: number, change: (cell: string) => string): void =>
    setCells((before) => {
      const own = before[row] ?? [];
      return before.with(row, own.with(column, change(own[column] ?? '')));
    });
  const move = (event: TargetedKeyboardEvent<HTMLInputElement>, row: number, column: number): void => {
    const step = ROW_STEPS[event.key];
    if (step === undefined || event.isComposing) return;
    const next = gridRef.current?.querySelector<HTMLInputElement>(`[data-cell="${row + step} ${column}"]`);
    // After the last row, Enter presses the button.
    if (next === null || next === undefined) return;
    event.preventDefault();
    next.focus();
    next.select();
  };
  return (
    <div class="each">
      <table class="table" ref={gridRef}>
        <caption class="hidden">O valor de cada {singular}</caption>
        <thead>
          <tr>
            <th scope="col">{singular.charAt(0).toUpperCase() + singular.slice(1)}</th>
            {fills.map(({ target, heading }) => (
              <th key={target} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ number, name, currentOf }, row) => (
            <tr key={number}>
              <th scope="row">
                <span class="code">{number}</span> <bdi>{name}</bdi>
              </th>
              {fills.map(({ target, heading, accepted }, column) => {
                const cell = cells[row]?.[column] ?? '';
                const isWrong = isRefused(completeValue(cell, accepted), accepted);
                return (
                  <td key={target} class={`field${isWrong ? ' wrong' : ''}`}>
                    <input
                      aria-label={`${heading}, ${singular} ${number}`}
                      aria-invalid={isWrong ? 'true' : undefined}
                      data-cell={`${row} ${column}`}
                      autocomplete="off"
                      placeholder={currentOf(target)}
                      value={cell}
                      onInput={({ currentTarget: { value } }) => put(row, column, () => value)}
                      onBlur={() => put(row, column, (typed) => completeValue(typed, accepted))}
                      onKeyDown={(event) => move(event, row, column)}
                      onPaste={(event) => {
                        const text = event.clipboardData?.getData('text/plain') ?? '';
                        if (!/[\t\n]/.test(text)) return;
                        event.preventDefault();
                        setCells((before) => withPasted(before, text, row, column));
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
  );
}

const ROW_STEPS: Readonly<Record<string, number>> = { Enter: 1, ArrowDown: 1, ArrowUp: -1 };
