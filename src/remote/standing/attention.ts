/** Attention items of the remotes of a company (contract section 25). */
import type { Db } from '../../db/open.ts';
import { withCount } from '../../validation/text.ts';
import { RemoteStore } from '../store.ts';
import { RemoteAttentionStore } from './attention-store.ts';

export interface RemoteAttentionItem {
  readonly kind: 'remotos';
  /** The name of the remote. */
  readonly id: string;
  readonly count: number;
  readonly href: string;
  readonly tone: 'warning';
  readonly message: string;
}

/** Returns a function that lists the items of a company, one for each remote. */
export function remoteAttention(db: Db): (cpfCnpjRaiz: string) => RemoteAttentionItem[] {
  const remotes = new RemoteStore(db).list();
  const store = new RemoteAttentionStore(db);
  return (cpfCnpjRaiz) =>
    remotes
      .filter(({ companies }) => companies.includes(cpfCnpjRaiz))
      .flatMap(({ id, name }): RemoteAttentionItem[] => {
        const waiting = store.countOpenSteps(id, cpfCnpjRaiz);
        const different = store.countDifferent(id, cpfCnpjRaiz);
        const words = [
          ...(waiting > 0
            ? [`${withCount(waiting, 'passo à espera', 'passos à espera')} no envio ao remoto ${name}`]
            : []),
          ...(different > 0
            ? [`${withCount(different, 'registro difere', 'registros diferem')} do remoto ${name}`]
            : []),
        ];
        // A record with an open step also counts as different, so each is counted once.
        const count = Math.max(waiting, different);
        const href = `/remotos?cpfCnpjRaiz=${cpfCnpjRaiz}&remote=${name}`;
        return count === 0
          ? []
          : [{ kind: 'remotos', id: name, count, href, tone: 'warning', message: `${words.join('; ')}.` }];
      });
}
