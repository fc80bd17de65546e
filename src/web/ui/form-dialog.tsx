/** A form over the page: refusals above, fields, and the two ways out. */
import type { ComponentChildren, JSX } from 'preact';
import type { ApiError } from '../api/result.ts';
import { ErrorAlert } from './alert.tsx';
import { Actions, Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

/** What a dialog needs to know of its form (`useForm`). */
interface DialogForm {
  readonly formRef: { current: HTMLFormElement | null };
  readonly error: ApiError | undefined;
  readonly busy: boolean;
}

export interface FormDialogProps {
  readonly title: string;
  readonly wide?: boolean;
  readonly form: DialogForm;
  /** The verb on the button. */
  readonly action?: string;
  readonly onSave: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function FormDialog(props: FormDialogProps): JSX.Element {
  const { title, wide = false, form, action, onSave, onClose, children } = props;
  const { formRef, error, busy } = form;
  return (
    <Dialog {...{ title, wide, onClose }}>
      <form
        ref={formRef}
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void onSave();
        }}
      >
        <ErrorAlert error={error} />
        {children}
        <FormActions {...{ busy, action }} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

/** At the end of a form: what it is for, and the way back. */
export const FormActions = ({
  action = 'Salvar',
  busy,
  onCancel,
}: {
  readonly action?: string | undefined;
  readonly busy: boolean;
  readonly onCancel: () => void;
}): JSX.Element => (
  <Actions>
    <Button type="submit" kind="primary" busy={busy}>
      {action}
    </Button>
    <Button onPress={onCancel}>Cancelar</Button>
  </Actions>
);
