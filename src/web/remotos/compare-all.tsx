/** Compares all companies that a remote serves and that the user may approve in, by one request. */
import type { JSX } from 'preact';
import type { ComparisonStarted, Remote } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { hasRight, useSession } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import { withCount } from '../words.ts';
import { hasAddress, remotePath } from './words.ts';

export function CompareAll({
  remote,
  onStarted,
}: {
  readonly remote: Remote;
  readonly onStarted: () => void;
}): JSX.Element | null {
  const session = useSession();
  const companies = remote.companies.filter((company) => hasRight(session, 'aprovacao', company));
  const start = useAction(
    () => api.post<ComparisonStarted>(remotePath(remote.name, '/comparisons'), { companies: 'todas' }),
    ({ ids = [] }) => {
      toast(
        `${withCount(ids.length, 'comparação pedida', 'comparações pedidas')}: o painel mostra o que difere.`,
      );
      onStarted();
    },
  );
  if (companies.length < 2 || !hasAddress(remote)) return null;
  return (
    <>
      <Button isBusy={start.isBusy} onPress={() => void start.run()}>
        Comparar as {companies.length} empresas
      </Button>
      <ErrorAlert error={start.error} />
    </>
  );
}
