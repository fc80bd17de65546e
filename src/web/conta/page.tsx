/** The account page of the user. */
import type { JSX } from 'preact';
import { Page } from '../ui/page.tsx';
import { NoticesCard } from './notices-card.tsx';
import { PasswordCard } from './password-card.tsx';

export default function AccountPage(): JSX.Element {
  return (
    <Page title="Minha conta" about="O seu endereço, o que chega a ele, e a sua senha.">
      <NoticesCard />
      <PasswordCard />
    </Page>
  );
}
