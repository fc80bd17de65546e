/** API client of this tab. */
import { Api } from './client.ts';

export const api = new Api(location.origin, sessionStorage);
