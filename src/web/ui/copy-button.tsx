/** Button that copies a text. */
import { useEffect, useState } from 'preact/hooks';
import { Button } from './button.tsx';

const CONFIRMATION_MS = 2000;

export interface CopyButtonProps {
  readonly text: string;
  readonly children?: string;
  /** Accessible name of the button: `Copiar o código 12`. */
  readonly label?: string;
}

export function CopyButton({ text, children = 'Copiar', label }: CopyButtonProps) {
  const [result, setResult] = useState('');
  useEffect(() => {
    if (result === '') return;
    const timer = setTimeout(() => setResult(''), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [result]);
  // The clipboard API exists only on https and localhost.
  const copy = (): void => {
    const copying = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
    copying.then(
      () => setResult('Copiado'),
      () => setResult('Não foi possível copiar'),
    );
  };
  return (
    <>
      <Button kind="bare" small icon="copy" onPress={copy} {...(label !== undefined && { label })}>
        {result === '' ? children : result}
      </Button>
      <span class="hidden" role="status">
        {result}
      </span>
    </>
  );
}

/** Text to copy: a command, an example. */
export const Snippet = ({ text, label }: { readonly text: string; readonly label: string }) => (
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
