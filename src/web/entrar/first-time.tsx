/** Introduces the product to a first-time user: `dev` offers example users, `serve` never does. */
import { triesOf } from '../../dev/screen/tries.ts';
import { instance } from '../api/instance.ts';
import { Snippet } from '../ui/copy-button.tsx';
import { Card } from '../ui/page.tsx';
import { Table } from '../ui/table.tsx';

export const FirstTime = () => (instance.fixedSecrets ? <InDevelopment /> : <OnAServer />);

const OnAServer = () => (
  <Card title="Primeira vez aqui?">
    <p>
      Uma pessoa entra com a sua senha, e um programa com uma chave de acesso: um <code>Client-Id</code> e um{' '}
      <code>Client-Secret</code>, que é mostrado uma única vez.
    </p>
    <ol>
      <li>
        <code>catp init</code> prepara a pasta de dados e mostra a chave do primeiro administrador.
      </li>
      <li>
        Com ela o administrador entra aqui e cadastra empresas, pessoas, representações e chaves em
        Administração; ou usa <code>catp company</code>, <code>catp user</code>,{' '}
        <code>catp representation</code> e <code>catp key</code>.
      </li>
      <li>
        Cada pessoa recebe um convite, com que define a sua senha, ou uma chave. O perfil é IMPEXP, se não lhe
        disseram outro.
      </li>
    </ol>
    <p>
      Perdeu a chave, ou esqueceu a senha? Quem administra a instância cria outra chave, ou outro convite. Os
      passos, com exemplos, estão em <a href="/ajuda/servidor">Ajuda</a>.
    </p>
  </Card>
);

const USERS = [
  { key: 'demo', about: 'representa 12345678 e 87654321' },
  { key: 'demo2', about: 'representa 12345678' },
  { key: 'estranho', about: 'representa 11222333' },
  ...(instance.ambiente === 'validacao' ? [] : [{ key: 'publico', about: 'servidor de órgão público' }]),
  { key: 'admin', about: 'administra a instância' },
];

const InDevelopment = () => (
  <Card title="Comece em dois minutos">
    <p>Esta é uma instância de desenvolvimento. Estes usuários existem sempre; o segredo é igual ao nome.</p>
    <Table
      caption="Usuários de desenvolvimento"
      rows={USERS}
      rowKey={({ key }) => key}
      columns={[
        { key: 'key', title: 'Client-Id e Client-Secret', code: true, cell: ({ key }) => key },
        { key: 'about', title: 'Quem é', cell: ({ about }) => about },
      ]}
    />
    <p>
      A API é a mesma do serviço oficial: autentique-se uma vez e envie <code>Authorization</code> e{' '}
      <code>X-CSRF-Token</code> em cada requisição. Cole em um terminal:
    </p>
    <Snippet label={shell === 'bash' ? 'Terminal' : 'PowerShell'} text={tour()} />
  </Card>
);

const shell = navigator.userAgent.includes('Windows') ? 'powershell' : 'bash';

/** Repeats what `catp dev` prints when it starts; test/executable/browser pastes it. */
const tour = (): string =>
  triesOf({
    http: location.origin,
    https: undefined,
    certificates: undefined,
    ownSecrets: false,
    shell,
    users: [{ key: 'demo', hasKey: true }],
  })
    .slice(0, 2)
    .map(({ what, command }) => `# ${what}\n${command}`)
    .join('\n\n');
