/** Confirms the removal of an account or of a user's sessions, and lists what is removed with it. */
import type { JSX } from 'preact';
import type { AccessKey, Company, Representation, User } from '../api/answers.ts';
import { api } from '../api/api.ts';
import type { Result } from '../api/result.ts';
import { useSession } from '../api/session.ts';
import { ConfirmSending } from '../ui/dialog.tsx';
import { numberText } from '../words.ts';
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
  const { about, done, ...words } = wordsOf(removal, users, session.documento);
  return (
    <ConfirmSending action="Excluir" {...words} danger onDone={() => onRemoved(done)} onClose={onClose}>
      <p>{about}</p>
    </ConfirmSending>
  );
}

interface Words {
  readonly title: string;
  readonly about: string;
  readonly done: string;
  readonly action?: string;
  readonly send: () => Promise<Result<unknown>>;
}

function wordsOf(removal: Removal, users: readonly User[], own: string): Words {
  switch (removal.what) {
    case 'company': {
      const { cpfCnpjRaiz, nome } = removal.company;
      return {
        title: `Excluir ${nome}?`,
        about: `A empresa ${numberText(cpfCnpjRaiz)} sai da lista. Uma que tem registros no catálogo, ou que alguém representa, não pode ser excluída.`,
        done: `${nome} foi excluída.`,
        send: () => api.delete(`${COMPANIES}/${encodeURIComponent(cpfCnpjRaiz)}`),
      };
    }
    case 'user': {
      const { documento, nome } = removal.user;
      const self = documento === own ? ' É a sua própria conta: esta sessão termina com ela.' : '';
      return {
        title: `Excluir ${nome}?`,
        about: `As chaves, as representações e as assinaturas de ${numberText(documento)} vão junto. O que ele gravou no catálogo fica.${self}`,
        done: `${nome} foi excluído.`,
        send: () => api.delete(`${USERS}/${encodeURIComponent(documento)}`),
      };
    }
    case 'sessions': {
      const { documento, nome } = removal.user;
      const self = documento === own ? ' É a sua própria conta: esta sessão termina também.' : '';
      return {
        title: `Encerrar as sessões de ${nome}?`,
        about: `Quem está dentro como ${numberText(documento)} precisa entrar de novo, já na próxima requisição. As chaves ficam: se uma está em mãos alheias, exclua-a.${self}`,
        done: `As sessões de ${nome} foram encerradas.`,
        action: 'Encerrar sessões',
        send: () => api.delete(`${USERS}/${encodeURIComponent(documento)}/sessions`),
      };
    }
    case 'representation': {
      const { documento, cpfCnpjRaiz, perfil } = removal.representation;
      return {
        title: `Excluir a representação de ${numberText(cpfCnpjRaiz)}?`,
        about: `${userInWords(documento, users)} deixa de atuar por ${numberText(cpfCnpjRaiz)} como ${perfil}, já na próxima requisição.`,
        done: 'Representação excluída.',
        send: () => api.delete(REPRESENTATIONS, removal.representation),
      };
    }
    case 'key': {
      const { clientId, documento } = removal.key;
      return {
        title: `Excluir a chave ${clientId}?`,
        about: `Ninguém mais entra com ela. ${userInWords(documento, users)} continua a existir, com as outras chaves que tiver.`,
        done: `A chave ${clientId} foi revogada.`,
        send: () => api.delete(`${KEYS}/${encodeURIComponent(clientId)}`),
      };
    }
  }
}
