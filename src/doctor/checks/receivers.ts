import { createSender } from '../../notification/delivery/send/sender-settings.ts';
import { endpointsOf } from '../doctor-store.ts';
import { ok, warning } from '../model.ts';
import { type Check, DIFFERENT_VERSION, isOfOtherVersion } from '../diagnosis-target.ts';

const MAX_LISTED = 10;

/**
 * Checks that every receiver of an active subscription resolves, connects and has a valid certificate. Sends no
 * event.
 */
export const receivers: Check = async ({ db, settings, state }) => {
  if ('message' in db) return undefined;
  if (isOfOtherVersion({ state })) return DIFFERENT_VERSION;
  const endpoints = endpointsOf(db);
  if (endpoints.length === 0) return ok('Nenhuma assinatura ativa tem um receptor.');
  const sender = createSender(settings, { ownMachine: 'forbidden' });
  const failures: string[] = [];
  for (const endpoint of endpoints) {
    const outcome = await sender.probe(endpoint);
    // Shows only the host, because a path or query may hold a secret.
    if (outcome.kind === 'failed') failures.push(`${new URL(endpoint).host}: ${outcome.description}`);
  }
  sender.close();
  if (failures.length === 0)
    return ok(`Os ${endpoints.length} receptores das assinaturas ativas atendem por TLS.`);
  return warning(
    `${failures.length} de ${endpoints.length} receptores não atendem: ${failures.slice(0, MAX_LISTED).join(' ')}${failures.length > MAX_LISTED ? ' …' : ''}`,
    'Verifique com o dono de cada um nome, porta 443 e certificado; as entregas que falham ficam em /ext/webhook/falhas.',
  );
};
