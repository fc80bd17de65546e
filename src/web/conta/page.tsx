/** The own account. */
import type { JSX } from 'preact';
import { Page } from '../ui/page.tsx';
import { PasswordCard } from './password-card.tsx';

export default function AccountPage(): JSX.Element {
  return (
    <Page title="Minha conta">
      <PasswordCard />
    </Page>
  );
}
