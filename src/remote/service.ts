/**
 * Remotes (contract section 18): administrators configure them, and representatives of their companies see
 * them.
 */
import {
  type Actor,
  type Change,
  type ChangeAction,
  type MembersChanged,
  membersChanged,
} from '../change.ts';
import type { Writer } from '../db/writer.ts';
import { notFound } from '../errors.ts';
import { represents } from '../session/guard.ts';
import type { Caller } from '../session/model.ts';
import { momentText } from '../validation/calendar.ts';
import { formatValue } from '../validation/format-value.ts';
import { refuseRemote } from './codes.ts';
import type { Comparison, Remote, RemoteChange, RemoteRequest } from './model.ts';
import type { RemoteStore } from './store.ts';
import type { TriedForm } from './wire/model.ts';
import {
  type RemoteConnections,
  auditedMembers,
  auditedSecret,
  isOtherServer,
  requestedConnection,
  connectionForm,
} from './remote-connections.ts';
import type { HttpWires } from './wire/wires.ts';

export type RemoteForm = Omit<Remote, 'id' | 'companies'> & { companies: string[] } & Partial<
    ReturnType<typeof connectionForm>
  >;

export interface RemoteServiceParts {
  readonly store: RemoteStore;
  readonly writer: Writer;
  readonly connections: RemoteConnections;
  readonly wires: HttpWires;
  /** Throws 422 for unknown companies. `path`: the member that lists them. */
  readonly requireCompanies: (companies: readonly string[], path: string) => void;
  /** Ends the comparisons and runs of a remote for companies that it no longer has. */
  readonly endOrphaned: (remoteId: number, companies: readonly string[]) => Promise<void>;
}

export class RemoteService {
  readonly #parts: RemoteServiceParts;

  constructor(parts: RemoteServiceParts) {
    this.#parts = parts;
  }

  /** Returns all remotes for an administrator, and the remotes of the caller's companies for others. */
  list(caller?: Caller): RemoteForm[] {
    return this.#parts.store
      .list()
      .filter((remote) => maySee(caller, remote))
      .map((remote) => this.#formFor(remote, caller));
  }

  /** Returns a remote. Throws 404, also when the caller may not see it. */
  get(caller: Caller, name: string): RemoteForm {
    const remote = this.find(name);
    if (!maySee(caller, remote)) throw unknownRemote(name);
    return this.#formFor(remote, caller);
  }

  /** Returns a remote for a command on the data folder. Throws 404. */
  formOf(name: string): RemoteForm {
    return this.#formFor(this.find(name));
  }

  /** Returns a remote. Throws 404. */
  find(name: string): Remote {
    const remote = this.#parts.store.find(name);
    if (remote === undefined) throw unknownRemote(name);
    return remote;
  }

  /** Creates a remote. Throws 422. */
  async add(
    { name, companies, rules = 'portal', ...connectionRequest }: RemoteRequest,
    by: Actor,
  ): Promise<RemoteForm> {
    const connection = await requestedConnection(connectionRequest, undefined);
    const { store, writer, connections, requireCompanies } = this.#parts;
    return writer.write((tx) => {
      requireCompanies(companies, '/companies');
      if (store.find(name) !== undefined)
        refuseRemote(
          'repeatedRemote',
          '/name',
          `já existe um remoto ${formatValue(name)}; altere esse, ou escolha outro nome.`,
        );
      const id = store.insert({ name, companies, rules });
      if (connection !== undefined) connections.put(id, connection);
      const added = { id, name, companies, rules };
      const members = { ...auditedMembers(added, connection), ...auditedSecret(undefined, connection) };
      tx.record(remoteChange(name, 'INCLUSAO', by, membersChanged(undefined, members)));
      return this.#formFor(added);
    });
  }

  /**
   * Changes the given members of a remote. A change of the server deletes the mappings. Throws 404, 422.
   */
  async change(
    name: string,
    { companies, rules, ...connectionRequest }: RemoteChange,
    by: Actor,
  ): Promise<RemoteForm> {
    const { store, writer, connections, wires, requireCompanies } = this.#parts;
    const remote = this.find(name);
    const before = connections.find(remote.id);
    const connection = await requestedConnection(connectionRequest, before);
    const isOther = before !== undefined && connection !== undefined && isOtherServer(before, connection);
    const changed = await writer.write((tx) => {
      const { id } = this.find(name);
      requireCompanies(companies ?? [], '/companies');
      const after = { ...remote, rules: rules ?? remote.rules, companies: companies ?? remote.companies };
      if (isOther) this.#forget(id);
      else store.change(id, after.rules, after.companies);
      const now = isOther ? store.insert(after) : id;
      if (connection !== undefined) connections.put(now, connection);
      const members = membersChanged(auditedMembers(remote, before), {
        ...auditedMembers(after, connection ?? before),
        ...auditedSecret(before, connection),
      });
      tx.record(remoteChange(name, 'ALTERACAO', by, members));
      return this.#formFor({ ...after, id: now });
    });
    wires.forget(remote.id);
    await this.#parts.endOrphaned(remote.id, isOther ? [] : changed.companies);
    return changed;
  }

  hasConnection(id: number): boolean {
    return this.#parts.connections.has(id);
  }

  /** Signs in to the remote and returns the result. Throws 404, 422. */
  async try(name: string): Promise<TriedForm> {
    const { connections, wires } = this.#parts;
    const { id } = this.find(name);
    const connection = connections.find(id);
    if (connection === undefined)
      return refuseRemote(
        'noAddress',
        '/name',
        `o remoto ${formatValue(name)} não tem endereço; ponha-o no cadastro.`,
      );
    const { until, ...tried } = await wires.open(id).try();
    const { certificate } = connectionForm(connection);
    return { ...tried, until: until === null ? null : momentText(until), certificate };
  }

  /** Removes a remote. Throws 404. */
  async remove(name: string, by: Actor): Promise<void> {
    const removedId = await this.#parts.writer.write((tx) => {
      const remote = this.find(name);
      const members = membersChanged(this.#parts.connections.auditedMembers(remote), undefined);
      this.#forget(remote.id);
      this.#parts.wires.forget(remote.id);
      tx.record(remoteChange(name, 'EXCLUSAO', by, members));
      return remote.id;
    });
    await this.#parts.endOrphaned(removedId, []);
  }

  /** Deletes the secret at once. The other data is deleted in slices later. */
  #forget(id: number): void {
    this.#parts.store.markGone(id);
    this.#parts.connections.delete(id);
  }

  /**
   * Returns the response form. Connection details are for administrators and for commands on the data folder;
   * others see only that a connection exists and its pace.
   */
  #formFor({ id, name, companies, rules }: Remote, caller?: Caller): RemoteForm {
    const connection = this.#parts.connections.find(id);
    const publicMembers = { name, companies: [...companies], rules };
    if (connection === undefined) return publicMembers;
    if (caller === undefined || caller.administrador)
      return { ...publicMembers, ...connectionForm(connection) };
    const { perHour, downtime } = connection;
    return { ...publicMembers, perHour, downtime };
  }
}

const maySee = (caller: Caller | undefined, { companies }: Remote): boolean =>
  caller === undefined || caller.administrador || companies.some((company) => represents(caller, company));

const unknownRemote = (name: string) =>
  notFound(
    `Não existe remoto ${formatValue(name)}, ou ele não é de uma empresa que o usuário logado representa.`,
  );

/** A comparison, run or pair that a caller requested. */
export const remoteWork = (
  work: Pick<Comparison, 'id' | 'remote' | 'cpfCnpjRaiz'> & { readonly direction?: string },
  action: ChangeAction,
  by: Actor,
): Change => {
  const { id, remote, cpfCnpjRaiz, direction } = work;
  const after = { cpfCnpjRaiz, id, ...(direction === undefined ? {} : { direction }) };
  return { by, action, kind: 'remoto', key: remote, before: null, after };
};

const remoteChange = (name: string, action: ChangeAction, by: Actor, members: MembersChanged): Change => ({
  ...members,
  by,
  action,
  kind: 'remoto',
  key: name,
});
