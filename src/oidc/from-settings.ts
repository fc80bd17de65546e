/** Reads the settings of the provider and their files. */
import { UsageError } from '../errors.ts';
import { readAuthorities } from '../settings/authorities.ts';
import { type Settings, environmentProxy } from '../settings/config.ts';
import { readSmallText } from '../system/bounded-file.ts';
import { reasonOf } from '../system/errors.ts';
import type { ProviderSettings } from './model.ts';

/** Returns the settings of a provider. Throws `UsageError` for a missing setting or an unusable file. */
export function providerSettings(settings: Settings): ProviderSettings {
  const address = settings['servidor.endereco'];
  const { httpsProxy, noProxy } = environmentProxy(settings);
  const clientId = settings['oidc.clienteId'];
  if (address === '')
    throw new UsageError(
      'oidc.emissor pede servidor.endereco, ao qual o provedor devolve o navegador. Informe o endereço pelo qual as pessoas chegam a esta instância, por exemplo https://catalogo.exemplo.com.br.',
    );
  if (clientId === '')
    throw new UsageError(
      'oidc.emissor pede oidc.clienteId. Informe o client_id que o provedor deu a esta instância.',
    );
  return {
    issuer: settings['oidc.emissor'],
    clientId,
    secret: settings['oidc.segredo'] === '' ? undefined : readSecret(settings['oidc.segredo']),
    documentClaim: settings['oidc.documento'],
    groupsClaim: settings['oidc.grupos'],
    createsUsers: settings['oidc.criar'],
    scopes: settings['oidc.escopos'],
    ca: readAuthorities(settings, 'oidc.ca'),
    proxy: { proxy: httpsProxy, noProxy },
    address,
  };
}

/** Visible ASCII in one line, as RFC 6749 (appendix A.2) defines a client secret, without spaces. */
const SECRET = /^[!-~]{1,1000}$/;

function readSecret(file: string): string {
  let secret: string;
  try {
    secret = readSmallText(file).trim();
  } catch (error) {
    throw new UsageError(
      `oidc.segredo: o arquivo ${file} não pode ser lido (${reasonOf(error)}). Indique um arquivo com o client_secret em uma linha.`,
      { cause: error },
    );
  }
  if (!SECRET.test(secret))
    throw new UsageError(
      `oidc.segredo: o arquivo ${file} não tem um segredo em uma linha. Ponha nele só o client_secret que o provedor deu.`,
    );
  return secret;
}
