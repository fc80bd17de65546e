import { createSender } from '../../notification/delivery/send/sender-settings.ts';
import { endpointsOf } from '../doctor-store.ts';
import { ok, warning } from '../model.ts';
import { type Check, OF_OTHER_VERSION, isOfOtherVersion } from '../diagnosis-target.ts';

const SHOWN = 10;

/** Checks name, address, connection and certificate of every receiver. Sends nothing to them. */
export const receivers: Check = async ({ db, settings, state }) => {
  if ('message' in db) return undefined;
  if (isOfOtherVersion({ state })) return OF_OTHER_VERSION;
  const endpoints = endpointsOf(db);
  if (endpoints.length === 0) return ok('Nenhuma assinatura ativa tem um receptor.');
  const sender = createSender(settings, { ownMachine: 'forbidden' });
  const bad: string[] = [];
  for (const endpoint of endpoints) {
    const outcome = await sender.probe(endpoint);
    // Shows only the host, because a path or query may hold a secret.
    if (outcome.kind === 'failed') bad.push(`${new URL(endpoint).host}: ${outcome.description}`);
  }
  sender.close();
  if (bad.length === 0)
    return ok(`Os ${endpoints.length} receptores das assinaturas ativas atendem por TLS.`);
  return warning(
    `${bad.length} de ${endpoints.length} receptores não atendem: ${bad.slice(0, SHOWN).join(' ')}${bad.length > SHOWN ? ' …' : ''}`,
    'Verifique com o dono de cada um nome, porta 443 e certificado; as entregas que falham ficam em /ext/webhook/falhas.',
  );
};
