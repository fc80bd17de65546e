/** Manages access: companies, users, representations and access keys. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AccessKey, Company, Representation, User } from '../api/answers.ts';
import { useResource } from '../api/use-resource.ts';
import { Actions, Button } from '../ui/button.tsx';
import { Fetched } from '../ui/page.tsx';
import { toast } from '../ui/toast.tsx';
import { numberText } from '../words.ts';
import { AccessDialog } from './access-dialog.tsx';
import { CompanyDialog } from './company-dialog.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { CompanyList, KeyList, RepresentationList, UserList } from './lists.tsx';
import { COMPANIES, KEYS, REPRESENTATIONS, USERS } from './words.ts';
import { type Removal, RemovalDialog } from './removal.tsx';
import { RepresentationDialog } from './representation-dialog.tsx';
import { UserDialog } from './user-dialog.tsx';

/** The open dialog. Only one is open at a time. */
type Open =
  | { readonly what: 'company'; readonly company: Company | undefined }
  | { readonly what: 'user'; readonly user: User | undefined }
  | { readonly what: 'access' | 'representation' | 'key' }
  | { readonly what: 'removal'; readonly removal: Removal };

export function Accounts(): JSX.Element {
  const companies = useResource<readonly Company[]>(COMPANIES);
  const users = useResource<readonly User[]>(USERS);
  const representations = useResource<readonly Representation[]>(REPRESENTATIONS);
  const keys = useResource<readonly AccessKey[]>(KEYS);
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const remove = (removal: Removal): void => setOpen({ what: 'removal', removal });
  const known = { users: users.value ?? [], companies: companies.value ?? [] };
  const done = (words: string, ...changed: readonly { readonly reload: () => void }[]): void => {
    close();
    toast(words);
    for (const resource of changed) resource.reload();
  };

  return (
    <div class="stack">
      <Actions>
        <Button kind="primary" icon="plus" onPress={() => setOpen({ what: 'access' })}>
          Dar acesso a uma pessoa
        </Button>
      </Actions>
      <Fetched of={companies}>
        {(rows) => (
          <CompanyList
            rows={rows}
            onNew={() => setOpen({ what: 'company', company: undefined })}
            onChange={(company) => setOpen({ what: 'company', company })}
            onRemove={(company) => remove({ what: 'company', company })}
          />
        )}
      </Fetched>
      <Fetched of={users}>
        {(rows) => (
          <UserList
            rows={rows}
            onNew={() => setOpen({ what: 'user', user: undefined })}
            onChange={(user) => setOpen({ what: 'user', user })}
            onRemove={(user) => remove({ what: 'user', user })}
            onEnd={(user) => remove({ what: 'sessions', user })}
          />
        )}
      </Fetched>
      <Fetched of={representations}>
        {(rows) => (
          <RepresentationList
            rows={rows}
            {...known}
            onNew={() => setOpen({ what: 'representation' })}
            onRemove={(representation) => remove({ what: 'representation', representation })}
          />
        )}
      </Fetched>
      <Fetched of={keys}>
        {(rows) => (
          <KeyList
            rows={rows}
            users={known.users}
            onNew={() => setOpen({ what: 'key' })}
            onRemove={(key) => remove({ what: 'key', key })}
          />
        )}
      </Fetched>
      {open?.what === 'company' && (
        <CompanyDialog
          company={open.company}
          onClose={close}
          onSaved={({ nome }) => done(`Empresa ${nome} salva.`, companies)}
        />
      )}
      {open?.what === 'user' && (
        <UserDialog
          user={open.user}
          onClose={close}
          onSaved={({ nome }) => done(`Usuário ${nome} salvo.`, users)}
        />
      )}
      {open?.what === 'representation' && (
        <RepresentationDialog
          {...known}
          onClose={close}
          onSaved={({ cpfCnpjRaiz }) =>
            done(`Representação de ${numberText(cpfCnpjRaiz)} salva.`, representations)
          }
        />
      )}
      {open?.what === 'access' && (
        <AccessDialog
          {...known}
          onClose={close}
          onChanged={() => {
            for (const resource of [users, representations, keys]) resource.reload();
          }}
        />
      )}
      {open?.what === 'key' && <KeyDialog users={known.users} onClose={close} onMade={keys.reload} />}
      {open?.what === 'removal' && (
        <RemovalDialog
          removal={open.removal}
          {...known}
          onClose={close}
          onRemoved={(words) => done(words, companies, users, representations, keys)}
        />
      )}
    </div>
  );
}
