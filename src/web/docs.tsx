import { render } from 'preact';
import { Reference } from './docs/reference.tsx';

const place = document.getElementById('app');
if (place !== null) render(<Reference />, place);
