/** Starts the web interface. */
import { options, render } from 'preact';
import { startSession } from './api/session.ts';
import { App } from './frame/app.tsx';

// Runs effects before the next event. One frame later, the focus and the kept form values would come after
// what the user has typed by then.
options.requestAnimationFrame = (flush) => queueMicrotask(flush);

startSession();
const container = document.getElementById('app');
if (container !== null) {
  // Replaces the content that the server rendered.
  container.replaceChildren();
  render(<App />, container);
}
