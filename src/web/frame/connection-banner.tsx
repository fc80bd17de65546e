import type { JSX } from 'preact';
import { api } from '../api/api.ts';
import { useObserved } from '../api/observed.ts';

/** A lost connection is told, and tried again until it is back. */
export function ConnectionBanner(): JSX.Element {
  const state = useObserved(api.connection.state);
  return (
    <div role="status" class="connection">
      {state === 'lost' && <p>Sem conexão com o servidor. Tentando de novo…</p>}
    </div>
  );
}
