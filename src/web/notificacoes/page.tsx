import type { JSX } from 'preact';
import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/table.tsx';

export default function NotificationsPage(): JSX.Element {
  return (
    <Page title="Notificações">
      <Empty>Esta página ainda está sendo feita.</Empty>
    </Page>
  );
}
