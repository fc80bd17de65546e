import { nodeCrypto } from '../../../system/builtin.ts';
import { type EpochMs, SECOND_MS } from '../../../clock.ts';

export type RecipientKind = 'CPF' | 'CNPJ' | 'ORGAO';

export interface Notification {
  readonly evento: string;
  readonly destinatarioTipo: RecipientKind;
  readonly destinatarioId: string;
  /** The JSON text, as published. */
  readonly body: string;
  readonly chaveSecreta?: string | null;
  readonly chaveAutenticacao?: string | null;
  /**
   * Present when the setting `entrega.standardWebhooks` is on. The id is that of the delivery, so every repeat
   * has the same id.
   */
  readonly standardWebhooks?: { readonly id: string; readonly now: EpochMs };
}

/**
 * Builds the headers of a notification request (specification, Events; contract section 10), names in lower
 * case. The sender adds what HTTP needs (host, content-length).
 */
export function composeHeaders(notification: Notification): Readonly<Record<string, string>> {
  const { chaveSecreta, chaveAutenticacao } = notification;
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'catp',
    'destinatario-tipo': notification.destinatarioTipo,
    'destinatario-id': asUtf8Octets(notification.destinatarioId),
    'event-type': notification.evento,
    ...(chaveSecreta ? { secret: chaveSecreta } : {}),
    ...(chaveAutenticacao ? { authorization: chaveAutenticacao } : {}),
    ...standardWebhooksHeaders(notification),
  };
}

/** Encodes a header value as UTF-8 octets: the name of an ORGAO may hold any letter. */
const asUtf8Octets = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/**
 * Builds the headers of Standard Webhooks 1.0.0: `v1` is HMAC-SHA256 over `id.timestamp.body`. The contract
 * names no signing key, so the key is the subscription's `chaveSecreta`. A key of the form `whsec_<base64>`
 * stands for the encoded bytes, as in the libraries of the standard. Any other key stands for its UTF-8 bytes
 * (format "raw" of the libraries). Without a key only id and time are sent.
 */
function standardWebhooksHeaders({
  standardWebhooks,
  chaveSecreta,
  body,
}: Notification): Record<string, string> {
  if (standardWebhooks === undefined) return {};
  const { id, now } = standardWebhooks;
  const timestamp = String(Math.floor(now / SECOND_MS));
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  if (!chaveSecreta) return headers;
  const signature = nodeCrypto()
    .createHmac('sha256', signingKey(chaveSecreta))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64');
  return { ...headers, 'webhook-signature': `v1,${signature}` };
}

const ENCODED_KEY = /^whsec_((?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

function signingKey(chaveSecreta: string): Buffer {
  const [, encoded] = ENCODED_KEY.exec(chaveSecreta) ?? [];
  return encoded === undefined ? Buffer.from(chaveSecreta, 'utf8') : Buffer.from(encoded, 'base64');
}
