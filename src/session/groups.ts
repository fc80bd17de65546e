/** Manages access by groups of a provider (contract section 27). */
import { type Actor, membersChanged } from '../change.ts';
import { type Clock, DAY_MS } from '../clock.ts';
import { notFound } from '../errors.ts';
import { type ChangeAccounts } from './account-changes.ts';
import type { AccessGroup, GroupStore, StoredGroup } from './group-store.ts';
import { SYSTEM } from './model.ts';

/** Time after a sign-in by the provider in which the rights by its groups count for messages and events. */
const GROUP_RIGHTS_MS = 30 * DAY_MS;

export class Groups {
  readonly #change: ChangeAccounts;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #groups: GroupStore;
  /** Throws 422 with the companies that do not exist. `path`: the position of their list in the sent body. */
  readonly #requireCompanies: (companies: readonly string[], path: string) => void;

  constructor(
    change: ChangeAccounts,
    clock: Pick<Clock, 'now'>,
    groups: GroupStore,
    requireCompanies: (companies: readonly string[], path: string) => void,
  ) {
    this.#change = change;
    this.#clock = clock;
    this.#groups = groups;
    this.#requireCompanies = requireCompanies;
  }

  list = (): readonly StoredGroup[] => this.#groups.list();

  /** Returns the number of the new group. Throws 422. */
  add(group: AccessGroup, by: Actor): Promise<number> {
    return this.#change(by, (record) => {
      if (group.companies !== 'todas') this.#requireCompanies(group.companies, '/companies');
      const id = this.#groups.add(group);
      record('include', 'grupo', String(id), membersChanged(undefined, toMembers(group)));
      return id;
    });
  }

  /** Removes a group. A person loses each company that only this group gave at once. Throws 404. */
  remove(id: number, by: Actor): Promise<void> {
    return this.#change(by, (record) => {
      const group = this.#groups.find(id);
      if (group === undefined || !this.#groups.remove(id)) throw notFound(`Não existe o grupo ${id}.`);
      record('remove', 'grupo', String(id), membersChanged(toMembers(group), undefined));
    });
  }

  /** Gives a person the rights of its current groups, and removes those of earlier ones. */
  async updateRights(documento: string, names: readonly string[]): Promise<void> {
    const rights = this.#groups.rightsOf(names);
    if (!this.#groups.differs(documento, rights, this.#clock.now() - DAY_MS)) return;
    await this.#change(SYSTEM, (_, { now }) =>
      this.#groups.putRights(documento, this.#groups.rightsOf(names), now),
    );
  }

  /** Removes the rights by groups of people who have not signed in by the provider for some time. */
  async runOnce(): Promise<{ readonly taken: number }> {
    const before = this.#clock.now() - GROUP_RIGHTS_MS;
    if (!this.#groups.hasGivenBefore(before)) return { taken: 0 };
    return { taken: await this.#change(SYSTEM, () => this.#groups.takeGivenBefore(before)) };
  }
}

const toMembers = ({ group, companies, papel }: AccessGroup) => ({
  group,
  companies: companies === 'todas' ? companies : companies.join(', '),
  papel,
});
