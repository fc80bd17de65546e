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

export type RemoteService = ReturnType<typeof createRemoteService>;

export function createRemoteService({
  store,
  writer,
  connections,
  wires,
  requireCompanies,
  endOrphaned,
}: {
  readonly store: RemoteStore;
  readonly writer: Writer;
  readonly connections: RemoteConnections;
  readonly wires: HttpWires;
  /** Throws 422 for unknown companies. `path`: the member that lists them. */
  readonly requireCompanies: (companies: readonly string[], path: string) => void;
  /** Ends the comparisons and runs of a remote for companies that it no longer has. */
  readonly endOrphaned: (remoteId: number, companies: readonly string[]) => Promise<void>;
}) {
  /** Returns all remotes for an administrator, and the remotes of the caller's companies for others. */
  function list(caller?: Caller): RemoteForm[] {
    return store
      .list()
      .filter((remote) => maySee(caller, remote))
      .map((remote) => formFor(remote, caller));
  }

  /** Returns a remote. Throws 404, also when the caller may not see it. */
  function get(caller: Caller, name: string): RemoteForm {
    const remote = find(name);
    if (!maySee(caller, remote)) throw unknownRemote(name);
    return formFor(remote, caller);
  }

  /** Returns a remote for a command on the data folder. Throws 404. */
  function formOf(name: string): RemoteForm {
    return formFor(find(name));
  }

  /** Returns a remote. Throws 404. */
  function find(name: string): Remote {
    const remote = store.find(name);
    if (remote === undefined) throw unknownRemote(name);
    return remote;
  }

  /** Creates a remote. Throws 422. */
  async function add(
    { name, companies, rules = 'portal', ...connectionRequest }: RemoteRequest,
    by: Actor,
  ): Promise<RemoteForm> {
    const connection = await requestedConnection(connectionRequest, undefined);
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
      return formFor(added);
    });
  }

  /**
   * Changes the given members of a remote. A change of the server deletes the mappings. Throws 404, 422.
   */
  async function change(
    name: string,
    { companies, rules, ...connectionRequest }: RemoteChange,
    by: Actor,
  ): Promise<RemoteForm> {
    const remote = find(name);
    const before = connections.find(remote.id);
    const connection = await requestedConnection(connectionRequest, before);
    const isOther = before !== undefined && connection !== undefined && isOtherServer(before, connection);
    const changed = await writer.write((tx) => {
      const { id } = find(name);
      requireCompanies(companies ?? [], '/companies');
      const after = { ...remote, rules: rules ?? remote.rules, companies: companies ?? remote.companies };
      if (isOther) forget(id);
      else store.change(id, after.rules, after.companies);
      const now = isOther ? store.insert(after) : id;
      if (connection !== undefined) connections.put(now, connection);
      const members = membersChanged(auditedMembers(remote, before), {
        ...auditedMembers(after, connection ?? before),
        ...auditedSecret(before, connection),
      });
      tx.record(remoteChange(name, 'ALTERACAO', by, members));
      return formFor({ ...after, id: now });
    });
    wires.forget(remote.id);
    await endOrphaned(remote.id, isOther ? [] : changed.companies);
    return changed;
  }

  function hasConnection(id: number): boolean {
    return connections.has(id);
  }

  /** Signs in to the remote and returns the result. Throws 404, 422. */
  async function trySignIn(name: string): Promise<TriedForm> {
    const { id } = find(name);
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
  async function remove(name: string, by: Actor): Promise<void> {
    const removedId = await writer.write((tx) => {
      const remote = find(name);
      const members = membersChanged(connections.auditedMembers(remote), undefined);
      forget(remote.id);
      wires.forget(remote.id);
      tx.record(remoteChange(name, 'EXCLUSAO', by, members));
      return remote.id;
    });
    await endOrphaned(removedId, []);
  }

  /** Deletes the secret at once. The other data is deleted in slices later. */
  function forget(id: number): void {
    store.markGone(id);
    connections.delete(id);
  }

  /**
   * Returns the response form. Connection details are for administrators and for commands on the data folder;
   * others see only that a connection exists and its pace.
   */
  function formFor({ id, name, companies, rules }: Remote, caller?: Caller): RemoteForm {
    const connection = connections.find(id);
    const publicMembers = { name, companies: [...companies], rules };
    if (connection === undefined) return publicMembers;
    if (caller === undefined || caller.administrador)
      return { ...publicMembers, ...connectionForm(connection) };
    const { perHour, downtime } = connection;
    return { ...publicMembers, perHour, downtime };
  }

  return { list, get, formOf, find, add, change, hasConnection, try: trySignIn, remove };
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
