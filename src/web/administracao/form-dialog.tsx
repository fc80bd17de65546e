/** A form over the page: refusals above, fields, and the two ways out. */
import type { ComponentChildren, JSX } from 'preact';
import type { Form } from '../api/use-form.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

export interface FormDialogProps<Values extends object> {
  readonly title: string;
  readonly form: Form<Values>;
  readonly onSave: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function FormDialog<Values extends object>(props: FormDialogProps<Values>): JSX.Element {
  const { title, onSave, onClose, children } = props;
  const { formRef, error, busy } = props.form;
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        ref={formRef}
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void onSave();
        }}
      >
        <ErrorAlert error={error} />
        {children}
        <Actions>
          <Button type="submit" kind="primary" busy={busy}>
            Salvar
          </Button>
          <Button onPress={onClose}>Cancelar</Button>
        </Actions>
      </form>
    </Dialog>
  );
}
