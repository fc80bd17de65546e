import type { ComponentChildren, JSX, TargetedMouseEvent } from 'preact';
import { Link } from 'wouter-preact';
import { Icon, type IconName } from './icon.tsx';

export interface ButtonProps {
  readonly children: ComponentChildren;
  /** The one main action of a page is `primary`; what takes something away is `danger`. */
  readonly kind?: 'primary' | 'quiet' | 'danger' | 'bare';
  readonly small?: boolean;
  /** `submit` inside of a form. */
  readonly type?: 'button' | 'submit';
  /** Under way: it cannot be pressed again, and says so. */
  readonly busy?: boolean;
  readonly disabled?: boolean;
  readonly icon?: IconName;
  /** Its accessible name, where the words on it are not enough. */
  readonly label?: string;
  /** The id of what tells it from others of the same name: the name of its row. */
  readonly describedBy?: string;
  readonly pressed?: boolean;
  readonly expanded?: boolean;
  readonly controls?: string;
  readonly onPress?: (event: TargetedMouseEvent<HTMLButtonElement>) => void;
}

/** While it is busy it keeps the focus: `disabled` would lose it. */
export function Button(props: ButtonProps): JSX.Element {
  const { children, kind = 'quiet', small = false, type = 'button', busy = false, onPress } = props;
  return (
    <button
      type={type}
      class={`button ${kind}${small ? ' small' : ''}`}
      disabled={props.disabled}
      aria-disabled={busy ? 'true' : undefined}
      aria-busy={busy ? 'true' : undefined}
      aria-label={props.label}
      aria-describedby={props.describedBy}
      aria-pressed={props.pressed}
      aria-expanded={props.expanded}
      aria-controls={props.controls}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onPress?.(event);
      }}
    >
      {props.icon !== undefined && <Icon name={props.icon} />}
      {children}
    </button>
  );
}

/** The way to another page, where buttons stand. */
export const LinkButton = (props: {
  readonly href: string;
  readonly 'aria-label'?: string;
  readonly 'aria-describedby'?: string;
  readonly children: ComponentChildren;
}): JSX.Element => <Link class="button quiet small" {...props} />;

/** Buttons side by side. */
export const Actions = ({ children }: { readonly children: ComponentChildren }): JSX.Element => (
  <div class="actions">{children}</div>
);
