/** Signs in through the company's identity provider: links to it, and exchanges the code with which the
 * browser returns. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { instance } from '../api/instance.ts';
import { useObserved } from '../api/observed.ts';
import { providerEnd, signInWithProvider } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { ErrorAlert, Notice } from '../ui/alert.tsx';
import { Actions } from '../ui/button.tsx';

/** Renders nothing in an instance without a provider. */
export function ProviderSignIn(): JSX.Element | null {
  const exchange = useAction(signInWithProvider);
  useEffect(() => {
    const code = codeInAddress();
    if (code === undefined) return;
    // The code stays neither in the address bar nor in the history.
    history.replaceState(history.state, '', location.pathname);
    void exchange.run(code);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, on mount
  }, []);
  const endAddress = useObserved(providerEnd);
  if (instance.provider === '') return null;
  return (
    <section class="card" aria-label={instance.provider}>
      {endAddress !== '' && (
        <Notice tone="calm">
          Você saiu daqui. A sua sessão no provedor continua aberta neste navegador.{' '}
          <a href={endAddress}>Sair também do provedor</a>
        </Notice>
      )}
      <ErrorAlert error={exchange.error} />
      <Actions>
        <a class="button primary" href="/entrar/oidc" aria-busy={exchange.isBusy ? 'true' : undefined}>
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
