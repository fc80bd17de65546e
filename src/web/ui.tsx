/** Small pieces that both pages use. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

function Logo(): JSX.Element {
  return (
    <a class="logo" href="/">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" />
        <path d="M16 6.5 25 11v10l-9 4.5L7 21V11z" />
        <path d="M7 11l9 4.5L25 11M16 15.5v10" />
      </svg>
      <span>
        <strong>catp</strong> <span class="logo-long">Catálogo de Produtos</span>
      </span>
    </a>
  );
}

export function Header({ children }: { readonly children?: ComponentChildren }): JSX.Element {
  return (
    <header class="top">
      <div class="top-inside">
        <Logo />
        {children}
      </div>
    </header>
  );
}

export type Tone = 'calm' | 'good' | 'warn' | 'bad';

/** A message that is read aloud when it appears: at once when something went wrong, else when it is quiet. */
export function Notice({
  tone,
  children,
}: {
  readonly tone: Tone;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

const COPIED_SHOWN_MS = 2000;

function CopyButton({ text, label = 'Copiar' }: { readonly text: string; readonly label?: string }) {
  const [shown, setShown] = useState(label);
  useEffect(() => {
    if (shown === label) return;
    const timer = setTimeout(() => setShown(label), COPIED_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown, label]);
  // The clipboard exists only on https and localhost.
  const copy = (): void => {
    const copying = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
    copying.then(
      () => setShown('Copiado'),
      () => setShown('Não foi possível copiar'),
    );
  };
  return (
    <button type="button" class="quiet small" onClick={copy} aria-live="polite">
      {shown}
    </button>
  );
}

export function Snippet({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  return (
    <div class="snippet">
      <div class="snippet-head">
        <span>{label}</span>
        <CopyButton text={text} />
      </div>
      <pre tabIndex={0} aria-label={label}>
        <code>{text}</code>
      </pre>
    </div>
  );
}

/** One of a few: radio buttons that look like one control. */
export function Choice<T extends string>({
  legend,
  name,
  options,
  value,
  onChoose,
  disabled = false,
}: {
  readonly legend: string;
  readonly name: string;
  readonly options: readonly { readonly value: T; readonly label: string; readonly hint?: string }[];
  readonly value: T;
  readonly onChoose: (value: T) => void;
  readonly disabled?: boolean;
}): JSX.Element {
  return (
    <fieldset class="choice" disabled={disabled}>
      <legend>{legend}</legend>
      <div class="choice-options">
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChoose(option.value)}
            />
            <span class="choice-label">{option.label}</span>
            {option.hint !== undefined && <span class="choice-hint">{option.hint}</span>}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Hands a downloaded file to the person. */
export function save({ name, content }: { readonly name: string; readonly content: Blob }): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

export function words(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}

/** `1.234` */
export function count(number: number): string {
  return number.toLocaleString('pt-BR');
}

/** `1 item`, `1.234 itens` */
export function counted(number: number, one: string, many: string): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}
