/** The pages that the navigation and the shortcuts offer to the user. */
import { useMemo } from 'preact/hooks';
import type { Remote } from '../api/answers.ts';
import { instance } from '../api/instance.ts';
import { rolesOf, type CurrentUser } from '../api/session.ts';
import { useResource } from '../api/use-resource.ts';
import type { Role } from '../page.ts';
import { PAGES, type PageEntry } from '../pages.ts';
import { REMOTES } from '../remotos/words.ts';

const REMOTES_PAGE = '/remotos';

/** Lists the pages of the navigation that the user may open. The remotes are offered once there is one. */
export function useOfferedPages(
  currentUser: CurrentUser,
  current: PageEntry | undefined,
): readonly PageEntry[] {
  const hasRemotes = useHasRemotes(currentUser, current?.address === REMOTES_PAGE);
  return useMemo(
    () =>
      PAGES.filter(
        (entry) =>
          isOffered(entry, rolesOfCurrentUser(currentUser)) && (entry.address !== REMOTES_PAGE || hasRemotes),
      ),
    [currentUser, hasRemotes],
  );
}

/** `isOnPage`: the page of remotes is open. It may change their number, so they are requested again when the
 * user leaves it. */
function useHasRemotes(currentUser: CurrentUser, isOnPage: boolean): boolean {
  const mayRead = rolesOfCurrentUser(currentUser).some((role) => role !== 'agent');
  const { value } = useResource<readonly Remote[]>(mayRead && !isOnPage ? REMOTES : undefined);
  return mayRead && (isOnPage || (value !== undefined && value.length > 0));
}

const rolesOfCurrentUser = (currentUser: CurrentUser): readonly Role[] =>
  typeof currentUser === 'string' ? [] : rolesOf(currentUser);

function isOffered({ group, audience: may, onlyInDev = false }: PageEntry, roles: readonly Role[]): boolean {
  if (group === undefined || (onlyInDev && !instance.isDev)) return false;
  return may === 'anybody' || may.some((role) => roles.includes(role));
}
