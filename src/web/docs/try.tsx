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
const place = document.getElementById('experimentar');
if (place !== null) {
  const page = JSON.parse(place.dataset['operation'] ?? '') as TrialPage;
  place.replaceChildren();
  render(
    <>
      <SessionBar />
      <TryIt {...page} />
    </>,
    place,
  );
}
