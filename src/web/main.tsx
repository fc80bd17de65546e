/** Starts the web interface. */
import { options, render } from 'preact';
import { startSession } from './api/session.ts';
import { App } from './frame/app.tsx';

// Runs effects before the next event. One frame later, they could move the focus or restore form values after
// the user has already typed.
options.requestAnimationFrame = (flush) => queueMicrotask(flush);

startSession();
const container = document.getElementById('app');
if (container !== null) {
  // Replaces the content that the server rendered.
  container.replaceChildren();
  render(<App />, container);
}
