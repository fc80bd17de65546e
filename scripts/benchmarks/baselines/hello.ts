/** The barest server: one text. */
import { serve } from './serve.ts';

serve(() => new Response('{"status":"ok"}', { headers: { 'Content-Type': 'application/json' } }));
