/** What happened after a person did something: said once, seen for some seconds, never in the way. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Observed, useObserved } from '../api/observed.ts';
import { Icon } from './icon.tsx';

const SHOWN_MS = 6000;

const said = new Observed<{ readonly text: string } | undefined>(undefined);

export const toast = (text: string): void => said.set({ text });

/** Once, in the frame. */
export function Toasts(): JSX.Element {
  const current = useObserved(said);
  useEffect(() => {
    if (current === undefined) return;
    const timer = setTimeout(() => said.set(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [current]);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {current !== undefined && (
        <div class="toast">
          <Icon name="check" /> {current.text}
        </div>
      )}
    </div>
  );
}
