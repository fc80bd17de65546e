/** The navigation: the offered pages in their groups, and the help. */
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { addressFor, useCompany } from '../api/use-company.ts';
import { GROUPS, type PageEntry } from '../pages.ts';

export interface NavigationProps {
  readonly isSignedOut: boolean;
  readonly current: PageEntry | undefined;
  readonly offered: readonly PageEntry[];
}

export function Navigation({ isSignedOut, current, offered }: NavigationProps): JSX.Element {
  const company = useCompany();
  const itemsOf = (group: string): readonly JSX.Element[] =>
    offered
      .filter((entry) => entry.group === group)
      .map(({ address, title, label = title, load }) => (
        <Item
          key={address}
          address={address}
          name={label}
          current={current}
          company={company}
          onNear={() => void load().catch(() => undefined)}
        />
      ));
  return (
    <nav aria-label="Principal">
      {Object.entries(GROUPS).map(([group, heading]) => {
        const items = itemsOf(group);
        return (
          items.length > 0 && (
            <List key={group} heading={heading}>
              {items}
            </List>
          )
        );
      })}
      <List>
        {isSignedOut && <Item address="/entrar" name="Entrar" current={current} />}
        {itemsOf('developer')}
        <li>
          {/* The server renders it: another document. */}
          <a href="/ajuda">Ajuda</a>
        </li>
      </List>
    </nav>
  );
}

function List({
  heading,
  children,
}: {
  readonly heading?: string | undefined;
  readonly children: ComponentChildren;
}): JSX.Element {
  const id = useId();
  return (
    <>
      {heading !== undefined && <p id={id}>{heading}</p>}
      <ul aria-labelledby={heading === undefined ? undefined : id}>{children}</ul>
    </>
  );
}

function Item({
  address,
  name,
  current,
  company = '',
  onNear,
}: {
  readonly address: string;
  readonly name: string;
  readonly current: PageEntry | undefined;
  readonly company?: string;
  /** Called when the pointer or the focus reaches the link. */
  readonly onNear?: () => void;
}): JSX.Element {
  const isOpen = current?.address === address;
  const isAbove = address !== '/' && (current?.address.startsWith(`${address}/`) ?? false);
  return (
    <li>
      <Link
        href={addressFor(address, company)}
        aria-current={isOpen || isAbove ? 'page' : undefined}
        onPointerEnter={onNear}
        onFocus={onNear}
      >
        {name}
      </Link>
    </li>
  );
}
