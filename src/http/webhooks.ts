/** What is sent to others, as the document tells it: OpenAPI 3.1 has `webhooks` for that. */
import type { TSchema } from '@sinclair/typebox';
import type { Forms, Json } from './forms.ts';

export interface Webhook {
  readonly name: string;
  readonly summary: string;
  readonly body: TSchema;
  readonly example: unknown;
  /** Names of headers with what each says; those that are not required may be missing. */
  readonly headers: readonly WebhookHeader[];
}

export interface WebhookHeader {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

export const webhooksOf = (webhooks: readonly Webhook[], forms: Forms): Json =>
  Object.fromEntries(
    webhooks.map(({ name, summary, body, example, headers }) => [
      name,
      {
        post: {
          summary,
          description: RECEIVING,
          parameters: headers.map((header) => ({ ...header, in: 'header', schema: { type: 'string' } })),
          requestBody: {
            required: true,
            content: { 'application/json': { schema: forms.printed(body, 'answered'), example } },
          },
          responses: { '2XX': { description: 'Recebida.' } },
        },
      },
    ]),
  );

const RECEIVING =
  'Enviada por POST ao endpoint da assinatura. Qualquer 2xx em até 3,5 segundos vale como recebida; o resto é repetido.';
