/** Stores the access that groups of a provider give (contract section 27). */
import type { EpochMs } from '../clock.ts';
import { Store } from '../db/prepared.ts';
import type { Right } from '../right.ts';

/** The access that a group gives. */
export interface AccessGroup {
  readonly group: string;
  /** Roots, or the text `todas`: those that exist at each sign-in. */
  readonly companies: readonly string[] | 'todas';
  readonly papel: Right;
}

export interface StoredGroup extends AccessGroup {
  readonly id: number;
}

interface GroupRow {
  readonly id: number;
  readonly name: string;
  readonly todas: 0 | 1;
  readonly papel: Right;
}

/** A company that a group gives to a person. */
export interface GroupRight {
  readonly groupId: number;
  readonly cpfCnpjRaiz: string;
}

export class GroupStore extends Store {
  readonly #companiesOf = this.values<[id: number], string>(
    'SELECT cpf_cnpj_raiz FROM access_group_company WHERE group_id = ? ORDER BY cpf_cnpj_raiz',
  );
  readonly #toGroup = ({ id, name, todas, papel }: GroupRow): StoredGroup => ({
    id,
    group: name,
    companies: todas === 1 ? 'todas' : this.#companiesOf(id),
    papel,
  });
  readonly find = this.one<[id: number], StoredGroup>(
    'SELECT id, name, todas, papel FROM access_group WHERE id = ?',
    this.#toGroup,
  );
  readonly list = this.many<[], StoredGroup>(
    'SELECT id, name, todas, papel FROM access_group ORDER BY name, id',
    this.#toGroup,
  );
  /** Returns the access that groups of these names give now. `names`: a JSON list. */
  readonly #rightsOf = this.many<[names: string], GroupRight>(
    `SELECT access_group.id AS groupId, company.cpf_cnpj_raiz AS cpfCnpjRaiz
     FROM access_group CROSS JOIN company
     WHERE access_group.name IN (SELECT value FROM json_each(?)) AND (todas = 1 OR EXISTS (
       SELECT 1 FROM access_group_company AS one
       WHERE one.group_id = access_group.id AND one.cpf_cnpj_raiz = company.cpf_cnpj_raiz))
     ORDER BY groupId, cpfCnpjRaiz`,
  );
  readonly #storedRightsOf = this.many<[documento: string], GroupRight>(
    `SELECT group_id AS groupId, cpf_cnpj_raiz AS cpfCnpjRaiz FROM group_right WHERE documento = ?
     ORDER BY groupId, cpfCnpjRaiz`,
  );
  readonly #insert = this.value<[name: string, todas: 0 | 1, papel: Right], number>(
    'INSERT INTO access_group (name, todas, papel) VALUES (?, ?, ?) RETURNING id',
  );
  readonly #insertCompany = this.runs<[id: number, cpfCnpjRaiz: string]>(
    'INSERT OR IGNORE INTO access_group_company (group_id, cpf_cnpj_raiz) VALUES (?, ?)',
  );
  readonly #delete = this.changes<[id: number]>('DELETE FROM access_group WHERE id = ?');
  readonly #deleteRights = this.runs<[documento: string]>('DELETE FROM group_right WHERE documento = ?');
  readonly #insertRight = this.runs<
    [documento: string, groupId: number, cpfCnpjRaiz: string, givenAt: EpochMs]
  >('INSERT INTO group_right (documento, group_id, cpf_cnpj_raiz, given_at) VALUES (?, ?, ?, ?)');
  readonly #lastGivenAt = this.value<[documento: string], EpochMs>(
    'SELECT min(given_at) FROM group_right WHERE documento = ?',
  );
  readonly #deleteGivenBefore = this.changes<[before: EpochMs]>('DELETE FROM group_right WHERE given_at < ?');
  /** Returns true when any right was given before that moment. */
  readonly hasGivenBefore = this.exists<[before: EpochMs]>('SELECT 1 FROM group_right WHERE given_at < ?');

  /** Returns the access that groups of these names give now. */
  rightsOf(names: readonly string[]): GroupRight[] {
    return this.#rightsOf(JSON.stringify(names));
  }

  /** Returns false when the person has exactly these rights by groups, given at that moment or later. */
  differs(documento: string, rights: readonly GroupRight[], since: EpochMs): boolean {
    if (JSON.stringify(this.#storedRightsOf(documento)) !== JSON.stringify(rights)) return true;
    return (this.#lastGivenAt(documento) ?? since) < since;
  }

  /** Replaces the rights that a person has by groups. */
  putRights(documento: string, rights: readonly GroupRight[], now: EpochMs): void {
    this.#deleteRights(documento);
    for (const { groupId, cpfCnpjRaiz } of rights) this.#insertRight(documento, groupId, cpfCnpjRaiz, now);
  }

  /** Removes the rights that were given before that moment. Returns their number. */
  takeGivenBefore(before: EpochMs): number {
    return this.#deleteGivenBefore(before);
  }

  /** Returns the number of the new group. */
  add({ group, companies, papel }: AccessGroup): number {
    const isAll = companies === 'todas';
    const id = this.#insert(group, isAll ? 1 : 0, papel) as number; // the statement returns it
    for (const company of isAll ? [] : companies) this.#insertCompany(id, company);
    return id;
  }

  remove(id: number): boolean {
    return this.#delete(id) > 0;
  }
}
