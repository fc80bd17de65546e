/** Access by groups of a provider (contract section 27). */
import { type Actor, membersChanged } from '../change.ts';
import { notFound } from '../errors.ts';
import { type AccountChangesParts, type ChangeAccounts, accountChanges } from './account-changes.ts';
import type { AccessGroup, GroupStore, StoredGroup } from './group-store.ts';
import { SYSTEM } from './model.ts';

export interface GroupsParts extends AccountChangesParts {
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
  add(given: AccessGroup, by: Actor): Promise<number> {
    return this.#change(by, (tell) => {
      if (given.companies !== 'todas') this.#parts.requireCompanies(given.companies, '/companies');
      const id = this.#parts.groups.add(given);
      tell('include', 'grupo', String(id), membersChanged(undefined, toMembers(given)));
      return id;
    });
  }

  /** Throws 404. Whoever had companies by the group alone loses them at once. */
  remove(id: number, by: Actor): Promise<void> {
    return this.#change(by, (tell) => {
      const group = this.#parts.groups.find(id);
      if (group === undefined || !this.#parts.groups.remove(id)) throw notFound(`Não existe o grupo ${id}.`);
      tell('remove', 'grupo', String(id), membersChanged(toMembers(group), undefined));
    });
  }

  /** Gives a person what its groups give now, and takes what earlier ones gave. */
  async signedIn(documento: string, names: readonly string[]): Promise<void> {
    const { groups } = this.#parts;
    const rights = groups.rightsOf(names);
    if (!groups.differs(documento, rights)) return;
    await this.#change(SYSTEM, () => groups.putRights(documento, groups.rightsOf(names)));
  }
}

const toMembers = ({ group, companies, papel }: AccessGroup) => ({
  group,
  companies: companies === 'todas' ? companies : companies.join(', '),
  papel,
});
