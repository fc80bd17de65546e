/** Talks to the provider with the library. Only a server with an issuer loads this module. */
import * as client from 'openid-client';
import { type EpochMs, MINUTE_MS, type RealTime, SECOND_MS } from '../clock.ts';
import { isSafeToAsk } from '../system/loopback.ts';
import { type ProviderClaims, type ProviderSettings, RETURN_PATH, type StartedSignIn } from './model.ts';
import { providerFetch } from './provider-fetch.ts';
import { ProviderRefusal } from './refusal.ts';

/** Timeout of all requests of one step (contract section 27). */
const STEP_MS = 10 * SECOND_MS;
/** The discovery document is read again after this time. */
const METADATA_MS = 10 * MINUTE_MS;

/** Signatures that are accepted (contract section 27). */
const ALGORITHMS: readonly string[] = ['RS256', 'ES256'];

const REQUIRED_ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
const OTHER_ENDPOINTS = ['userinfo_endpoint', 'end_session_endpoint'] as const;

export class Provider {
  readonly #settings: ProviderSettings;
  readonly #realTime: RealTime;
  /** Receives the date of each answer of the provider. */
  readonly #onDate: (date: EpochMs) => void;
  #metadata: { readonly value: Promise<client.ServerMetadata>; readonly end: number } | undefined;

  constructor(
    settings: ProviderSettings,
    realTime: RealTime,
    onDate: (date: EpochMs) => void = () => undefined,
  ) {
    this.#settings = settings;
    this.#realTime = realTime;
    this.#onDate = onDate;
  }

  get returnAddress(): string {
    return `${this.#settings.address}${RETURN_PATH}`;
  }

  /** Returns new secrets of a sign-in. */
  newChecks(): Omit<StartedSignIn, 'startedAt'> {
    return {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
  }

  /** Returns the address at which a person signs in. Throws `ProviderRefusal`. */
  async authorizationAddress({ state, nonce, verifier }: StartedSignIn): Promise<string> {
    const config = this.#configuration(await this.metadata(), NEVER_ABORTED);
    const challenge = await client.calculatePKCECodeChallenge(verifier);
    return client.buildAuthorizationUrl(config, {
      redirect_uri: this.returnAddress,
      scope: this.#settings.scopes,
      state,
      nonce,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }).href;
  }

  /**
   * Exchanges the code of a returned browser for checked claims. `names`: the claims that are read; userinfo
   * supplies those that the ID token lacks. Throws `ProviderRefusal`.
   */
  async claims(
    query: URLSearchParams,
    { state, nonce, verifier }: StartedSignIn,
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<ProviderClaims> {
    const metadata = await this.metadata();
    const config = this.#configuration(metadata, signal);
    const address = new URL(this.returnAddress);
    address.search = query.toString();
    try {
      const tokens = await client.authorizationCodeGrant(config, address, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims() as ProviderClaims; // an ID token is expected
      const isIncomplete = names.some((name) => claims[name] === undefined);
      if (!isIncomplete || metadata.userinfo_endpoint === undefined) return claims;
      const userinfo = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
      return { ...userinfo, ...claims };
    } catch (error) {
      throw refusalOf(error);
    }
  }

  /** Returns the address that ends the session at the provider. `undefined`: it has none, or is away. */
  async endAddress(): Promise<string | undefined> {
    try {
      const metadata = await this.metadata();
      if (metadata.end_session_endpoint === undefined) return undefined;
      return client.buildEndSessionUrl(this.#configuration(metadata, NEVER_ABORTED), {
        post_logout_redirect_uri: `${this.#settings.address}/entrar`,
      }).href;
    } catch (error) {
      if (error instanceof ProviderRefusal) return undefined;
      throw error;
    }
  }

  /** Returns the checked discovery document, from the cache if possible. Throws `ProviderRefusal`. */
  metadata(): Promise<client.ServerMetadata> {
    const now = this.#realTime.now();
    if (this.#metadata !== undefined && now < this.#metadata.end) return this.#metadata.value;
    const value = this.#discover();
    const cached = { value, end: now + METADATA_MS };
    this.#metadata = cached;
    // A failure is not cached: the next person may find the provider again.
    value.catch(() => {
      if (this.#metadata === cached) this.#metadata = undefined;
    });
    return value;
  }

  async #discover(): Promise<client.ServerMetadata> {
    const { issuer, clientId } = this.#settings;
    const url = new URL(issuer);
    let metadata: client.ServerMetadata;
    try {
      const config = await client.discovery(url, clientId, undefined, client.None(), {
        [client.customFetch]: this.#fetch(NEVER_ABORTED),
        execute: extensionsFor(url),
      });
      metadata = config.serverMetadata();
    } catch (error) {
      const { reason } = refusalOf(error);
      throw new ProviderRefusal('providerAway', `documento de descoberta de ${issuer}: ${reason}`);
    }
    return checkedMetadata(metadata, url);
  }

  /** Returns a configuration for one step, with its own time limit. */
  #configuration(metadata: client.ServerMetadata, signal: AbortSignal): client.Configuration {
    const { issuer, clientId, secret } = this.#settings;
    const config = new client.Configuration(
      metadata,
      clientId,
      undefined,
      secret === undefined ? client.None() : authenticationBy(secret, metadata),
    );
    config[client.customFetch] = this.#fetch(signal);
    for (const extension of extensionsFor(new URL(issuer))) extension(config);
    return config;
  }

  #fetch(gone: AbortSignal): client.CustomFetch {
    const { ca, proxy } = this.#settings;
    const end = this.#realTime.now() + STEP_MS;
    return providerFetch({ ca, proxy, realTime: this.#realTime, end, gone, onDate: this.#onDate });
  }
}

const NEVER_ABORTED = new AbortController().signal;

/** Returns the extensions of the library. Without the first one it trusts the connection and checks no signature. */
const extensionsFor = ({ protocol }: URL): ((config: client.Configuration) => void)[] => [
  client.enableNonRepudiationChecks,
  // oxlint-disable-next-line typescript/no-deprecated -- http is accepted on the loopback only, as for every address
  ...(protocol === 'http:' ? [client.allowInsecureRequests] : []),
];

/**
 * Returns how the client authenticates: in the body if the provider accepts that. In the header the secret is
 * percent-encoded, and some providers do not decode it.
 */
function authenticationBy(secret: string, metadata: client.ServerMetadata): client.ClientAuth {
  const methods: unknown = metadata.token_endpoint_auth_methods_supported;
  const takesBody = Array.isArray(methods) && methods.includes('client_secret_post');
  return takesBody ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret);
}

/**
 * Checks the discovery document. Returns it with the accepted algorithms only. Throws `ProviderRefusal`. The
 * library accepts a document of any tenant of Entra ID, whose issuer is another.
 */
function checkedMetadata(metadata: client.ServerMetadata, issuer: URL): client.ServerMetadata {
  const refusal = (reason: string): ProviderRefusal =>
    new ProviderRefusal('providerAway', `documento de descoberta de ${issuer.href}: ${reason}`);
  if (URL.parse(metadata.issuer)?.href !== issuer.href)
    throw refusal(`issuer é ${oneLine(metadata.issuer)}, e oidc.emissor é outro`);
  for (const name of [...REQUIRED_ENDPOINTS, ...OTHER_ENDPOINTS]) {
    const address: unknown = metadata[name];
    if (address === undefined && !REQUIRED_ENDPOINTS.some((required) => required === name)) continue;
    const url = typeof address === 'string' ? URL.parse(address) : null;
    if (url === null) throw refusal(`${name} não é um endereço`);
    if (!isSafeToAsk(url)) throw refusal(`${name} não é https; http só em loopback`);
  }
  const algorithms = acceptedAlgorithms(metadata.id_token_signing_alg_values_supported);
  if (algorithms.length === 0) throw refusal('não oferece assinatura RS256 nem ES256');
  return {
    ...metadata,
    id_token_signing_alg_values_supported: algorithms,
    userinfo_signing_alg_values_supported: acceptedAlgorithms(metadata.userinfo_signing_alg_values_supported),
  };
}

/** Returns the accepted algorithms of a list. An absent list means RS256, by the specification. */
const acceptedAlgorithms = (algorithms: unknown): string[] =>
  Array.isArray(algorithms) ? ALGORITHMS.filter((one) => algorithms.includes(one)) : ['RS256'];

/** Errors of the token endpoint that concern the client, not the code (RFC 6749, section 5.2). */
const CLIENT_ERRORS: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client']);

function refusalOf(error: unknown): ProviderRefusal {
  if (error instanceof ProviderRefusal) return error;
  if (error instanceof client.AuthorizationResponseError)
    return new ProviderRefusal('notAuthorized', descriptionOf(error.error, error.error_description));
  if (error instanceof client.ResponseBodyError) {
    const rule = CLIENT_ERRORS.has(error.error)
      ? 'clientRefused'
      : error.error === 'invalid_grant'
        ? 'codeRefused'
        : 'answerRefused';
    return new ProviderRefusal(rule, descriptionOf(error.error, error.error_description));
  }
  if (error instanceof client.WWWAuthenticateChallengeError)
    return new ProviderRefusal('clientRefused', `o provedor respondeu ${error.status}`);
  // An error of the runtime that the library passes on, for example for a malformed key.
  if (error instanceof TypeError) return new ProviderRefusal('answerRefused', oneLine(error.message));
  if (!(error instanceof client.ClientError)) throw error;
  const { cause } = error;
  if (cause instanceof ProviderRefusal) return cause;
  if (cause instanceof Response)
    return new ProviderRefusal('providerAway', `o provedor respondeu ${cause.status}`);
  const message = cause instanceof Error ? cause.message : error.message;
  return new ProviderRefusal('answerRefused', descriptionOf(error.code ?? '', message));
}

const descriptionOf = (code: string, description: string | undefined): string =>
  oneLine(description === undefined ? code : `${code}: ${description}`);

const EXCERPT_MAX_CHARACTERS = 300;

/** Shortens a text of the provider to one line of visible characters. */
const oneLine = (text: string): string =>
  text.replaceAll(/[\p{C}\s]+/gu, ' ').slice(0, EXCERPT_MAX_CHARACTERS);
