/** The provider `oidc-provider` on the loopback: a person signs in by one button, with the claims of the test. */
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';

export interface RealProvider extends AsyncDisposable {
  readonly issuer: string;
  /** The claims of the person, which a test may change between sign-ins. */
  person: Readonly<Record<string, unknown>>;
}

export const REAL_CLIENT = { id: 'catp', secret: 'um-segredo-de-32-caracteres-ou-mais' };

const SCOPES = 'openid profile email';
const PERSON_ID = 'pessoa-1';

interface Context {
  readonly oidc: {
    readonly provider: Provider;
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
  };
}

/** Opens the provider. `home`: the address of the instance, to which the provider redirects the browser. */
export async function openRealProvider(home: string): Promise<RealProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const opened: RealProvider = {
    issuer,
    person: { cpf: '000.000.001-91' },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: REAL_CLIENT.id,
        client_secret: REAL_CLIENT.secret,
        redirect_uris: [`${home}/entrar/oidc/retorno`],
        post_logout_redirect_uris: [`${home}/entrar`],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['um segredo dos cookies'] },
    claims: { openid: ['sub'], profile: ['name', 'cpf', 'grupos'], email: ['email'] },
    findAccount: (_: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, ...opened.person }),
    }),
    loadExistingGrant: async ({ oidc: { provider: of, client, session } }: Context) => {
      const grant = new of.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope(SCOPES);
      await grant.save();
      return grant;
    },
    interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    features: { devInteractions: { enabled: false } },
  });
  const handle = provider.callback();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith('/interaction/') !== true) return handle(request, response);
    if (request.method === 'POST')
      return void provider.interactionFinished(request, response, { login: { accountId: PERSON_ID } });
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      '<!doctype html><html lang="pt-BR"><title>Diretório</title><link rel="icon" href="data:,"><form method="post"><button>Sou eu</button></form></html>',
    );
  });
  return opened;
}
