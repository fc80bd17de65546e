/** What asks for somebody at the remotes of a company (contract section 25). */
import type { Db } from '../../db/open.ts';
import { RemoteStore } from '../store.ts';
import { RemoteAttentionStore } from './attention-store.ts';

export interface RemoteAttention {
  readonly kind: 'remote' | 'run';
  readonly count: number;
  readonly href: string;
  readonly remote: string;
}

/** Of one company after the other. */
export function remoteAttention(db: Db): (cpfCnpjRaiz: string) => RemoteAttention[] {
  const remotes = new RemoteStore(db).list();
  const store = new RemoteAttentionStore(db);
  return (cpfCnpjRaiz) =>
    remotes
      .filter(({ companies }) => companies.includes(cpfCnpjRaiz))
      .flatMap(({ id, name }) => {
        const told = {
          href: `/remotos?cpfCnpjRaiz=${cpfCnpjRaiz}&remote=${name}`,
          remote: name,
        };
        return [
          { kind: 'run' as const, count: store.leftOfWaiting(id, cpfCnpjRaiz), ...told },
          { kind: 'remote' as const, count: store.differing(id, cpfCnpjRaiz), ...told },
        ].filter(({ count }) => count > 0);
      });
}
