/** Short message after an action of the user. It disappears after some seconds and blocks nothing. */
import { useEffect } from 'preact/hooks';
import { Observed, useObserved } from '../api/observed.ts';
import { useCurrentUser, type CurrentUser, currentUser } from '../api/session.ts';
import { Icon } from './icon.tsx';

const DISPLAY_MS = 6000;

const latestMessage = new Observed<{ readonly text: string; readonly to: CurrentUser } | undefined>(
  undefined,
);

/** Shows a message to the current user, and not to the next one who signs in. */
export const toast = (text: string): void => latestMessage.set({ text, to: currentUser.value });

/** Renders the messages, once per page frame. */
export function Toasts() {
  const current = useObserved(latestMessage);
  const currentUser = useCurrentUser();
  useEffect(() => {
    if (current === undefined) return;
    const timer = setTimeout(() => latestMessage.set(undefined), DISPLAY_MS);
    return () => clearTimeout(timer);
  }, [current]);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {current?.to === currentUser && (
        <div class="toast">
          <Icon name="check" /> {current.text}
        </div>
      )}
    </div>
  );
}
