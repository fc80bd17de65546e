/** Signs in by the company's provider: leads to it, and trades the code with which the browser comes back. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { instance } from '../api/instance.ts';
import { signInWithProvider } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Actions } from '../ui/button.tsx';

/** Renders nothing in an instance without a provider. */
export function ProviderSignIn(): JSX.Element | null {
  const trade = useAction(signInWithProvider);
  useEffect(() => {
    const code = codeInAddress();
    if (code === undefined) return;
    // The code stays neither in the address bar nor in the history.
    history.replaceState(history.state, '', location.pathname);
    void trade.run(code);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, on mount
  }, []);
  if (instance.provider === '') return null;
  return (
    <section class="card" aria-label={instance.provider}>
      <ErrorAlert error={trade.error} />
      <Actions>
        <a class="button primary" href="/entrar/oidc" aria-busy={trade.busy ? 'true' : undefined}>
          {instance.provider}
        </a>
      </Actions>
    </section>
  );
}

const CODE = '#codigo=';

function codeInAddress(): string | undefined {
  const { hash } = location;
  return hash.startsWith(CODE) ? hash.slice(CODE.length) : undefined;
}
