/** The dialog that creates or changes a subscription. */
import type { EventType, ListedSubscription } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useForm } from '../api/use-form.ts';
import { useResource } from '../api/use-resource.ts';
import { Combobox } from '../ui/combobox.tsx';
import { Checkbox, Input } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Snippet } from '../ui/copy-button.tsx';
import { SUBSCRIPTIONS } from './addresses.ts';
import { fieldsOf, requestOf } from './subscription.ts';

const ENDPOINT_MAX = 500;

export function SubscriptionDialog(props: {
  readonly subscription?: ListedSubscription;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}) {
  const { subscription, onSaved, onClose } = props;
  const { value: types = [], isReady } = useResource<readonly EventType[]>('/appliance/api/event-types');
  const form = useForm(fieldsOf(subscription));
  const { values } = form;
  const save = async (): Promise<void> => {
    const saved = await form.submit((fields) => {
      const body = requestOf(fields, subscription?.id);
      return subscription === undefined
        ? api.post<object>(SUBSCRIPTIONS, body)
        : api.put<object>(`${SUBSCRIPTIONS}/${subscription.id}`, body);
    });
    if (saved !== undefined) onSaved();
  };
  return (
    <FormDialog
      title={subscription === undefined ? 'Nova assinatura' : `Editar a assinatura ${subscription.id}`}
      form={form}
      onClose={onClose}
      onSave={save}
    >
      <Combobox
        label="Evento"
        {...form.field('evento')}
        required
        free
        pending={!isReady}
        options={types.map(({ evento, title }) => ({ value: evento, label: title }))}
      />
      <EventSample eventType={types.find(({ evento }) => evento === values.evento)} />
      <Input
        label="Endpoint"
        {...form.field('endpoint')}
        required
        code
        help="URL HTTPS, na porta 443, que recebe as notificações por POST."
        {...(values.endpoint.length > ENDPOINT_MAX / 2 && { max: ENDPOINT_MAX })}
      />
      <Secret
        form={form}
        name="chaveSecreta"
        removes="removesSecreta"
        label="Chave secreta"
        isKept={subscription?.chaveSecreta != null}
        help="Enviada no cabeçalho Secret: o receptor sabe que fomos nós."
      />
      <Secret
        form={form}
        name="chaveAutenticacao"
        removes="removesAutenticacao"
        label="Chave de autenticação"
        isKept={subscription?.chaveAutenticacao != null}
        help="Enviada no cabeçalho Authorization, como está escrita aqui."
      />
    </FormDialog>
  );
}

/** Edits the secret, which is never shown. An untouched field keeps it; removal is a separate choice. */
function Secret(props: {
  readonly form: ReturnType<typeof useForm<ReturnType<typeof fieldsOf>>>;
  readonly name: 'chaveSecreta' | 'chaveAutenticacao';
  readonly removes: 'removesSecreta' | 'removesAutenticacao';
  readonly label: string;
  readonly isKept: boolean;
  readonly help: string;
}) {
  const { form, name, removes, label, isKept, help } = props;
  const isRemoved = form.values[removes];
  return (
    <div class="notif-secret">
      <Input
        label={label}
        {...form.field(name)}
        type="password"
        disabled={isRemoved}
        placeholder={isKept ? (isRemoved ? 'será removida' : 'guardada; vazio mantém a atual') : 'opcional'}
        help={help}
      />
      {isKept && (
        <Checkbox
          label={`Remover a ${label.toLowerCase()} guardada`}
          value={isRemoved}
          onChange={(removed) => form.set({ [removes]: removed, ...(removed && { [name]: '' }) })}
        />
      )}
    </div>
  );
}

/** Shows the content of an event type and when it occurs, or that the type is unknown. */
function EventSample({ eventType }: { readonly eventType: EventType | undefined }) {
  if (eventType === undefined) return null;
  const { title, automatic, invented, sample } = eventType;
  return (
    <div class="notif-sample">
      <p class="muted">
        {title}.{' '}
        {automatic
          ? 'O catálogo publica este evento automaticamente.'
          : 'De outro módulo do Portal Único: aqui um administrador o publica manualmente.'}{' '}
        {invented === 'values' ? 'Os valores do exemplo são inventados.' : 'O exemplo é inventado.'}
      </p>
      <Snippet label="Exemplo do corpo" text={JSON.stringify(sample, null, 2)} />
    </div>
  );
}
