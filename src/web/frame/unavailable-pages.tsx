/** Pages that are shown instead of an unavailable page. */
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import { useObserved } from '../api/observed.ts';
import { loadUser, userError } from '../api/session.ts';
import { ErrorAlert, Notice } from '../ui/alert.tsx';
import { Page } from '../ui/page.tsx';
import { Skeleton } from '../ui/progress.tsx';

export const Missing = (): JSX.Element => (
  <Page title="Página não encontrada">
    <p>
      Não existe uma página no endereço <code>{location.pathname}</code>. Confira o endereço, ou comece pelo{' '}
      <Link href="/">painel</Link>.
    </p>
  </Page>
);

export const Forbidden = ({ title }: { readonly title: string }): JSX.Element => (
  <Page title={title}>
    <Notice tone="warn">
      <p>
        O seu usuário não tem acesso a esta página. Saia e entre com outro usuário ou perfil, ou volte ao{' '}
        <Link href="/">painel</Link>.
      </p>
    </Notice>
  </Page>
);

export const Waiting = ({ title }: { readonly title: string }): JSX.Element => (
  <Page title={title}>
    <Skeleton />
  </Page>
);

/** Shown until the server has identified the user. */
export function LoadingUser({ title }: { readonly title: string }): JSX.Element {
  const error = useObserved(userError);
  if (error === undefined) return <Waiting title={title} />;
  return (
    <Page title={title}>
      <ErrorAlert error={error} onRetry={() => void loadUser()} />
    </Page>
  );
}
