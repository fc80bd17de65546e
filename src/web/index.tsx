import { render } from 'preact';
import { Api } from './api.ts';
import { Home } from './home/home.tsx';

const place = document.getElementById('app');
if (place !== null) render(<Home api={new Api(location.origin, sessionStorage)} />, place);
