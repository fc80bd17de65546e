/** Form: refusals above, its fields, and its buttons below. */
import type { ComponentChildren } from 'preact';
import type { ApiError } from '../api/result.ts';
import { ErrorAlert } from './alert.tsx';
import { Actions, Button, type ButtonProps } from './button.tsx';

/** State that a form shows (`useForm`). */
export interface FormState {
  readonly formRef: { current: HTMLFormElement | null };
  readonly error: ApiError | undefined;
  /** True while a request runs. Nothing else is sent then. */
  readonly isBusy: boolean;
}

export interface FormProps {
  readonly form: FormState;
  /** Verb on the button. */
  readonly action?: string | undefined;
  readonly onSave: () => Promise<void>;
  /** Absent: there is nothing to return to. */
  readonly onCancel?: () => void;
  readonly children: ComponentChildren;
}

export function Form({ form, action = 'Salvar', onSave, onCancel, children }: FormProps) {
  const { formRef, error, isBusy } = form;
  return (
    <form ref={formRef} class="stack" noValidate onSubmit={instead(() => isBusy || onSave())}>
      <ErrorAlert error={error} />
      {children}
      <Actions>
        <Button type="submit" kind="primary" isBusy={isBusy}>
          {action}
        </Button>
        {onCancel !== undefined && <Button onPress={onCancel}>Cancelar</Button>}
      </Actions>
    </form>
  );
}

/** Form with one or two fields in one line. */
export const LineForm = ({
  form: { formRef, error, isBusy },
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
}) => (
  <form ref={formRef} class="stack" onSubmit={instead(onSend)}>
    <ErrorAlert error={error} />
    <div class="filters">
      {children}
      <Button type="submit" kind={kind} isBusy={isBusy}>
        {verb}
      </Button>
    </div>
  </form>
);

/** Wraps `onSubmit` and prevents the default action of the browser, which reloads the page. */
export const instead =
  (act: () => unknown) =>
  (event: Event): void => {
    event.preventDefault();
    act();
  };
