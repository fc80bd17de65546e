/** `catp event`: publishes and lists events, also while the server runs (contract section 10). */
import type { Command } from 'commander';
import { OperatorError, UsageError, malformed } from '../errors.ts';
import { DESTINATARIO_TIPOS } from '../notification/event/model.ts';
import { EventPublication, refuseRecipient } from '../notification/event/routes.ts';
import { EVENT_TYPES, sampleBody } from '../notification/event/types.ts';
import { catalogueRules } from '../catalogue/rules.ts';
import { readDocument } from '../validation/json-document.ts';
import { readJsonText } from '../validation/json.ts';
import { ListLimit } from '../notification/model.ts';
import { momentText } from '../validation/calendar.ts';
import { checked, folderCommand, readingCommand, printLine } from './folder-command.ts';
import { type ListFlags, printList, withJson } from './list.ts';
import type { OpenFolder } from './open.ts';
import { command } from './command.ts';
import { contentOf, integer } from './values.ts';

interface PublishFlags {
  readonly para: string;
  readonly conteudo?: string;
  readonly arquivo?: string;
  readonly exemplo?: true;
}

type TriggerFlags = Pick<PublishFlags, 'conteudo' | 'arquivo'>;

interface EventListFlags extends ListFlags {
  readonly evento?: string;
  readonly limite: number;
}

interface TypeFlags extends ListFlags {
  readonly evento?: string;
}

export function eventCommand(): Command {
  return command('event', 'eventos: publica, lista e mostra os conhecidos')
    .addCommand(
      folderCommand<PublishFlags>(
        'publish <evento>',
        'publica um evento, também com o servidor em execução',
        publish,
      )
        .requiredOption('--para <tipo:id>', 'destinatário: CPF:00000000191, CNPJ:12345678 ou ORGAO:RECEITA')
        .option('--conteudo <json>', 'corpo da notificação')
        .option('--arquivo <arquivo>', 'arquivo com o corpo da notificação')
        .option('--exemplo', 'usa o exemplo inventado de catp event types'),
    )
    .addCommand(
      folderCommand<TriggerFlags>(
        'trigger <evento>',
        'envia um exemplo do evento a cada assinatura ativa, também com o servidor em execução',
        trigger,
      )
        .option('--conteudo <json>', 'corpo da notificação (padrão: o exemplo de catp event types)')
        .option('--arquivo <arquivo>', 'arquivo com o corpo da notificação'),
    )
    .addCommand(
      withJson(
        readingCommand<EventListFlags>(
          'list',
          'lista os eventos publicados, do mais novo ao mais antigo',
          list,
        ),
      )
        .option('--evento <evento>', 'só os desse evento')
        .option(
          '--limite <n>',
          'quantos, no máximo',
          integer('--limite', Number(ListLimit.schema.minimum), Number(ListLimit.schema.maximum)),
          ListLimit.default,
        ),
    )
    .addCommand(
      withJson(command('types', 'lista os tipos de evento; com --evento, mostra um corpo de exemplo'))
        .option('--evento <evento>', 'só esse evento')
        .action(showTypes),
    );
}

async function publish(open: OpenFolder, flags: PublishFlags, evento = ''): Promise<void> {
  const { value, text } = readBody(contentBytes(flags, evento));
  const [destinatarioTipo, destinatarioId] = recipientParts(flags.para);
  const event = checked(EventPublication, {
    evento,
    destinatarioTipo,
    destinatarioId,
    conteudo: value,
  });
  refuseRecipient(event, catalogueRules(open.settings));
  const { id, deliveries } = await open.notification.events.publishAlone({ ...event, conteudo: text });
  printLine(`Evento ${id} publicado; entregas: ${deliveries}.`);
}

async function trigger(open: OpenFolder, flags: TriggerFlags, evento = ''): Promise<void> {
  const { events } = open.notification;
  const isGiven = flags.conteudo !== undefined || flags.arquivo !== undefined;
  const ownBody = isGiven ? readBody(contentBytes(flags, evento)).text : undefined;
  if (ownBody === undefined) knownType(evento);
  const sent = await events.trigger(
    evento,
    ({ destinatarioId }) => ownBody ?? sampleBody(evento, destinatarioId),
  );
  if (sent.length === 0)
    throw new OperatorError(
      `Ninguém assina o evento '${evento}' agora: nada foi enviado. Assine com POST /portal/api/ext/webhook ou na página /notificacoes, e repita.`,
    );
  for (const { destinatarioTipo, destinatarioId } of sent)
    printLine(`Evento ${evento} publicado para ${destinatarioTipo}:${destinatarioId}; entregas: 1.`);
}

function contentBytes(
  { conteudo, arquivo, exemplo }: Omit<PublishFlags, 'para'>,
  evento: string,
): Uint8Array {
  const sources = [conteudo, arquivo, exemplo].filter((one) => one !== undefined);
  if (sources.length !== 1)
    throw new UsageError('Informe o corpo com um só de --conteudo, --arquivo ou --exemplo.');
  if (conteudo !== undefined) return Buffer.from(conteudo);
  if (arquivo !== undefined) return contentOf('--arquivo', arquivo);
  return Buffer.from(JSON.stringify(knownType(evento).sample));
}

function recipientParts(text: string): [tipo: string, id: string] {
  const colon = text.indexOf(':');
  if (colon === -1)
    throw new UsageError(
      `--para: recebido '${text}'; aceita TIPO:ID, com TIPO ${DESTINATARIO_TIPOS.join(', ')} (por exemplo CNPJ:12345678).`,
    );
  return [text.slice(0, colon), text.slice(colon + 1)];
}

/** Reads the body that is sent: its bytes without a byte order mark. */
function readBody(bytes: Uint8Array): { readonly value: unknown; readonly text: string } {
  const read = readDocument(bytes, { subject: 'O corpo do evento' });
  if (!read.ok) throw malformed(read.problems);
  return read;
}

function list({ notification: { events } }: OpenFolder, flags: EventListFlags): void {
  const { evento, limite } = flags;
  printList(
    events.list({ evento, limit: limite }).map(({ conteudo, publishedAt, ...event }) => ({
      ...event,
      conteudo: readJsonText(conteudo).value, // keeps the digits that were published
      publishedAt: momentText(publishedAt),
    })),
    {
      Id: ({ id }) => id,
      Evento: (event) => event.evento,
      Destinatário: ({ destinatarioTipo, destinatarioId }) => `${destinatarioTipo}:${destinatarioId}`,
      'Publicado em': ({ publishedAt }) => publishedAt,
      Entregas: ({ deliveries }) => deliveries,
    },
    flags,
  );
}

function showTypes(flags: TypeFlags): void {
  const { evento, json } = flags;
  if (evento === undefined)
    return printList(
      EVENT_TYPES,
      {
        Evento: (type) => type.evento,
        Título: ({ title }) => title,
        Automático: ({ automatic }) => automatic,
      },
      flags,
    );
  const type = knownType(evento);
  if (json === true) return printLine(JSON.stringify(type, undefined, 2));
  printLine(`${type.title}. Exemplo inventado:\n${JSON.stringify(type.sample, null, 2)}`);
}

function knownType(evento: string) {
  const type = EVENT_TYPES.find((one) => one.evento === evento);
  if (type === undefined)
    throw new OperatorError(
      `'${evento}' não é um evento conhecido e não tem exemplo. Veja catp event types.`,
    );
  return type;
}
