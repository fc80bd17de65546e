/** A form: refusals above, its fields, and the two ways out below. */
import type { ComponentChildren, JSX } from 'preact';
import type { ApiError } from '../api/result.ts';
import { ErrorAlert } from './alert.tsx';
import { Actions, Button, type ButtonProps } from './button.tsx';

/** What a form needs to know of its state (`useForm`). */
export interface FormState {
  readonly formRef: { current: HTMLFormElement | null };
  readonly error: ApiError | undefined;
  /** While it is, nothing is sent again. */
  readonly busy: boolean;
}

export interface FormProps {
  readonly form: FormState;
  /** The verb on the button. */
  readonly action?: string | undefined;
  readonly onSave: () => Promise<void>;
  readonly onCancel: () => void;
  readonly children: ComponentChildren;
}

export function Form({ form, action = 'Salvar', onSave, onCancel, children }: FormProps): JSX.Element {
  const { formRef, error, busy } = form;
  return (
    <form ref={formRef} class="stack" noValidate onSubmit={instead(() => busy || onSave())}>
      <ErrorAlert error={error} />
      {children}
      <Actions>
        <Button type="submit" kind="primary" busy={busy}>
          {action}
        </Button>
        <Button onPress={onCancel}>Cancelar</Button>
      </Actions>
    </form>
  );
}

/** Of one field or two: all in one line. */
export const LineForm = ({
  form: { formRef, error, busy },
  verb,
  kind = 'quiet',
  onSend,
  children,
}: {
  readonly form: FormState;
  readonly verb: string;
  readonly kind?: ButtonProps['kind'];
  readonly onSend: () => Promise<void>;
  readonly children: ComponentChildren;
}): JSX.Element => (
  <form ref={formRef} class="stack" onSubmit={instead(onSend)}>
    <ErrorAlert error={error} />
    <div class="filters">
      {children}
      <Button type="submit" kind={kind} busy={busy}>
        {verb}
      </Button>
    </div>
  </form>
);

/** For `onSubmit`: what is done instead of what a browser does by itself, which is to load the page anew. */
export const instead =
  (act: () => unknown) =>
  (event: Event): void => {
    event.preventDefault();
    act();
  };
