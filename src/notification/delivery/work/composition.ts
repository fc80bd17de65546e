/** Builds the request from the stored delivery. */
import type { EpochMs } from '../../../clock.ts';
import type { DueDelivery } from './delivery-store.ts';
import { composeHeaders } from '../send/request.ts';
import type { DeliveryRequest } from '../send/sender.ts';

type Secrets = { readonly chaveSecreta: string | null; readonly chaveAutenticacao: string | null };
type Sealed = Pick<DueDelivery, keyof Secrets>;

export interface CompositionParts {
  /** Opens the secrets of a subscription. Throws when they cannot be decrypted. */
  readonly openSecrets: (subscriptionId: number, sealed: Sealed) => Secrets;
  /** `entrega.standardWebhooks`. */
  readonly standardWebhooks: boolean;
}

export function composeRequest(
  due: DueDelivery,
  { openSecrets, standardWebhooks }: CompositionParts,
  now: EpochMs,
): Omit<DeliveryRequest, 'withdrawal'> {
  const { endpoint, conteudo: body, evento, destinatarioTipo, destinatarioId } = due;
  const headers = composeHeaders({
    evento,
    destinatarioTipo,
    destinatarioId,
    body,
    ...openSecrets(due.subscriptionId, due),
    // The id is the same for every attempt of a delivery, so that a receiver recognises a repeat.
    ...(standardWebhooks && { standardWebhooks: { id: `delivery_${due.id}`, now } }),
  });
  return { endpoint, headers, body };
}
