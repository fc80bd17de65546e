/** The first room: how to start, and, once signed in, imports and exports of the chosen company. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Refusal, type Api, type Readiness, type Session } from '../api.ts';
import { Header, Notice, words } from '../ui.tsx';
import { Exports } from './exports.tsx';
import { Import } from './import.tsx';
import { SignIn } from './sign-in.tsx';
import { Start } from './start.tsx';

type Who = { readonly session: Session } | 'nobody' | 'unknown';

export function Home({ api }: { readonly api: Api }): JSX.Element {
  const [who, setWho] = useState<Who>(api.hasSession ? 'unknown' : 'nobody');
  const [message, setMessage] = useState('');
  const [readiness, setReadiness] = useState<Readiness>();

  const enter = async (): Promise<void> => {
    setWho({ session: await api.session() });
    setMessage('');
  };
  const leave = (why: string): void => {
    api.signOut();
    setWho('nobody');
    setMessage(why);
  };

  useEffect(() => {
    api.onSessionEnd = () => leave('A sessão terminou. Entre de novo para continuar.');
    api.readiness().then(setReadiness, (fault) => setMessage(words(fault)));
    if (api.hasSession)
      enter().catch((fault) => {
        // A refused session has left already, by onSessionEnd.
        if (!(fault instanceof Refusal && fault.status === 401)) leave(words(fault));
      });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each client: both only set states
  }, [api]);

  return (
    <>
      <a class="skip" href="#main">
        Ir para o conteúdo
      </a>
      <Header>
        <nav aria-label="Principal">
          <a href="/ajuda">Ajuda</a> <a href="/docs">Referência da API</a>
        </nav>
        {typeof who === 'object' && <Badge session={who.session} onLeave={() => leave('')} />}
      </Header>
      <main id="main" tabIndex={-1}>
        {message !== '' && <Notice tone="warn">{message}</Notice>}
        {who === 'nobody' && <Welcome api={api} onEnter={enter} />}
        {typeof who === 'object' && <Desk api={api} session={who.session} readiness={readiness} />}
      </main>
    </>
  );
}

function Badge({
  session,
  onLeave,
}: {
  readonly session: Session;
  readonly onLeave: () => void;
}): JSX.Element {
  return (
    <div class="badge">
      <span>
        <strong>{session.nome}</strong>
        <span class="muted"> {session.perfil}</span>
      </span>
      <button type="button" class="quiet small" onClick={onLeave}>
        Sair
      </button>
    </div>
  );
}

function Welcome({
  api,
  onEnter,
}: {
  readonly api: Api;
  readonly onEnter: () => Promise<void>;
}): JSX.Element {
  return (
    <>
      <section class="hero">
        <h1>O Catálogo de Produtos, no seu servidor.</h1>
        <p>
          Produtos, operadores estrangeiros e fabricantes com a mesma interface do Portal Único, em um único
          executável. Um 200 está no disco; o que funciona aqui funciona lá.
        </p>
      </section>
      <div class="welcome">
        <SignIn api={api} onEnter={onEnter} />
        <Start />
      </div>
    </>
  );
}

function Desk({
  api,
  session,
  readiness,
}: {
  readonly api: Api;
  readonly session: Session;
  readonly readiness: Readiness | undefined;
}): JSX.Element {
  const [company, setCompany] = useState(session.companies[0]?.cpfCnpjRaiz ?? '');
  const isPublicAgent = session.tipo === 'PUBL';
  const representsNobody = session.companies.length === 0 && !isPublicAgent;
  return (
    <>
      <section class="hero desk-hero">
        <h1>Olá, {session.nome}.</h1>
        {readiness?.attributeTable != null && (
          <p class="muted">Tabela de atributos em vigor: versão {readiness.attributeTable.versao}.</p>
        )}
      </section>
      {readiness?.attributeTable === null && <NoAttributeTable />}
      {representsNobody ? (
        <Notice tone="calm">
          {session.administrador
            ? 'Este usuário administra a instância e não representa nenhuma empresa; importações e exportações são feitas pelos representantes.'
            : 'Este usuário não representa nenhuma empresa neste perfil. Peça a quem administra a instância: catp representation add.'}
        </Notice>
      ) : (
        <>
          <CompanyField session={session} company={company} onChoose={setCompany} />
          <div class="desk">
            {!isPublicAgent && <Import api={api} company={company} />}
            <Exports api={api} company={company} />
          </div>
        </>
      )}
    </>
  );
}

function NoAttributeTable(): JSX.Element {
  return (
    <Notice tone="warn">
      <strong>Nenhuma tabela de atributos carregada.</strong> Os atributos dos produtos não são conferidos.
      Para carregar a lista pública de atributos por NCM: <code>catp attributes load ARQUIVO</code>
    </Notice>
  );
}

/** A representative chooses among its companies; a public agent reads any catalogue and types the root. */
function CompanyField({
  session,
  company,
  onChoose,
}: {
  readonly session: Session;
  readonly company: string;
  readonly onChoose: (cpfCnpjRaiz: string) => void;
}): JSX.Element {
  return (
    <label class="company">
      <span>Empresa</span>
      {session.companies.length === 0 ? (
        <input
          value={company}
          placeholder="Raiz do CNPJ ou CPF"
          autocomplete="off"
          onInput={({ currentTarget }) => onChoose(currentTarget.value.trim())}
        />
      ) : (
        <select value={company} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
          {session.companies.map(({ cpfCnpjRaiz, nome }) => (
            <option key={cpfCnpjRaiz} value={cpfCnpjRaiz}>
              {cpfCnpjRaiz} · {nome}
            </option>
          ))}
        </select>
      )}
    </label>
  );
}
