/**
 * Manages the people, companies and groups of this instance. `pessoa` in the URL selects one person to show.
 */
import { useMemo, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { AccessKey, Company, Group, Representation, User } from '../api/answers.ts';
import { queryOf } from '../api/client.ts';
import { useFilters } from '../api/use-filters.ts';
import { useResource } from '../api/use-resource.ts';
import { type RecordListKind, RecordList } from '../kit/record-list/record-list.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { ResourceView } from '../ui/page.tsx';
import { useRestoreFocus } from '../ui/use-restore-focus.ts';
import { withCount, numberText } from '../words.ts';
import { AccessDialog } from './access-dialog.tsx';
import {
  COMPANIES,
  companyKind,
  companyName,
  KEYS,
  REPRESENTATIONS,
  USER_FORM,
  USERS,
  type UserValues,
} from './kinds.tsx';
import { PeopleDialog } from './people-dialog.tsx';
import { Person, UserKind } from './person.tsx';
import { groupKind, GROUPS, useSetting } from './provider-kinds.ts';

export function Accounts() {
  const companies = useResource<readonly Company[]>(COMPANIES);
  const users = useResource<readonly User[]>(USERS);
  const representations = useResource<readonly Representation[]>(REPRESENTATIONS);
  const keys = useResource<readonly AccessKey[]>(KEYS);
  const groups = useResource<readonly Group[]>(GROUPS);
  const issuer = useSetting('oidc.emissor');
  const [{ pessoa }, setFilters] = useFilters(['pessoa']);
  const [openDialog, setOpenDialog] = useState<'one' | 'several'>();
  useRestoreFocus(pessoa);
  const peopleResources = [users, representations, keys];
  const reload = (resources = [companies, ...peopleResources]): void => {
    for (const resource of resources) resource.reload();
  };
  const all = { companies: companies.value ?? [], representations: representations.value ?? [] };
  const people = usePeople(all.companies, all.representations, keys.value);
  const person = users.value?.find(({ documento }) => documento === pessoa);
  if (person !== undefined)
    return (
      <Person
        key={pessoa}
        {...all}
        user={person}
        issuer={issuer ?? ''}
        representations={all.representations.filter(({ documento }) => documento === pessoa)}
        keys={(keys.value ?? []).filter(({ documento }) => documento === pessoa)}
        onChanged={() => reload()}
        onBack={() => setFilters({ pessoa: '' })}
      />
    );
  return (
    <div class="stack">
      <Actions>
        <Button kind="primary" icon="plus" onPress={() => setOpenDialog('one')}>
          Dar acesso a uma pessoa
        </Button>
        <Button onPress={() => setOpenDialog('several')}>Dar acesso a várias</Button>
      </Actions>
      <ResourceView resource={users}>
        {(rows) => <RecordList {...people} rows={rows} onChanged={() => reload()} />}
      </ResourceView>
      <ResourceView resource={companies}>
        {(rows) => (
          <RecordList {...companyKind(rows, all.representations)} rows={rows} onChanged={() => reload()} />
        )}
      </ResourceView>
      {groups.value !== undefined && (Boolean(issuer) || groups.value.length > 0) && (
        <RecordList {...groupKind(all.companies)} rows={groups.value} onChanged={groups.reload} />
      )}
      {openDialog === 'several' && (
        <PeopleDialog
          companies={all.companies}
          onChanged={() => reload(peopleResources)}
          onClose={() => setOpenDialog(undefined)}
        />
      )}
      {openDialog === 'one' && (
        <AccessDialog
          users={users.value ?? []}
          companies={all.companies}
          onChanged={() => reload(peopleResources)}
          onClose={() => setOpenDialog(undefined)}
        />
      )}
    </div>
  );
}

const personAddress = (documento: string): string =>
  `/administracao${queryOf({ aba: 'contas', pessoa: documento })}`;

/** Declares the list of people, each with its companies and the number of its keys. */
const usePeople = (
  companies: readonly Company[],
  representations: readonly Representation[],
  keys: readonly AccessKey[] | undefined,
): RecordListKind<User, UserValues, User> =>
  useMemo(() => {
    const companiesOf = ({ documento }: User): string =>
      [
        ...new Set(
          representations
            .filter((representation) => representation.documento === documento)
            .map(({ cpfCnpjRaiz }) => companyName(cpfCnpjRaiz, companies)),
        ),
      ].join(', ');
    const keysOf = ({ documento }: User): string => {
      const count = keys?.filter((key) => key.documento === documento).length ?? 0;
      return count === 0 ? 'nenhuma' : withCount(count, 'chave', 'chaves');
    };
    return {
      title: 'Pessoas',
      words: ['pessoa', 'pessoas'],
      empty: 'Ninguém ainda. Comece por “Dar acesso a uma pessoa”.',
      rowKey: ({ documento }) => documento,
      columns: [
        {
          title: 'Nome',
          text: ({ nome }) => nome,
          cell: ({ nome, documento }) => (
            <Link href={personAddress(documento)}>
              <bdi>{nome}</bdi>
            </Link>
          ),
        },
        {
          title: 'Documento',
          code: true,
          text: ({ documento }) => numberText(documento),
          cell: ({ documento }) => <bdi class="administration-word">{numberText(documento)}</bdi>,
        },
        { title: 'Tipo', text: ({ orgao }) => orgao ?? '', cell: (user) => <UserKind {...user} /> },
        { title: 'Representa', text: companiesOf },
        {
          title: 'Chaves',
          text: keysOf,
          cell: (user) => <span class="administration-word">{keysOf(user)}</span>,
        },
      ],
      form: { ...USER_FORM, change: undefined },
    };
  }, [companies, representations, keys]);
