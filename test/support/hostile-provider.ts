/**
 * An OpenID Connect provider on the loopback that misbehaves on request. Without a fault it is strict: it
 * checks client, redirect address and PKCE, and accepts each code once.
 */
import { type CryptoKey, SignJWT, exportJWK, generateKeyPair } from 'jose';

export type Claims = Record<string, unknown>;

type Answer = Response | Promise<Response>;

export interface Faults {
  /** Changes the discovery document. */
  readonly discovery?: (document: Claims) => Claims;
  /** Changes the claims of the ID token. */
  readonly claims?: (claims: Claims) => Claims;
  /** Changes the finished ID token. */
  readonly idToken?: (token: string) => string;
  /** Signs with a key outside of the published set, or with another algorithm. */
  readonly signature?: 'strange key' | 'HS256' | 'none' | 'ES256' | 'PS256';
  /** Replaces the answer of an endpoint, by its path. */
  readonly answers?: Readonly<Record<string, (request: Request) => Answer>>;
  /** Claims of userinfo. */
  readonly userinfo?: Claims;
}

const CLIENT = 'catp';
const SECRET = 'segredo-do-cliente';
const TOKEN_MINUTES = 5;

interface Grant {
  readonly nonce: string;
  readonly challenge: string;
  readonly returnAddress: string;
}

const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
const elliptic = await generateKeyPair('ES256', { extractable: true });
const strange = await generateKeyPair('RS256', { extractable: true });

export interface ProviderOptions {
  readonly isPublicClient?: boolean;
  /** True: the provider is reached by TLS. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

export class HostileProvider implements AsyncDisposable {
  readonly #server: Bun.Server<undefined>;
  readonly #grants = new Map<string, Grant>();
  /** Paths of the requests so far. */
  readonly requests: string[] = [];
  faults: Faults = {};
  /** Claims of the person who signs in. */
  person: Claims = { sub: 'pessoa-1', cpf: '000.000.001-91' };

  readonly #options: ProviderOptions;

  constructor(options: ProviderOptions = {}) {
    this.#options = options;
    this.#server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      idleTimeout: 0,
      ...(options.tls && { tls: options.tls }),
      fetch: (request) => this.#answer(request),
    });
  }

  get issuer(): string {
    return `${this.#options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${this.#server.port}`;
  }

  static readonly client = { id: CLIENT, secret: SECRET };

  /**
   * Signs the person in at the address to which the browser was redirected. Returns the query of the redirect
   * back.
   */
  authorize(address: string): URLSearchParams {
    const { searchParams } = new URL(address);
    const parameter = (name: string): string => searchParams.get(name) ?? '';
    if (parameter('code_challenge_method') !== 'S256' || parameter('response_type') !== 'code')
      throw new Error(`an unexpected request: ${address}`);
    const code = crypto.randomUUID();
    this.#grants.set(code, {
      nonce: parameter('nonce'),
      challenge: parameter('code_challenge'),
      returnAddress: parameter('redirect_uri'),
    });
    return new URLSearchParams({ code, state: parameter('state') });
  }

  /** Stops answering. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    this.requests.push(pathname);
    const replaced = this.faults.answers?.[pathname];
    if (replaced !== undefined) return replaced(request);
    if (pathname === '/.well-known/openid-configuration') return Response.json(this.#document());
    if (pathname === '/jwks') return Response.json(await keySet());
    if (pathname === '/token') return this.#token(request);
    if (pathname === '/userinfo') return Response.json({ sub: this.person['sub'], ...this.faults.userinfo });
    return new Response(null, { status: 404 });
  }

  #document(): Claims {
    const { issuer } = this;
    const document = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/userinfo`,
      end_session_endpoint: `${issuer}/end`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'ES256', 'PS256', 'HS256', 'none'],
    };
    return this.faults.discovery?.(document) ?? document;
  }

  async #token(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const refused = (error: string, status = 400): Response => Response.json({ error }, { status });
    if (!this.#isClient(form, request.headers)) return refused('invalid_client', 401);
    const code = form.get('code') ?? '';
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    const hash = new Bun.CryptoHasher('sha256').update(form.get('code_verifier') ?? '').digest('base64url');
    if (grant?.challenge !== hash || grant.returnAddress !== form.get('redirect_uri'))
      return refused('invalid_grant');
    return Response.json({
      access_token: 'token-de-acesso',
      token_type: 'Bearer',
      expires_in: 300,
      id_token: await this.#idToken(grant),
    });
  }

  /** The client names itself in the body only where the document offers that. */
  #isClient(form: URLSearchParams, headers: Headers): boolean {
    const inBody = form.get('client_id') === CLIENT;
    if (this.#options.isPublicClient === true) return inBody;
    const takesBody = 'token_endpoint_auth_methods_supported' in this.#document();
    if (takesBody) return inBody && form.get('client_secret') === SECRET;
    const [kind, credentials = ''] = headers.get('authorization')?.split(' ') ?? [];
    return kind === 'Basic' && decodeURIComponent(atob(credentials)) === `${CLIENT}:${SECRET}`;
  }

  async #idToken({ nonce }: Grant): Promise<string> {
    const { signature, claims: changed, idToken } = this.faults;
    const now = Math.floor(Date.now() / 1000);
    const standard = { iss: this.issuer, aud: CLIENT, iat: now, exp: now + TOKEN_MINUTES * 60, nonce };
    const claims = { ...standard, ...this.person };
    const token = await signed(changed?.(claims) ?? claims, signature);
    return idToken?.(token) ?? token;
  }
}

const keySet = async (): Promise<Claims> => ({
  keys: [
    { ...(await exportJWK(publicKey)), kid: 'rsa', alg: 'RS256', use: 'sig' },
    { ...(await exportJWK(elliptic.publicKey)), kid: 'ec', alg: 'ES256', use: 'sig' },
  ],
});

async function signed(claims: Claims, signature: Faults['signature']): Promise<string> {
  const sign = (alg: string, key: CryptoKey | Uint8Array, kid: string): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key);
  if (signature === 'none') {
    const part = (value: Claims): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${part({ alg: 'none' })}.${part(claims)}.`;
  }
  if (signature === 'HS256') return sign('HS256', new TextEncoder().encode(SECRET), 'rsa');
  if (signature === 'ES256') return sign('ES256', elliptic.privateKey, 'ec');
  if (signature === 'PS256') {
    const jwk = await exportJWK(privateKey);
    const key = await crypto.subtle.importKey(
      'jwk',
      { ...jwk, alg: 'PS256' },
      { name: 'RSA-PSS', hash: 'SHA-256' },
      false,
      ['sign'],
    );
    return sign('PS256', key, 'rsa');
  }
  return sign('RS256', signature === 'strange key' ? strange.privateKey : privateKey, 'rsa');
}
