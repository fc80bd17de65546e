/** Remotes (contract section 18): set up by an administrator, seen by whoever represents one of their companies. */
import type { Actor, Change } from '../change.ts';
import type { Writer } from '../db/writer.ts';
import { notFound } from '../errors.ts';
import { mayWrite } from '../session/guard.ts';
import type { Caller } from '../session/model.ts';
import { shown } from '../validation/shown.ts';
import { refuseRemote } from './codes.ts';
import type { Remote, RemoteChange, RemoteRequest } from './model.ts';
import type { RemoteStore } from './store.ts';

export type ShownRemote = Omit<Remote, 'id' | 'companies'> & { companies: string[] };

export interface RemoteServiceParts {
  readonly store: RemoteStore;
  readonly writer: Writer;
}

export class RemoteService {
  readonly #parts: RemoteServiceParts;

  constructor(parts: RemoteServiceParts) {
    this.#parts = parts;
  }

  /** All of them for an administrator; for others those of their companies. */
  list(caller?: Caller): ShownRemote[] {
    return this.#parts.store
      .list()
      .filter((remote) => maySee(caller, remote))
      .map(shownRemote);
  }

  /** Throws 404, also for one that the caller does not see. */
  get(caller: Caller, name: string): ShownRemote {
    const remote = this.find(name);
    if (!maySee(caller, remote)) throw unknownRemote(name);
    return shownRemote(remote);
  }

  /** Throws 404. */
  find(name: string): Remote {
    const remote = this.#parts.store.find(name);
    if (remote === undefined) throw unknownRemote(name);
    return remote;
  }

  /** Throws 422. */
  add({ name, companies, rules = 'portal' }: RemoteRequest, by: Actor): Promise<ShownRemote> {
    return this.#parts.writer.write((tx) => {
      if (this.#parts.store.find(name) !== undefined)
        refuseRemote(
          'repeatedRemote',
          '/name',
          `já existe um remoto ${shown(name)}; altere-o com PUT, ou escolha outro nome.`,
        );
      this.#parts.store.insert({ name, companies, rules });
      tx.record(remoteChange(name, 'INCLUSAO', by));
      return { name, companies: [...companies], rules };
    });
  }

  /** Changes what is said. Throws 404. */
  change(name: string, { companies, rules }: RemoteChange, by: Actor): Promise<ShownRemote> {
    return this.#parts.writer.write((tx) => {
      const before = this.find(name);
      const after = { ...before, rules: rules ?? before.rules, companies: companies ?? before.companies };
      this.#parts.store.change(before.id, after.rules, after.companies);
      tx.record(remoteChange(name, 'ALTERACAO', by));
      return shownRemote(after);
    });
  }

  /** Throws 404. */
  remove(name: string, by: Actor): Promise<void> {
    return this.#parts.writer.write((tx) => {
      this.#parts.store.markGone(this.find(name).id);
      tx.record(remoteChange(name, 'EXCLUSAO', by));
    });
  }
}

const maySee = (caller: Caller | undefined, { companies }: Remote): boolean =>
  caller === undefined || caller.administrador || companies.some((company) => mayWrite(caller, company));

const shownRemote = ({ name, companies, rules }: Remote): ShownRemote => ({
  name,
  companies: [...companies],
  rules,
});

const unknownRemote = (name: string) =>
  notFound(`Não existe remoto ${shown(name)}, ou ele não é de uma empresa que o usuário logado representa.`);

const remoteChange = (name: string, action: string, by: Actor): Change => ({
  ...{ by, action, kind: 'remoto', key: name },
});
