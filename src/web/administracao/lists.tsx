/** The four lists of accounts, with their columns and buttons. */
import type { JSX } from 'preact';
import type { AccessKey, Company, Representation, User } from '../api/answers.ts';
import { Badge } from '../ui/badge.tsx';
import { Actions, Button } from '../ui/button.tsx';
import type { Column } from '../ui/table.tsx';
import { moment, numberText } from '../words.ts';
import { Listing } from './listing.tsx';
import { kindInWords, userInWords } from './words.ts';

interface ListProps<Row> {
  readonly rows: readonly Row[];
  readonly onNew: () => void;
  readonly onRemove: (row: Row) => void;
  readonly onChange: (row: Row) => void;
}

const Add = ({ words, onPress }: { readonly words: string; readonly onPress: () => void }): JSX.Element => (
  <Button icon="plus" onPress={onPress}>
    {words}
  </Button>
);

const Remove = ({ onPress }: { readonly onPress: () => void }): JSX.Element => (
  <Button small kind="danger" onPress={onPress}>
    Excluir
  </Button>
);

/** The column of row actions. */
const changes = <Of,>({
  onChange,
  onRemove,
  onEnd,
}: Pick<ListProps<Of>, 'onChange' | 'onRemove'> & { readonly onEnd?: (row: Of) => void }): Column<Of> => ({
  key: 'do',
  title: 'Ações',
  align: 'right',
  cell: (row) => (
    <div class="administration-row">
      <Actions>
        {onEnd !== undefined && (
          <Button small onPress={() => onEnd(row)}>
            Encerrar sessões
          </Button>
        )}
        <Button small onPress={() => onChange(row)}>
          Editar
        </Button>
        <Remove onPress={() => onRemove(row)} />
      </Actions>
    </div>
  ),
});

export const CompanyList = ({ rows, onNew, onChange, onRemove }: ListProps<Company>): JSX.Element => (
  <Listing
    title="Empresas"
    words={['empresa', 'empresas']}
    textOf={({ cpfCnpjRaiz, nome, cnpj }) => `${cpfCnpjRaiz} ${nome} ${cnpj ?? ''}`}
    rows={rows}
    rowKey={({ cpfCnpjRaiz }) => cpfCnpjRaiz}
    empty="Nenhuma empresa ainda. Inclua a primeira com “Nova empresa”."
    action={<Add words="Nova empresa" onPress={onNew} />}
    columns={[
      { key: 'cpfCnpjRaiz', title: 'Raiz', code: true, cell: ({ cpfCnpjRaiz }) => numberText(cpfCnpjRaiz) },
      { key: 'nome', title: 'Nome', cell: ({ nome }) => <bdi>{nome}</bdi> },
      { key: 'cnpj', title: 'CNPJ', code: true, cell: ({ cnpj }) => numberText(cnpj ?? '–') },
      changes({ onChange, onRemove }),
    ]}
  />
);

export const UserList = ({
  rows,
  onNew,
  onChange,
  onRemove,
  onEnd,
}: ListProps<User> & { readonly onEnd: (user: User) => void }): JSX.Element => (
  <Listing
    title="Usuários"
    words={['usuário', 'usuários']}
    textOf={({ documento, nome, orgao }) => `${documento} ${nome} ${orgao ?? ''}`}
    rows={rows}
    rowKey={({ documento }) => documento}
    empty="Nenhum usuário ainda. Inclua o primeiro com “Novo usuário”."
    action={<Add words="Novo usuário" onPress={onNew} />}
    columns={[
      { key: 'documento', title: 'Documento', code: true, cell: ({ documento }) => numberText(documento) },
      { key: 'nome', title: 'Nome', cell: ({ nome }) => <bdi>{nome}</bdi> },
      { key: 'tipo', title: 'Tipo', cell: (user) => <Kind {...user} /> },
      changes({ onChange, onRemove, onEnd }),
    ]}
  />
);

const Kind = ({ tipo, orgao, administrador }: User): JSX.Element => (
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

export const RepresentationList = ({
  rows,
  users,
  companies,
  onNew,
  onRemove,
}: Omit<ListProps<Representation>, 'onChange'> & {
  readonly users: readonly User[];
  readonly companies: readonly Company[];
}): JSX.Element => (
  <Listing
    title="Representações"
    words={['representação', 'representações']}
    textOf={({ documento, cpfCnpjRaiz, perfil }) =>
      `${userInWords(documento, users)} ${cpfCnpjRaiz} ${nameOf(cpfCnpjRaiz, companies)} ${perfil}`
    }
    rows={rows}
    rowKey={({ documento, cpfCnpjRaiz, perfil }) => `${documento} ${cpfCnpjRaiz} ${perfil}`}
    empty="Ninguém representa uma empresa ainda. Comece por “Nova representação”."
    action={<Add words="Nova representação" onPress={onNew} />}
    columns={[
      {
        key: 'documento',
        title: 'Quem',
        cell: ({ documento }) => <bdi>{userInWords(documento, users)}</bdi>,
      },
      { key: 'cpfCnpjRaiz', title: 'Raiz', code: true, cell: ({ cpfCnpjRaiz }) => numberText(cpfCnpjRaiz) },
      {
        key: 'nome',
        title: 'Representa',
        cell: ({ cpfCnpjRaiz }) => <bdi>{nameOf(cpfCnpjRaiz, companies)}</bdi>,
      },
      { key: 'perfil', title: 'Perfil', code: true, cell: ({ perfil }) => perfil },
      { key: 'do', title: 'Ações', align: 'right', cell: (row) => <Remove onPress={() => onRemove(row)} /> },
    ]}
  />
);

const nameOf = (raiz: string, companies: readonly Company[]): string =>
  companies.find(({ cpfCnpjRaiz }) => cpfCnpjRaiz === raiz)?.nome ?? '–';

export const KeyList = ({
  rows,
  users,
  onNew,
  onRemove,
}: Omit<ListProps<AccessKey>, 'onChange'> & { readonly users: readonly User[] }): JSX.Element => (
  <Listing
    title="Chaves de acesso"
    words={['chave', 'chaves']}
    textOf={({ clientId, documento }) => `${clientId} ${userInWords(documento, users)}`}
    rows={rows}
    rowKey={({ clientId }) => clientId}
    empty="Nenhuma chave ainda. Crie a primeira com “Nova chave”."
    action={<Add words="Nova chave" onPress={onNew} />}
    columns={[
      { key: 'clientId', title: 'Client-Id', code: true, cell: ({ clientId }) => clientId },
      {
        key: 'documento',
        title: 'De quem',
        cell: ({ documento }) => <bdi>{userInWords(documento, users)}</bdi>,
      },
      { key: 'createdAt', title: 'Criada em', cell: ({ createdAt }) => moment(createdAt) },
      {
        key: 'expiresAt',
        title: 'Vence em',
        cell: ({ expiresAt }) => (expiresAt === null ? 'não vence' : moment(expiresAt)),
      },
      {
        key: 'lastUsedAt',
        title: 'Último uso',
        cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'nenhum' : moment(lastUsedAt)),
      },
      { key: 'do', title: 'Ações', align: 'right', cell: (row) => <Remove onPress={() => onRemove(row)} /> },
    ]}
  />
);
