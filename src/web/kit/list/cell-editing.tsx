/**
 * Edits the cells of a list in place: Enter and arrow keys move, Escape restores the earlier text, and a
 * column of a spreadsheet can be pasted. Changed cells are kept in the tab until they are sent or discarded.
 */
import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../../api/result.ts';
import { useAction } from '../../api/use-action.ts';
import { type Form, useForm } from '../../api/use-form.ts';
import { type Fill, completeValue, isRefused } from '../each/cells.ts';
import type { ListColumn } from './column-chooser.tsx';
import type { ListState } from './use-list.ts';

/** Value that the user edits, with its current text. Its target is the key of a column. */
export interface EditableFill<Row> extends Fill {
  readonly currentText: (row: Row) => string;
}

/** Changed cells of a row, by target. */
export interface EditedRow<Row> {
  readonly row: Row;
  readonly cells: Readonly<Record<string, string>>;
}

interface Edits<Row> {
  readonly edited: Readonly<Record<string, EditedRow<Row>>>;
}

export interface CellEditing<Row> {
  readonly isOn: boolean;
  readonly setOn: (isOn: boolean) => void;
  readonly rows: readonly EditedRow<Row>[];
  /** Number of changed cells. */
  readonly count: number;
  readonly form: Form<Edits<Row>>;
  /** Returns the columns, with fields in the cells that can be edited. */
  readonly columnsOf: (columns: readonly ListColumn<Row>[]) => readonly ListColumn<Row>[];
  /** Accepted values of the fields, which the page renders once. */
  readonly choices: JSX.Element;
  /** Error of the last paste over rows that were not fetched. */
  readonly error: ApiError | undefined;
}

export interface CellEditingOptions<Row> {
  readonly list: ListState<Row>;
  /** Must be the same in every render while they do not change. */
  readonly fills: readonly EditableFill<Row>[];
  /** Name of a row in the label of its fields: `produto 5`. */
  readonly nameOf: (row: Row) => string;
  /** Storage key of the changed cells. */
  readonly storageKey: string;
}

export function useCellEditing<Row>({
  list,
  fills,
  nameOf,
  storageKey,
}: CellEditingOptions<Row>): CellEditing<Row> {
  const form = useForm<Edits<Row>>({ edited: {} }, { storageKey: `celulas.${storageKey}` });
  const { edited } = form.values;
  const rows = Object.values(edited);
  const [isOn, setOn] = useState(rows.length > 0);
  const id = useId();
  const { keyOf } = list;

  const put = (row: Row, { target, currentText }: EditableFill<Row>, text: string): void =>
    form.set((before) => {
      const key = keyOf(row);
      const { [target]: _text, ...others } = before.edited[key]?.cells ?? {};
      const cells = text === currentText(row) ? others : { ...others, [target]: text };
      const { [key]: _row, ...otherRows } = before.edited;
      return {
        edited: Object.keys(cells).length === 0 ? otherRows : { ...otherRows, [key]: { row, cells } },
      };
    });
  const pasting = useAction(async (row: Row, fill: EditableFill<Row>, lines: readonly string[]) => {
    const { pages } = list;
    const from = pages.rows.indexOf(row);
    const rows = await list.rowsBetween(from, Math.min(from + lines.length, pages.total ?? 0));
    for (const [index, pastedRow] of (rows.ok ? rows.value : []).entries())
      put(pastedRow, fill, completeValue(lines[index] ?? '', fill.accepted));
    return rows;
  });
  const move = (from: HTMLElement, row: Row, target: string, step: 1 | -1): boolean => {
    const next = list.pages.rows[list.pages.rows.indexOf(row) + step];
    const table = from.closest('.virtual');
    if (next === undefined || table === null) return false;
    const field = table.querySelector<HTMLInputElement>(`[data-edit="${keyOf(next)} ${target}"]`);
    field?.focus();
    field?.select();
    return field !== null;
  };
  // The cells read the latest values, so that the columns change only with what they show.
  const actsRef = useRef({ put, paste: pasting.run, move });
  useLayoutEffect(() => {
    actsRef.current = { put, paste: pasting.run, move };
  });

  const columnsOf = useMemo(
    () =>
      (columns: readonly ListColumn<Row>[]): readonly ListColumn<Row>[] =>
        isOn
          ? columns.map((column) => {
              const fill = fills.find(({ target }) => target === column.key);
              if (fill === undefined) return column;
              const listId = `${id}-${fill.target}`;
              return {
                ...column,
                ...(column.width !== undefined && { width: column.width + FIELD_FRAME }),
                cell: (row) => {
                  // A field of one line would lose the line breaks.
                  if (fill.currentText(row).includes('\n')) return column.cell(row);
                  const typedText = edited[keyOf(row)]?.cells[fill.target];
                  return (
                    <CellField
                      key={keyOf(row)}
                      label={`${fill.heading}, ${nameOf(row)}`}
                      place={`${keyOf(row)} ${fill.target}`}
                      listId={listId}
                      fill={fill}
                      currentText={fill.currentText(row)}
                      typedText={typedText}
                      onType={(text) => actsRef.current.put(row, fill, text)}
                      onPaste={(lines) => void actsRef.current.paste(row, fill, lines)}
                      onMove={(field, step) => actsRef.current.move(field, row, fill.target, step)}
                    />
                  );
                },
              };
            })
          : columns,
    [isOn, fills, edited, keyOf, nameOf, id],
  );
  return {
    isOn,
    setOn,
    rows,
    count: rows.reduce((sum, { cells }) => sum + Object.keys(cells).length, 0),
    form,
    columnsOf,
    error: pasting.error,
    choices: (
      <>
        {isOn &&
          fills.map(({ target, accepted }) =>
            accepted === null ? null : (
              <datalist key={target} id={`${id}-${target}`}>
                {accepted.map((acceptedValue) => (
                  <option key={acceptedValue} value={acceptedValue} />
                ))}
              </datalist>
            ),
          )}
      </>
    ),
  };
}

/** Width of the frame of a field, in pixels. */
const FIELD_FRAME = 24;

interface CellFieldProps {
  readonly label: string;
  readonly place: string;
  readonly listId: string;
  readonly fill: Fill;
  readonly currentText: string;
  /** `undefined`: unchanged. */
  readonly typedText: string | undefined;
  readonly onType: (text: string) => void;
  readonly onPaste: (lines: readonly string[]) => void;
  /** Returns true if another cell got the focus. */
  readonly onMove: (field: HTMLElement, step: 1 | -1) => boolean;
}

function CellField(props: CellFieldProps) {
  const { label, place, listId, fill, currentText, typedText, onType, onPaste, onMove } = props;
  const { accepted } = fill;
  const atFocusRef = useRef(currentText);
  const isWrong = typedText !== undefined && isRefused(completeValue(typedText, accepted), accepted);
  const press = (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    // The table handles the same keys.
    event.stopPropagation();
    const { key, currentTarget, isComposing } = event;
    if (isComposing) return;
    if (key === 'Escape') return onType(atFocusRef.current);
    const step =
      key === 'Enter' ? (event.shiftKey ? -1 : 1) : accepted === null ? ARROW_STEPS[key] : undefined;
    if (step !== undefined && onMove(currentTarget, step)) event.preventDefault();
  };
  return (
    <input
      class={`cell-field${typedText === undefined ? '' : ' changed'}`}
      aria-label={label}
      aria-invalid={isWrong ? 'true' : undefined}
      data-edit={place}
      autocomplete="off"
      list={accepted === null ? undefined : listId}
      title={typedText ?? currentText}
      value={typedText ?? currentText}
      onFocus={() => {
        atFocusRef.current = typedText ?? currentText;
      }}
      onInput={({ currentTarget }) => onType(currentTarget.value)}
      onBlur={({ currentTarget: { value } }) =>
        typedText !== undefined && onType(completeValue(value, accepted))
      }
      onKeyDown={press}
      onDblClick={(event) => event.stopPropagation()}
      onPaste={(event) => {
        const text = event.clipboardData?.getData('text/plain') ?? '';
        if (!/[\r\n]/.test(text)) return;
        event.preventDefault();
        onPaste(text.replace(/\r?\n$/, '').split(/\r?\n/));
      }}
    />
  );
}

const ARROW_STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };
