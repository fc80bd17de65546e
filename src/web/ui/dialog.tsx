/** Dialog over the page, with the native element. Escape closes it and restores the focus. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApiError, Result } from '../api/result.ts';
import { useAction } from '../api/use-action.ts';
import { ErrorAlert } from './alert.tsx';
import { Actions, Button, type ButtonProps } from './button.tsx';
import { CompanyLine } from './company-name.tsx';
import { toast } from './toast.tsx';

export interface DialogProps {
  readonly title: string;
  /** Called by Escape and every other close action. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly wide?: boolean;
  /** Panel at the side, with the full height of the window. */
  readonly side?: boolean;
}

/** Renders while open. The parent removes it to close it. */
export function Dialog({ title, onClose, children, wide = false, side = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const isOverRef = useRef(false);
  const id = useId();
  // A layout effect keeps the focus from being lost between two frames.
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const dialog = element.current;
    dialog?.showModal();
    return () => {
      isOverRef.current = true;
      dialog?.close();
      // The element that opened the dialog may be gone, for instance with a removed row.
      const focusTarget =
        opener instanceof HTMLElement && opener.isConnected ? opener : document.getElementById('main');
      focusTarget?.focus({ preventScroll: true });
    };
  }, []);
  const closeRef = useRef(onClose);
  useLayoutEffect(() => {
    closeRef.current = onClose;
  });
  // Back and forward leave the subject of the dialog and close it. A dialog whose state is in the address is
  // already unmounted by then. The listener stays for the whole lifetime: one that is added while the page
  // renders misses the event.
  useLayoutEffect(() => {
    const leave = (): void => void setTimeout(() => isOverRef.current || closeRef.current());
    addEventListener('popstate', leave);
    return () => removeEventListener('popstate', leave);
  }, []);
  return (
    <dialog
      ref={element}
      class={side ? 'aside' : wide ? 'wide' : ''}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // A browser closes the dialog at the second Escape without `cancel`.
      onClose={() => isOverRef.current || onClose()}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

export interface ConfirmProps extends DialogProps {
  /** Verb on the button. */
  readonly action: string;
  /** Label of the cancel button, if `Cancelar` could mean the action. */
  readonly cancelLabel?: string;
  readonly danger?: boolean;
  readonly isBusy?: boolean;
  readonly error?: ApiError | undefined;
  readonly onConfirm: () => void;
}

/** Confirmation that says what will happen. */
export const Confirm = ({
  title,
  children,
  action,
  cancelLabel = 'Cancelar',
  danger = false,
  isBusy = false,
  error,
  onConfirm,
  onClose,
}: ConfirmProps) => (
  <Dialog title={title} onClose={onClose}>
    <CompanyLine />
    <div class="dialog-body">{children}</div>
    <ErrorAlert error={error} />
    <Actions>
      <Button kind={danger ? 'danger' : 'primary'} isBusy={isBusy} onPress={onConfirm}>
        {action}
      </Button>
      <Button onPress={onClose}>{cancelLabel}</Button>
    </Actions>
  </Dialog>
);

export interface ConfirmSendingProps<T> extends Omit<ConfirmProps, 'isBusy' | 'error' | 'onConfirm'> {
  readonly send: () => Promise<Result<T>>;
  /** Text of a toast. */
  readonly doneText?: string;
  readonly onDone?: (value: T) => void;
}

/** Confirmation that sends the request and closes. After a refusal it stays open and shows the reason. */
export function ConfirmSending<T>({ send, doneText, onDone, ...confirm }: ConfirmSendingProps<T>) {
  const { run, isBusy, error } = useAction(send, (value) => {
    if (doneText !== undefined) toast(doneText);
    confirm.onClose();
    onDone?.(value);
  });
  return <Confirm {...confirm} isBusy={isBusy} error={error} onConfirm={() => void run()} />;
}

export interface ConfirmButtonProps<T>
  extends Omit<ConfirmSendingProps<T>, 'onClose'>, Pick<ButtonProps, 'kind' | 'small' | 'disabled'> {
  /** Label of the button. */
  readonly label: string;
}

/** Button that asks for confirmation before it sends. It returns to its initial state after every result. */
export function ConfirmButton<T>(props: ConfirmButtonProps<T>) {
  const { label, kind = 'quiet', small = false, disabled = false, ...confirm } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind={kind} small={small} disabled={disabled} onPress={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && <ConfirmSending {...confirm} onClose={() => setOpen(false)} />}
    </>
  );
}
