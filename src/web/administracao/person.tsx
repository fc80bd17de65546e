/** One person: data and sessions, represented companies, access keys. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AccessKey, Company, Representation, User } from '../api/answers.ts';
import { useSession } from '../api/session.ts';
import { Things, ThingDialog, type Verb, VerbDialog } from '../kit/thing/things.tsx';
import { Badge } from '../ui/badge.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Card } from '../ui/page.tsx';
import { numberText } from '../words.ts';
import { endSessions, keysOf, kindInWords, removeUser, representationsOf, USER_FORM } from './kinds.tsx';

export interface PersonProps {
  readonly user: User;
  readonly companies: readonly Company[];
  readonly representations: readonly Representation[];
  readonly keys: readonly AccessKey[];
  readonly onChanged: () => void;
  readonly onBack: () => void;
}

export function Person(props: PersonProps): JSX.Element {
  const { user, companies, representations, keys, onChanged, onBack } = props;
  const { documento: own } = useSession();
  const [isEditing, setEditing] = useState(false);
  const [confirmed, setConfirmed] = useState<Verb<User>>();
  return (
    <div class="stack">
      <Actions>
        <Button small onPress={onBack}>
          Todas as pessoas
        </Button>
      </Actions>
      <Card
        title={user.nome}
        actions={
          <Actions>
            <Button small onPress={() => setEditing(true)}>
              Editar
            </Button>
            <Button small onPress={() => setConfirmed(endSessions(own))}>
              Encerrar sessões
            </Button>
            <Button small kind="danger" onPress={() => setConfirmed(removeUser(own))}>
              Excluir
            </Button>
          </Actions>
        }
      >
        <p>
          <code>{numberText(user.documento)}</code>
        </p>
        <UserKind {...user} />
      </Card>
      <Things {...representationsOf(user, companies)} rows={representations} onChanged={onChanged} />
      <Things {...keysOf(user)} rows={keys} onChanged={onChanged} />
      {isEditing && (
        <ThingDialog form={USER_FORM} row={user} onChanged={onChanged} onClose={() => setEditing(false)} />
      )}
      {confirmed !== undefined && (
        <VerbDialog row={user} verb={confirmed} onDone={onChanged} onClose={() => setConfirmed(undefined)} />
      )}
    </div>
  );
}

export const UserKind = ({ tipo, orgao, administrador }: User): JSX.Element => (
  <div class="administration-kind">
    <span>
      {kindInWords(tipo)}
      {orgao !== null && (
        <>
          , <bdi>{orgao}</bdi>
        </>
      )}
    </span>
    {administrador && <Badge>Administrador</Badge>}
  </div>
);
