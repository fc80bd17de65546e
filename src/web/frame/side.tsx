/** The side bar: current page, company, navigation, user. On a phone it is a drawer. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import type { Session } from '../api/answers.ts';
import { instance } from '../api/instance.ts';
import { rolesOf, signOut, useCurrentUser } from '../api/session.ts';
import type { PageEntry } from '../pages.ts';
import { Button } from '../ui/button.tsx';
import { ambienteName } from '../words.ts';
import { CompanyFinder, CurrentCompany } from './company-switcher.tsx';
import { Navigation } from './navigation.tsx';
import { Search } from './search.tsx';

export interface SideProps {
  readonly current: PageEntry | undefined;
  /** The pages that the navigation offers. */
  readonly offered: readonly PageEntry[];
}

export function Side({ current, offered }: SideProps) {
  const currentUser = useCurrentUser();
  const [path] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const header = useRef<HTMLElement>(null);
  useEffect(() => setOpen(false), [path]);
  const close = (): void => {
    setOpen(false);
    header.current?.querySelector<HTMLElement>('.side-menu button')?.focus();
  };
  return (
    <header
      class={`side${isOpen ? ' open' : ''}`}
      ref={header}
      onKeyDown={({ key }) => key === 'Escape' && isOpen && close()}
    >
      <div class="side-top">
        <Logo />
        <Environment />
        {typeof currentUser === 'object' && <CurrentCompany session={currentUser} />}
        <div class="side-menu">
          <Button icon="menu" small expanded={isOpen} controls="side-body" onPress={() => setOpen(!isOpen)}>
            Menu
          </Button>
        </div>
      </div>
      <div class="side-body" id="side-body">
        {typeof currentUser === 'object' && <CompanyFinder session={currentUser} />}
        {typeof currentUser === 'object' && currentUser.companies.length > 0 && <Search />}
        <Navigation
          isSignedOut={currentUser === 'nobody'}
          current={current}
          offered={offered}
          isRepresentative={
            typeof currentUser === 'object' && rolesOf(currentUser).includes('representative')
          }
        />
        {typeof currentUser === 'object' && <SignedInUser session={currentUser} />}
      </div>
    </header>
  );
}

const Logo = () => (
  <Link class="logo" href="/">
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M16 6.5 25 11v10l-9 4.5L7 21V11z" />
      <path d="M7 11l9 4.5L25 11M16 15.5v10" />
    </svg>
    <span>
      <strong>catp</strong>
    </span>
  </Link>
);

/** Names the environment on every page, and states that it is not the official one. */
const Environment = () => (
  <p class={`environment ${instance.ambiente}`} title={`ambiente = ${instance.ambiente}`}>
    <strong>{ambienteName(instance.ambiente)}</strong> sem efeito legal
  </p>
);

const SignedInUser = ({ session }: { readonly session: Session }) => (
  <div class="me">
    <p>
      <strong>{session.nome}</strong>
      <span class="muted">{session.perfil}</span>
      <Link href="/conta">Minha conta</Link>
    </p>
    <Button small onPress={() => void signOut()}>
      Sair
    </Button>
  </div>
);
