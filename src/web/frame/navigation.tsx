/** The navigation: the offered pages in their groups, and the help. */
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useAttentionCount } from '../api/attention.ts';
import { addressFor, useCompanyChoice } from '../api/use-company.ts';
import { GROUPS, type PageEntry } from '../pages.ts';
import { withCount } from '../words.ts';

export interface NavigationProps {
  readonly isSignedOut: boolean;
  readonly current: PageEntry | undefined;
  readonly offered: readonly PageEntry[];
  /** True for users with a catalogue of their own. */
  readonly isRepresentative: boolean;
}

export function Navigation({ isSignedOut, current, offered, isRepresentative }: NavigationProps) {
  const { company, showsAllCompanies } = useCompanyChoice();
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
        >
          {address === PANEL && isRepresentative && (
            <AttentionCount
              key={`${current?.address} ${company}`}
              company={showsAllCompanies ? '' : company}
              isOnPanel={current?.address === PANEL}
            />
          )}
        </Item>
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

const PANEL = '/';

/** The number of items that need attention, next to the panel that lists them. Each page reads it once. */
function AttentionCount({ company, isOnPanel }: { readonly company: string; readonly isOnPanel: boolean }) {
  const count = useAttentionCount({ company, isEnabled: !isOnPanel && company !== '' });
  if (count === 0) return null;
  return (
    <span class="nav-count">
      <span aria-hidden="true">{count}</span>
      <span class="hidden">{withCount(count, 'item pede atenção', 'itens pedem atenção')}</span>
    </span>
  );
}

function List(props: { readonly heading?: string | undefined; readonly children: ComponentChildren }) {
  const { heading, children } = props;
  const id = useId();
  return (
    <>
      {heading !== undefined && <p id={id}>{heading}</p>}
      <ul aria-labelledby={heading === undefined ? undefined : id}>{children}</ul>
    </>
  );
}

function Item(props: {
  readonly address: string;
  readonly name: string;
  readonly current: PageEntry | undefined;
  readonly company?: string;
  /** Called when the pointer or the focus reaches the link. */
  readonly onNear?: () => void;
  /** Shown next to the link. */
  readonly children?: ComponentChildren;
}) {
  const { address, name, current, company = '', onNear, children } = props;
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
      {children}
    </li>
  );
}
