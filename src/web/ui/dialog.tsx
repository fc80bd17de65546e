/** A question or a small form over the page: the browser's own dialog. Escape closes it and gives the focus back. */
import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApiError, Result } from '../api/result.ts';
import { useAction } from '../api/use-action.ts';
import { ErrorAlert } from './alert.tsx';
import { Actions, Button, type ButtonProps } from './button.tsx';
import { WhereLine } from './where.tsx';

export interface DialogProps {
  readonly title: string;
  /** Escape, or whatever else closes it. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly wide?: boolean;
  /** A panel at the side, as high as the window. */
  readonly side?: boolean;
}

/** Drawn when it is open, and not drawn when it is not. */
export function Dialog({ title, onClose, children, wide = false, side = false }: DialogProps): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  const isOverRef = useRef(false);
  const id = useId();
  // At once, so that the focus is never nowhere.
  useLayoutEffect(() => {
    const from = document.activeElement;
    const dialog = element.current;
    dialog?.showModal();
    return () => {
      isOverRef.current = true;
      dialog?.close();
      // What was pressed may be gone, for instance with the row that was removed.
      const back = from instanceof HTMLElement && from.isConnected ? from : document.getElementById('main');
      back?.focus({ preventScroll: true });
    };
  }, []);
  const closeRef = useRef(onClose);
  useLayoutEffect(() => {
    closeRef.current = onClose;
  });
  // Back and forward lead away from what it was about. One that stands in the address is gone by then, by itself. Listens
  // all the time: what is added while the address is being drawn would not hear of it.
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
      // A browser closes it by itself at the second Escape.
      onClose={() => isOverRef.current || onClose()}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

export interface ConfirmProps extends DialogProps {
  /** The verb on the button. */
  readonly action: string;
  /** The way out, where `Cancelar` would be taken for the action. */
  readonly back?: string;
  readonly danger?: boolean;
  readonly busy?: boolean;
  readonly error?: ApiError | undefined;
  readonly onConfirm: () => void;
}

/** Says what will happen before it happens. */
export function Confirm({
  title,
  children,
  action,
  back = 'Cancelar',
  danger = false,
  busy = false,
  error,
  onConfirm,
  onClose,
}: ConfirmProps): JSX.Element {
  return (
    <Dialog title={title} onClose={onClose}>
      <WhereLine />
      <div class="dialog-body">{children}</div>
      <ErrorAlert error={error} />
      <Actions>
        <Button kind={danger ? 'danger' : 'primary'} busy={busy} onPress={onConfirm}>
          {action}
        </Button>
        <Button onPress={onClose}>{back}</Button>
      </Actions>
    </Dialog>
  );
}

export interface ConfirmSendingProps<T> extends Omit<ConfirmProps, 'busy' | 'error' | 'onConfirm'> {
  readonly send: () => Promise<Result<T>>;
  readonly onDone: (value: T) => void;
}

/** Sends what is confirmed; refused, it stays and says why. */
export function ConfirmSending<T>({ send, onDone, ...confirm }: ConfirmSendingProps<T>): JSX.Element {
  const { run, busy, error } = useAction(send, onDone);
  return <Confirm {...confirm} busy={busy} error={error} onConfirm={() => void run()} />;
}

export interface ConfirmButtonProps<T>
  extends Omit<ConfirmSendingProps<T>, 'onClose'>, Pick<ButtonProps, 'kind' | 'small' | 'disabled'> {
  /** On the button. */
  readonly label: string;
}

/** A button that asks before it sends; whatever it did, it is there again. */
export function ConfirmButton<T>(props: ConfirmButtonProps<T>): JSX.Element {
  const { label, kind = 'quiet', small = false, disabled = false, onDone, ...confirm } = props;
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <Button kind={kind} small={small} disabled={disabled} onPress={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <ConfirmSending
          {...confirm}
          onDone={(value) => {
            close();
            onDone(value);
          }}
          onClose={close}
        />
      )}
    </>
  );
}
