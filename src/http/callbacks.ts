/**
 * Documents requests that the server sends later to a client: `callbacks` of the operation that subscribes to
 * them.
 */
import type { TSchema } from '@sinclair/typebox';
import type { Forms, Json } from './forms.ts';

export interface Callback {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly body: TSchema;
  readonly example: unknown;
  /** Names and descriptions of headers. Those that are not required may be missing. */
  readonly headers: readonly CallbackHeader[];
}

export interface CallbackHeader {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

/** `to`: the member of the request body that holds the target URL. */
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
