/** Button that opens a short list of actions below it. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Button, type ButtonProps } from './button.tsx';

export interface MenuAction {
  readonly label: string;
  /** Effect of the action, in a few words. */
  readonly hint?: string;
  readonly onPress: () => void;
}

export interface MenuProps extends Pick<ButtonProps, 'kind' | 'icon'> {
  readonly label: string;
  readonly actions: readonly MenuAction[];
}

export function Menu({ label, actions, ...button }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const menuRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const closeOutside = ({ target }: Event): void => {
      if (target instanceof Node && menuRef.current?.contains(target) === false) setOpen(false);
    };
    addEventListener('pointerdown', closeOutside);
    addEventListener('focusin', closeOutside);
    return () => {
      removeEventListener('pointerdown', closeOutside);
      removeEventListener('focusin', closeOutside);
    };
  }, [isOpen]);
  return (
    <div
      class="menu"
      ref={menuRef}
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isOpen) return;
        setOpen(false);
        menuRef.current?.querySelector('button')?.focus();
      }}
    >
      <Button {...button} expanded={isOpen} controls={id} onPress={() => setOpen(!isOpen)}>
        {label}
      </Button>
      <ul id={id} hidden={!isOpen}>
        {actions.map(({ label: name, hint, onPress }, index) => (
          <li key={name}>
            <button
              type="button"
              aria-describedby={hint === undefined ? undefined : `${id}-${index}`}
              onClick={() => {
                setOpen(false);
                onPress();
              }}
            >
              {name}
            </button>
            {hint !== undefined && (
              <p class="muted" id={`${id}-${index}`}>
                {hint}
              </p>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
