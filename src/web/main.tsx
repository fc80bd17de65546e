/** The web interface begins here. */
import { render } from 'preact';
import { App } from './frame/app.tsx';

const place = document.getElementById('app');
if (place !== null) {
  // What the server drew until now.
  place.replaceChildren();
  render(<App />, place);
}
