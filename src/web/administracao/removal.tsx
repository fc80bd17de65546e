/** Says what goes with an account, or with the sessions of a user, before that is done. */
import type { JSX } from 'preact';
import type { AccessKey, Company, Representation, User } from '../api/answers.ts';
import { api } from '../api/api.ts';
import type { Result } from '../api/result.ts';
import { useSession } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { Confirm } from '../ui/dialog.tsx';
import { COMPANIES, KEYS, REPRESENTATIONS, USERS, userInWords } from './words.ts';

export type Removal =
  | { readonly what: 'company'; readonly company: Company }
  | { readonly what: 'user' | 'sessions'; readonly user: User }
  | { readonly what: 'representation'; readonly representation: Representation }
  | { readonly what: 'key'; readonly key: AccessKey };

export interface RemovalDialogProps {
  readonly removal: Removal;
  readonly users: readonly User[];
  readonly onRemoved: (words: string) => void;
  readonly onClose: () => void;
}

export function RemovalDialog({ removal, users, onRemoved, onClose }: RemovalDialogProps): JSX.Element {
  const session = useSession();
  const { title, about, done, action = 'Excluir', send } = wordsOf(removal, users, session.documento);
  const { run, busy, error } = useAction(send);
  const remove = async (): Promise<void> => {
    // What is removed answers nothing; so a value tells the two apart.
    if ((await run()) !== undefined) onRemoved(done);
  };
  return (
    <Confirm {...{ title, busy, error, onClose, action }} danger onConfirm={() => void remove()}>
      <p>{about}</p>
    </Confirm>
  );
}

interface Words {
  readonly title: string;
  readonly about: string;
  readonly done: string;
  readonly action?: string;
  readonly send: () => Promise<Result<true>>;
}

function wordsOf(removal: Removal, users: readonly User[], own: string): Words {
  switch (removal.what) {
    case 'company': {
      const { cpfCnpjRaiz, nome } = removal.company;
      return {
        title: `Excluir ${nome}?`,
        about: `A empresa ${cpfCnpjRaiz} sai da lista. Uma que tem registros no catálogo, ou que alguém representa, não pode ser excluída.`,
        done: `${nome} foi excluída.`,
        send: () => gone(`${COMPANIES}/${encodeURIComponent(cpfCnpjRaiz)}`),
      };
    }
    case 'user': {
      const { documento, nome } = removal.user;
      const self = documento === own ? ' É a sua própria conta: esta sessão termina com ela.' : '';
      return {
        title: `Excluir ${nome}?`,
        about: `As chaves, as representações e as assinaturas de ${documento} vão junto. O que ele gravou no catálogo fica.${self}`,
        done: `${nome} foi excluído.`,
        send: () => gone(`${USERS}/${encodeURIComponent(documento)}`),
      };
    }
    case 'sessions': {
      const { documento, nome } = removal.user;
      const self = documento === own ? ' É a sua própria conta: esta sessão termina também.' : '';
      return {
        title: `Encerrar as sessões de ${nome}?`,
        about: `Quem está dentro como ${documento} precisa entrar de novo, já na próxima requisição. As chaves ficam: se uma está em mãos alheias, exclua-a.${self}`,
        done: `As sessões de ${nome} foram encerradas.`,
        action: 'Encerrar sessões',
        send: () => gone(`${USERS}/${encodeURIComponent(documento)}/sessions`),
      };
    }
    case 'representation': {
      const { documento, cpfCnpjRaiz, perfil } = removal.representation;
      return {
        title: `Excluir a representação de ${cpfCnpjRaiz}?`,
        about: `${userInWords(documento, users)} deixa de atuar por ${cpfCnpjRaiz} como ${perfil}, já na próxima requisição.`,
        done: 'Representação excluída.',
        send: () => gone(REPRESENTATIONS, removal.representation),
      };
    }
    case 'key': {
      const { clientId, documento } = removal.key;
      return {
        title: `Excluir a chave ${clientId}?`,
        about: `Ninguém mais entra com ela. ${userInWords(documento, users)} continua a existir, com as outras chaves que tiver.`,
        done: `A chave ${clientId} foi revogada.`,
        send: () => gone(`${KEYS}/${encodeURIComponent(clientId)}`),
      };
    }
  }
}

async function gone(path: string, body?: unknown): Promise<Result<true>> {
  const answer = await api.delete<undefined>(path, body);
  return answer.ok ? { ...answer, value: true } : answer;
}
