/** The web interface begins here. */
import { options, render } from 'preact';
import { begin } from './api/session.ts';
import { App } from './frame/app.tsx';

// Effects run before the next event, as those of a key or a click do elsewhere: a frame later the focus and what is kept of a
// form would come after what somebody has typed by then.
options.requestAnimationFrame = (flush) => queueMicrotask(flush);

begin();
const place = document.getElementById('app');
if (place !== null) {
  // What the server drew until now.
  place.replaceChildren();
  render(<App />, place);
}
