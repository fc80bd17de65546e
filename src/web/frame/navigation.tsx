/** The navigation. It offers only the pages that the user may open. */
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import { instance } from '../api/instance.ts';
import { rolesOf, type Who } from '../api/session.ts';
import { addressFor, useCompany } from '../api/use-company.ts';
import { PAGES, type PageEntry } from '../pages.ts';

export function Navigation({
  who,
  current,
}: {
  readonly who: Who;
  readonly current: PageEntry | undefined;
}): JSX.Element {
  const company = useCompany();
  const entries = offeredPages(who);
  return (
    <nav aria-label="Principal">
      <ul>
        {who === 'nobody' && <Item address="/entrar" title="Entrar" current={current} />}
        {entries.map((entry) => (
          <Item
            key={entry.address}
            address={entry.address}
            title={entry.title}
            current={current}
            company={entry.who === 'anybody' ? '' : company}
            onNear={() => void entry.load().catch(() => undefined)}
          />
        ))}
        <li>
          {/* The server renders it: another document. */}
          <a href="/ajuda">Ajuda</a>
        </li>
      </ul>
    </nav>
  );
}

function Item({
  address,
  title,
  current,
  company = '',
  onNear,
}: {
  readonly address: string;
  readonly title: string;
  readonly current: PageEntry | undefined;
  readonly company?: string;
  /** Called when the pointer or the focus reaches the link. */
  readonly onNear?: () => void;
}): JSX.Element {
  const isHere = current?.address === address;
  const isAbove = address !== '/' && (current?.address.startsWith(`${address}/`) ?? false);
  return (
    <li>
      <Link
        href={addressFor(address, company)}
        aria-current={isHere || isAbove ? 'page' : undefined}
        onPointerEnter={onNear}
        onFocus={onNear}
      >
        {title}
      </Link>
    </li>
  );
}

export const offeredPages = (who: Who): readonly PageEntry[] =>
  PAGES.filter((entry) => isOffered(entry, who));

function isOffered({ inNavigation, who: may, onlyInDev = false }: PageEntry, who: Who): boolean {
  if (!inNavigation || (onlyInDev && !instance.isDev)) return false;
  if (may === 'anybody') return true;
  if (typeof who === 'string') return false;
  const roles = rolesOf(who);
  return may.some((role) => roles.includes(role));
}
