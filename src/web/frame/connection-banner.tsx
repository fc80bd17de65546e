import type { JSX } from 'preact';
import { api } from '../api/api.ts';
import { useObserved } from '../api/observed.ts';

/** Reports a lost connection and retries until it is restored. */
export function ConnectionBanner(): JSX.Element {
  const state = useObserved(api.connection.state);
  return (
    <div role="status" class="connection">
      {state === 'lost' && <p>Sem conexão com o servidor. Tentando de novo…</p>}
    </div>
  );
}
