/** One person: data and sessions, represented companies, access keys. */
import { useState } from 'preact/hooks';
import type { AccessKey, Company, Identity, Invitation, Representation, User } from '../api/answers.ts';
import { useAction } from '../api/use-action.ts';
import { useSession } from '../api/session.ts';
import { useResource } from '../api/use-resource.ts';
import {
  RecordList,
  RecordDialog,
  type RowAction,
  RowActionDialog,
} from '../kit/record-list/record-list.tsx';
import { ErrorAlert, Notice } from '../ui/alert.tsx';
import { Badge } from '../ui/badge.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Card } from '../ui/page.tsx';
import { numberText, momentText } from '../words.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import {
  endSessions,
  invite,
  keysOf,
  kindInWords,
  removeUser,
  representationsOf,
  USER_FORM,
} from './kinds.tsx';
import { identitiesOf, identityKind } from './provider-kinds.ts';

export interface PersonProps {
  readonly user: User;
  /** The issuer of this instance; empty for none. */
  readonly issuer: string;
  readonly companies: readonly Company[];
  readonly representations: readonly Representation[];
  readonly keys: readonly AccessKey[];
  readonly onChanged: () => void;
  readonly onBack: () => void;
}

export function Person({ user, issuer, companies, representations, keys, onChanged, onBack }: PersonProps) {
  const { documento: ownNumber } = useSession();
  const identities = useResource<readonly Identity[]>(identitiesOf(user));
  const [isEditing, setEditing] = useState(false);
  const [invitation, setInvitation] = useState<Invitation>();
  const inviting = useAction(() => invite(user), setInvitation);
  const [confirmed, setConfirmed] = useState<RowAction<User>>();
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
            {mayHavePassword(user) && (
              <Button small isBusy={inviting.isBusy} onPress={() => void inviting.run()}>
                Convidar
              </Button>
            )}
            <Button small onPress={() => setConfirmed(endSessions(ownNumber))}>
              Encerrar sessões
            </Button>
            <Button small kind="danger" onPress={() => setConfirmed(removeUser(ownNumber))}>
              Excluir
            </Button>
          </Actions>
        }
      >
        <p>
          <code>{numberText(user.documento)}</code>
        </p>
        <UserKind {...user} />
        <ErrorAlert error={inviting.error} />
      </Card>
      <RecordList {...representationsOf(user, companies)} rows={representations} onChanged={onChanged} />
      <RecordList {...keysOf(user)} rows={keys} onChanged={onChanged} />
      {identities.value !== undefined && (issuer !== '' || identities.value.length > 0) && (
        <RecordList
          {...identityKind(user, issuer)}
          rows={identities.value}
          onChanged={() => {
            identities.reload();
            onChanged();
          }}
        />
      )}
      {isEditing && (
        <RecordDialog form={USER_FORM} row={user} onChanged={onChanged} onClose={() => setEditing(false)} />
      )}
      {invitation !== undefined && (
        <InvitationDialog {...invitation} nome={user.nome} onClose={() => setInvitation(undefined)} />
      )}
      {confirmed !== undefined && (
        <RowActionDialog
          row={user}
          action={confirmed}
          onDone={onChanged}
          onClose={() => setConfirmed(undefined)}
        />
      )}
    </div>
  );
}

const CPF_LENGTH = 11;

/** Only a person, who has a CPF, can have a password. A company signs in with its certificate. */
const mayHavePassword = ({ documento }: User): boolean => documento.length === CPF_LENGTH;

export const UserKind = ({ tipo, orgao, administrador }: User) => (
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

/** Shows the address of a new invitation once. */
const InvitationDialog = ({
  nome,
  url,
  until,
  onClose,
}: Invitation & { readonly nome: string; readonly onClose: () => void }) => (
  <Dialog title="Convite" onClose={onClose}>
    <p>
      Entregue este endereço só a <bdi>{nome}</bdi>, que com ele define a própria senha. Vale uma vez, até{' '}
      {momentText(until)}.
    </p>
    <dl class="administration-key">
      <div>
        <dt>Endereço</dt>
        <dd>
          <code>{url}</code> <CopyButton text={url} label="Copiar o endereço" />
        </dd>
      </div>
    </dl>
    <Notice tone="warn">
      Copie agora: depois só um convite novo, que encerra este, mostra outro endereço.
    </Notice>
    <Actions>
      <Button kind="primary" onPress={onClose}>
        Já copiei
      </Button>
    </Actions>
  </Dialog>
);
