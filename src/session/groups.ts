/** Manages access by groups of a provider (contract section 27). */
import { type Actor, membersChanged } from '../change.ts';
import { type Clock, DAY_MS } from '../clock.ts';
import { notFound } from '../errors.ts';
import { type AccountChangesParts, type ChangeAccounts, accountChanges } from './account-changes.ts';
import type { AccessGroup, GroupStore, StoredGroup } from './group-store.ts';
import { SYSTEM } from './model.ts';

/** Time after a sign-in by the provider in which the rights by its groups count for messages and events. */
const GROUP_RIGHTS_MS = 30 * DAY_MS;

export interface GroupsParts extends AccountChangesParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly groups: GroupStore;
  /** Throws 422 with the companies that do not exist. `path`: the position of their list in the sent body. */
  readonly requireCompanies: (companies: readonly string[], path: string) => void;
}

export class Groups {
  readonly #parts: GroupsParts;
  readonly #change: ChangeAccounts;

  constructor(parts: GroupsParts) {
    this.#parts = parts;
    this.#change = accountChanges(parts);
  }

  list = (): readonly StoredGroup[] => this.#parts.groups.list();

  /** Returns the number of the new group. Throws 422. */
  add(group: AccessGroup, by: Actor): Promise<number> {
    return this.#change(by, (record) => {
      if (group.companies !== 'todas') this.#parts.requireCompanies(group.companies, '/companies');
      const id = this.#parts.groups.add(group);
      record('include', 'grupo', String(id), membersChanged(undefined, toMembers(group)));
      return id;
    });
  }

  /** Removes a group. A person loses each company that only this group gave at once. Throws 404. */
  remove(id: number, by: Actor): Promise<void> {
    return this.#change(by, (record) => {
      const group = this.#parts.groups.find(id);
      if (group === undefined || !this.#parts.groups.remove(id)) throw notFound(`Não existe o grupo ${id}.`);
      record('remove', 'grupo', String(id), membersChanged(toMembers(group), undefined));
    });
  }

  /** Gives a person the rights of its current groups, and removes those of earlier ones. */
  async updateRights(documento: string, names: readonly string[]): Promise<void> {
    const { groups, clock } = this.#parts;
    const rights = groups.rightsOf(names);
    if (!groups.differs(documento, rights, clock.now() - DAY_MS)) return;
    await this.#change(SYSTEM, (_, { now }) => groups.putRights(documento, groups.rightsOf(names), now));
  }

  /** Removes the rights by groups of people who have not signed in by the provider for some time. */
  async runOnce(): Promise<{ readonly taken: number }> {
    const { groups, clock } = this.#parts;
    const before = clock.now() - GROUP_RIGHTS_MS;
    if (!groups.hasGivenBefore(before)) return { taken: 0 };
    return { taken: await this.#change(SYSTEM, () => groups.takeGivenBefore(before)) };
  }
}

const toMembers = ({ group, companies, papel }: AccessGroup) => ({
  group,
  companies: companies === 'todas' ? companies : companies.join(', '),
  papel,
});
