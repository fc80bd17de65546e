/** Publishes any event manually and shows its deliveries below. For administrators. */
import { useLayoutEffect, useState } from 'preact/hooks';
import type { EventType, PublishedEvent } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useForm } from '../api/use-form.ts';
import { useResource } from '../api/use-resource.ts';
import { ErrorAlert, Notice } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { Input, TextArea } from '../ui/field.tsx';
import { Card } from '../ui/page.tsx';
import { instead } from '../ui/form.tsx';
import { Select } from '../ui/select.tsx';
import { withCount } from '../words.ts';
import { jsonFault, prettyJson } from './json.ts';
import { LatestDeliveries, useLatestDeliveries } from './latest-deliveries.tsx';
import {
  kindInWords,
  kindOf,
  type Publication,
  publicationText,
  RECIPIENT_KINDS,
  sampleOf,
} from './publication.ts';

const NOTHING: Publication = { evento: '', destinatario: '', tipo: '', conteudo: '' };
const KIND_OPTIONS: readonly { readonly value: Publication['tipo']; readonly label: string }[] = [
  { value: '', label: 'Pelo formato' },
  ...RECIPIENT_KINDS.map((value) => ({ value, label: value === 'ORGAO' ? 'Órgão' : value })),
];

export function PublishTab() {
  const [published, setPublished] = useState<PublishedEvent>();
  const latest = useLatestDeliveries();
  return (
    <div class="stack">
      <Card title="Publicar um evento">
        <PublishForm
          onPublished={(event) => {
            setPublished(event);
            latest.reload();
          }}
        />
        {published !== undefined && <PublishedSummary event={published} />}
      </Card>
      <LatestDeliveries deliveries={latest} empty="Nenhuma entrega ainda." />
    </div>
  );
}

function PublishForm({ onPublished }: { readonly onPublished: (event: PublishedEvent) => void }) {
  const { value: types = [], isReady } = useResource<readonly EventType[]>('/appliance/api/event-types');
  const form = useForm(NOTHING);
  const { formRef, error, isBusy } = form;
  const { destinatario, tipo, conteudo } = form.values;
  const fault = conteudo === '' ? undefined : jsonFault(conteudo);
  const choose = (evento: string): void =>
    form.set((before) => {
      const isOurs = before.conteudo.trim() === '' || before.conteudo === sampleOf(types, before.evento);
      const sample = sampleOf(types, evento);
      return { evento, ...(isOurs && sample !== '' && { conteudo: sample }) };
    });
  // The user may select a type before the samples are loaded.
  useLayoutEffect(() => {
    if (form.latest().evento !== '') choose(form.latest().evento);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when they are loaded
  }, [types.length]);
  const publish = async (): Promise<void> => {
    const wrong = jsonFault(form.latest().conteudo);
    if (wrong !== undefined) {
      form.refuse([{ message: wrong, code: null, place: 'conteudo' }]);
      return;
    }
    const event = await form.submit((values) =>
      api.post<PublishedEvent>(
        '/appliance/api/events',
        new Blob([publicationText(values)], { type: 'application/json' }),
      ),
    );
    if (event !== undefined) onPublished(event);
  };
  const kind = tipo === '' ? kindOf(destinatario) : tipo;
  return (
    <form class="notif-publish" ref={formRef} onSubmit={instead(publish)}>
      <ErrorAlert error={error} />
      <Combobox
        label="Evento"
        {...form.field('evento')}
        onChange={choose}
        required
        free
        pending={!isReady}
        options={types.map((type) => ({ value: type.evento, label: type.title }))}
      />
      <div class="notif-recipient">
        <Input
          label="Destinatário"
          {...form.field('destinatario', 'destinatarioId')}
          required
          code
          help={
            destinatario.trim() === '' ? 'CPF, CNPJ ou sua raiz, ou o nome de um órgão.' : kindInWords(kind)
          }
        />
        <Select label="Tipo" {...form.field('tipo', 'destinatarioTipo')} options={KIND_OPTIONS} />
      </div>
      <TextArea
        label="Conteúdo"
        {...form.field('conteudo')}
        error={fault ?? form.errorAt('conteudo')}
        required
        code
        rows={10}
        help="O corpo da notificação, em JSON. Comece pelo exemplo do evento e mude o que quiser."
      />
      <Actions>
        <Button type="submit" kind="primary" isBusy={isBusy}>
          Publicar
        </Button>
        <Button
          kind="bare"
          disabled={conteudo === '' || fault !== undefined}
          onPress={() => form.set({ conteudo: prettyJson(conteudo) })}
        >
          Formatar
        </Button>
      </Actions>
    </form>
  );
}

const PublishedSummary = ({ event: { id, deliveries } }: { readonly event: PublishedEvent }) =>
  deliveries === 0 ? (
    <Notice tone="warn">
      Publicado com o número {id}, mas ninguém o recebe: nenhum usuário que esse destinatário alcança tem uma
      assinatura ativa.
    </Notice>
  ) : (
    <Notice tone="good">
      Publicado com o número {id}: {withCount(deliveries, 'entrega', 'entregas')}. O andamento está abaixo.
    </Notice>
  );
