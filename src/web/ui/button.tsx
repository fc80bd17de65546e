import type { ComponentChildren, TargetedMouseEvent } from 'preact';
import { Link } from 'wouter-preact';
import { Icon, type IconName } from './icon.tsx';

export interface ButtonProps {
  readonly children: ComponentChildren;
  /** `primary` is the one main action of a page; `danger` removes something. */
  readonly kind?: 'primary' | 'quiet' | 'danger' | 'bare';
  readonly small?: boolean;
  /** Use `submit` inside a form. */
  readonly type?: 'button' | 'submit';
  /** True while the action runs: the button announces this and ignores presses. */
  readonly isBusy?: boolean;
  readonly disabled?: boolean;
  readonly icon?: IconName;
  /** Accessible name, for a button whose visible text is not enough. */
  readonly label?: string;
  /** Id of the element that distinguishes it from buttons of the same name: the name of its row. */
  readonly describedBy?: string;
  readonly pressed?: boolean;
  readonly expanded?: boolean;
  readonly controls?: string;
  readonly onPress?: (event: TargetedMouseEvent<HTMLButtonElement>) => void;
}

/** A busy button keeps the focus: `disabled` would lose it. */
export function Button(props: ButtonProps) {
  const { children, kind = 'quiet', small = false, type = 'button', isBusy = false, onPress } = props;
  return (
    <button
      type={type}
      class={`button ${kind}${small ? ' small' : ''}`}
      disabled={props.disabled}
      aria-disabled={isBusy ? 'true' : undefined}
      aria-busy={isBusy ? 'true' : undefined}
      aria-label={props.label}
      aria-describedby={props.describedBy}
      aria-pressed={props.pressed}
      aria-expanded={props.expanded}
      aria-controls={props.controls}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onPress?.(event);
      }}
    >
      {props.icon !== undefined && <Icon name={props.icon} />}
      {children}
    </button>
  );
}

/** Link to another page, in the style of a button. */
export const LinkButton = (props: {
  readonly href: string;
  readonly 'aria-label'?: string;
  readonly 'aria-describedby'?: string;
  readonly children: ComponentChildren;
}) => <Link class="button quiet small" {...props} />;

/** Buttons in one row. */
export const Actions = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="actions">{children}</div>
);
