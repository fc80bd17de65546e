/** The script of an operation's page: sends the operation with the session of the other pages. */
import { options, render } from 'preact';
import { startSession } from '../api/session.ts';
import { SessionBar } from './session-bar.tsx';
import type { TrialPage } from './trial.ts';
import { TryIt } from './try-it.tsx';

// As in the other pages (src/web/main.tsx): effects run before the next event.
options.requestAnimationFrame = (flush) => queueMicrotask(flush);

// Anybody may open this page, so the end of a session does not change its address.
startSession(() => undefined);
const container = document.getElementById('experimentar');
if (container !== null) {
  const page = JSON.parse(container.dataset['operation'] ?? '') as TrialPage;
  container.replaceChildren();
  render(
    <>
      <SessionBar />
      <TryIt {...page} />
    </>,
    container,
  );
}
