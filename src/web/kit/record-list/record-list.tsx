/** List of small records of one kind, with the form that adds or changes one, and further actions. */
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Result } from '../../api/result.ts';
import { useForm } from '../../api/use-form.ts';
import { Actions, Button } from '../../ui/button.tsx';
import { ConfirmSending } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Card } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { withCount } from '../../words.ts';
import { Fields, type FieldSpec, useFieldFaults } from './fields.tsx';
import { matching, type SearchableColumn } from './matching.ts';

export interface RecordListColumn<Row> extends SearchableColumn<Row> {
  readonly title: string;
  /** Defaults to the text. */
  readonly cell?: (row: Row) => ComponentChildren;
  readonly code?: boolean;
}

/** Action on one row, which asks for confirmation. */
export interface RowAction<Row> {
  readonly label: string;
  readonly danger?: boolean;
  readonly confirmation: (row: Row) => {
    readonly title: string;
    readonly about: ComponentChildren;
    readonly doneText: string;
  };
  readonly send: (row: Row) => Promise<Result<unknown>>;
}

export interface RecordForm<Row, Values extends object, Saved> {
  /** Label of the button, and title of the dialog for a new record. */
  readonly add: string;
  /** Verb on the button of the dialog. */
  readonly action?: string;
  /** Class of the element around the fields, in a wide dialog. */
  readonly layout?: string;
  /** Title of the dialog for a change. Without it, records cannot be changed. */
  readonly change?: ((row: Row) => string) | undefined;
  readonly fields: readonly FieldSpec<Values>[];
  readonly valuesOf: (row: Row | undefined) => Values;
  readonly send: (values: Values) => Promise<Result<Saved>>;
  /** Returns the text of a toast, or a dialog that shows what was created. */
  readonly saved: (saved: Saved) => string | ((onClose: () => void) => JSX.Element);
}

/** Declaration of one kind of record. */
export interface RecordListKind<Row, Values extends object, Saved> {
  readonly title: string;
  /** `empresa`, `empresas` */
  readonly words: readonly [singular: string, plural: string];
  readonly empty: string;
  readonly rowKey: (row: Row) => string;
  readonly columns: readonly RecordListColumn<Row>[];
  readonly form?: RecordForm<Row, Values, Saved>;
  readonly rowActions?: readonly RowAction<Row>[];
  /** Name of a row, which distinguishes its buttons. */
  readonly nameOf?: (row: Row) => string;
}

export interface RecordListProps<Row, Values extends object, Saved> extends RecordListKind<
  Row,
  Values,
  Saved
> {
  readonly rows: readonly Row[];
  readonly onChanged: () => void;
  /** Content above the list. */
  readonly about?: ComponentChildren;
}

/** Number of initially visible rows. A longer list has a search. */
const INITIAL_ROWS = 25;

export function RecordList<Row, Values extends object = never, Saved = never>(
  props: RecordListProps<Row, Values, Saved>,
) {
  const { title, words, empty, rows, rowKey, form, onChanged } = props;
  const [typedText, setTypedText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [edited, setEdited] = useState<{ readonly row: Row | undefined }>();
  const [confirmed, setConfirmed] = useState<PressedAction<Row>>();
  const matches = matching(rows, props.columns, typedText);
  const visible = isOpen ? matches : matches.slice(0, INITIAL_ROWS);
  return (
    <Card
      title={title}
      actions={
        form !== undefined && (
          <Button icon="plus" onPress={() => setEdited({ row: undefined })}>
            {form.add}
          </Button>
        )
      }
    >
      {props.about}
      {rows.length > INITIAL_ROWS && (
        <Input label="Procurar nesta lista" type="search" value={typedText} onChange={setTypedText} />
      )}
      <Table
        caption={title}
        rows={visible}
        rowKey={rowKey}
        columns={columnsOf(props, (row) => setEdited({ row }), setConfirmed)}
        empty={typedText === '' ? empty : 'Nada com essas palavras.'}
      />
      {matches.length > visible.length && (
        <Button onPress={() => setOpen(true)}>
          Mostrar mais {withCount(matches.length - visible.length, ...words)}
        </Button>
      )}
      {form !== undefined && edited !== undefined && (
        <RecordDialog
          form={form}
          row={edited.row}
          onChanged={onChanged}
          onClose={() => setEdited(undefined)}
        />
      )}
      {confirmed !== undefined && (
        <RowActionDialog {...confirmed} onDone={onChanged} onClose={() => setConfirmed(undefined)} />
      )}
    </Card>
  );
}

interface PressedAction<Row> {
  readonly row: Row;
  readonly action: RowAction<Row>;
}

function columnsOf<Row, Values extends object, Saved>(
  { columns, form, rowActions = [], nameOf }: RecordListKind<Row, Values, Saved>,
  onEdit: (row: Row) => void,
  onAction: (pressedAction: PressedAction<Row>) => void,
): readonly Column<Row>[] {
  const canChange = form?.change !== undefined;
  const cells = columns.map(({ title, text, cell = (row) => <bdi>{text(row)}</bdi>, code = false }) => ({
    key: title,
    title,
    code,
    cell,
  }));
  if (!canChange && rowActions.length === 0) return cells;
  const actions: Column<Row> = {
    key: 'actions',
    title: 'Ações',
    align: 'right',
    cell: (row) => (
      <div class="row-actions">
        <Actions>
          {canChange && (
            <Button small onPress={() => onEdit(row)}>
              Editar
            </Button>
          )}
          {rowActions.map((rowAction) => (
            <Button
              key={rowAction.label}
              small
              kind={rowAction.danger === true ? 'danger' : 'quiet'}
              {...(nameOf !== undefined && { label: `${rowAction.label} ${nameOf(row)}` })}
              onPress={() => onAction({ row, action: rowAction })}
            >
              {rowAction.label}
            </Button>
          ))}
        </Actions>
      </div>
    ),
  };
  return [...cells, actions];
}

export interface RecordDialogProps<Row, Values extends object, Saved> {
  readonly form: RecordForm<Row, Values, Saved>;
  /** Absent for a new record. */
  readonly row?: Row | undefined;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

export function RecordDialog<Row, Values extends object, Saved>(
  props: RecordDialogProps<Row, Values, Saved>,
) {
  const { form: spec, row, onChanged, onClose } = props;
  const form = useForm<Values>(spec.valuesOf(row));
  const [result, setResult] = useState<(onClose: () => void) => JSX.Element>();
  const faultsOf = useFieldFaults<Values>();
  const isNew = row === undefined;
  const save = async (): Promise<void> => {
    const faults = faultsOf(
      spec.fields.filter(({ fixed }) => isNew || fixed !== true),
      form.latest(),
    );
    if (faults.length > 0) return form.refuse(faults);
    const saved = await form.submit(spec.send);
    if (saved === undefined) return;
    onChanged();
    const confirmation = spec.saved(saved);
    if (typeof confirmation !== 'string') return setResult(() => confirmation);
    toast(confirmation);
    onClose();
  };
  if (result !== undefined) return result(onClose);
  return (
    <FormDialog
      title={isNew ? spec.add : (spec.change?.(row) ?? spec.add)}
      form={form}
      onClose={onClose}
      onSave={save}
      action={spec.action}
      wide={spec.layout !== undefined}
    >
      <div class={spec.layout ?? 'stack'}>
        <Fields form={form} fields={spec.fields} isNew={isNew} />
      </div>
    </FormDialog>
  );
}

export interface RowActionDialogProps<Row> extends PressedAction<Row> {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function RowActionDialog<Row>({ row, action, onDone, onClose }: RowActionDialogProps<Row>) {
  const { title, about, doneText } = action.confirmation(row);
  return (
    <ConfirmSending
      title={title}
      action={action.label}
      danger
      send={() => action.send(row)}
      doneText={doneText}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{about}</p>
    </ConfirmSending>
  );
}
