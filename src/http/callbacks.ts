/** What is sent later to whoever asked for it, as the document tells it: `callbacks` of the operation by which it is asked for. */
import type { TSchema } from '@sinclair/typebox';
import type { Forms, Json } from './forms.ts';

export interface Callback {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly body: TSchema;
  readonly example: unknown;
  /** Names of headers with what each says; those that are not required may be missing. */
  readonly headers: readonly CallbackHeader[];
}

export interface CallbackHeader {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

/** `to`: the member of the request's body that says where. */
export const callbacksOf = (callbacks: readonly Callback[], to: string, forms: Forms): Json =>
  Object.fromEntries(
    callbacks.map(({ name, summary, description, body, example, headers }) => [
      name,
      {
        [`{$request.body#/${to}}`]: {
          post: {
            summary,
            description,
            parameters: headers.map((header) => ({ ...header, in: 'header', schema: { type: 'string' } })),
            requestBody: {
              required: true,
              content: { 'application/json': { schema: forms.printed(body, 'answered'), example } },
            },
            responses: { '2XX': { description: 'Recebida.' } },
          },
        },
      },
    ]),
  );
