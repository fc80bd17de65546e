/** The account page of the user. */
import { Page, Card, ResourceView } from '../ui/page.tsx';
import { api } from '../api/api.ts';
import { useForm } from '../api/use-form.ts';
import { Input } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { toast } from '../ui/toast.tsx';
import type { Me } from '../api/answers.ts';
import { instance } from '../api/instance.ts';
import { useResource } from '../api/use-resource.ts';
import { Notice } from '../ui/alert.tsx';
import { Choice, type Option } from '../ui/select.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { numberText } from '../words.ts';
import { NewPasswordFields, NO_PASSWORD, passwordFaults } from './new-password.tsx';

export default function AccountPage() {
  return (
    <Page title="Minha conta" about="O seu endereço, o que chega a ele, e a sua senha.">
      <NoticesCard />
      <PasswordCard />
    </Page>
  );
}

/** Changes the password of the user. */
function PasswordCard() {
  const form = useForm({ ...NO_PASSWORD, atual: '' });
  const send = async (): Promise<void> => {
    const faults = passwordFaults(form.latest());
    if (faults.length > 0) return form.refuse(faults);
    await form.submit(async ({ atual, senha }) => {
      const answer = await api.put('/appliance/api/me/password', { atual, nova: senha });
      if (answer.ok) {
        form.reset();
        toast('Senha trocada. As suas outras sessões abertas por senha terminaram.');
      }
      return answer;
    });
  };
  return (
    <Card title="Trocar a senha">
      <Form form={form} action="Trocar a senha" onSave={send}>
        <Input
          label="Senha atual"
          type="password"
          autocomplete="current-password"
          required
          help="Ainda não tem senha? Peça um convite a quem administra esta instalação."
          {...form.field('atual')}
        />
        <NewPasswordFields form={form} label="Senha nova" place="nova" />
      </Form>
    </Card>
  );
}

type Choices = Me['avisos'];
type Kind = keyof Choices;
type Time = Choices[Kind];

const TIMES: readonly Option<Time>[] = [
  { value: 'imediato', label: 'Na hora' },
  { value: 'diario', label: 'Diário' },
  { value: 'nunca', label: 'Nunca' },
];

interface Row {
  readonly kind: Kind;
  readonly title: string;
  readonly about: string;
}

const ROWS: readonly Row[] = [
  { kind: 'desativados', title: 'Produtos desativados', about: 'O sistema desativou: a tabela mudou.' },
  { kind: 'prazos', title: 'Prazos', about: 'O que vai ser exigido, e ainda falta.' },
  { kind: 'propostas', title: 'Propostas', about: 'As que esperam por você, e o que foi decidido das suas.' },
  { kind: 'importacoes', title: 'Importações', about: 'As que tiveram linhas com erro.' },
  { kind: 'assinaturas', title: 'Assinaturas', about: 'As suas, cujas entregas falham.' },
  { kind: 'remotos', title: 'Portal Único', about: 'O que difere daqui, e envios parados.' },
];

/** Edits the e-mail address of the user and the times of each notice. */
function NoticesCard() {
  const me = useResource<Me>('/appliance/api/me');
  return (
    <Card title="Avisos por e-mail">
      <ResourceView resource={me}>{(value) => <Notices me={value} />}</ResourceView>
    </Card>
  );
}

function Notices({ me }: { readonly me: Me }) {
  const form = useForm({ email: me.email ?? '', ...me.avisos });
  const save = async (): Promise<void> => {
    const stored = await form.submit(({ email, ...avisos }) =>
      api.put<Me>('/appliance/api/me', { email: email.trim(), avisos }),
    );
    if (stored !== undefined) toast('Salvo.');
  };
  const columns: readonly Column<Row>[] = [
    {
      key: 'kind',
      title: 'Aviso',
      cell: ({ title, about }) => (
        <>
          <strong>{title}</strong> <span class="muted">{about}</span>
        </>
      ),
    },
    {
      key: 'time',
      title: 'Quando',
      cell: ({ kind, title }) => (
        <Choice<Time>
          {...form.field(kind, `avisos/${kind}`)}
          label={`Quando: ${title}`}
          options={TIMES}
          small
        />
      ),
    },
  ];
  return (
    <Form form={form} onSave={save}>
      {!instance.sendsEmail && (
        <Notice tone="warn">
          Esta instalação ainda não envia e-mails. O que você escolher vale desde que ela envie.
        </Notice>
      )}
      <Input
        {...form.field('email')}
        label="E-mail"
        help={`O endereço de ${me.nome} (${numberText(me.documento)}). Vazio: nenhum aviso.`}
      />
      <Table caption="Quando cada aviso chega" columns={columns} rows={ROWS} rowKey={({ kind }) => kind} />
    </Form>
  );
}
