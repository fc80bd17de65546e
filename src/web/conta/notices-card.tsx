/** Edits the e-mail address of the user and the times of each notice. */
import type { JSX } from 'preact';
import type { Me } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { instance } from '../api/instance.ts';
import { useForm } from '../api/use-form.ts';
import { useResource } from '../api/use-resource.ts';
import { Notice } from '../ui/alert.tsx';
import { Input } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Card, ResourceView } from '../ui/page.tsx';
import { Choice, type Option } from '../ui/select.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { toast } from '../ui/toast.tsx';
import { numberText } from '../words.ts';

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

export function NoticesCard(): JSX.Element {
  const me = useResource<Me>('/appliance/api/me');
  return (
    <Card title="Avisos por e-mail">
      <ResourceView resource={me}>{(value) => <Notices me={value} />}</ResourceView>
    </Card>
  );
}

function Notices({ me }: { readonly me: Me }): JSX.Element {
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
