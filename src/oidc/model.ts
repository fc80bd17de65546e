/** Types of a sign-in by OpenID Connect (contract section 27). */
import type { EpochMs } from '../clock.ts';

export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** `undefined`: a public client. */
  readonly secret: string | undefined;
  /** The claim with the CPF. */
  readonly documentClaim: string;
  /** The claim with the groups. Empty: none. */
  readonly groupsClaim: string;
  /** True if an unknown person becomes a user at the first sign-in. */
  readonly createsUsers: boolean;
  readonly scopes: string;
  /** Authorities in PEM, in addition to the usual roots. */
  readonly ca: readonly string[];
  /** The proxy on the way to it, that of the environment. */
  readonly proxy: { readonly proxy: string; readonly noProxy: string };
  /** The address of this instance. */
  readonly address: string;
}

/** The path to which the provider sends the browser back. */
export const RETURN_PATH = '/entrar/oidc/retorno';

/** A sign-in that a browser began. The browser keeps it, sealed, until it returns from the provider. */
export interface StartedSignIn {
  readonly state: string;
  readonly nonce: string;
  /** The secret of PKCE. */
  readonly verifier: string;
  /** Moment of the start in real time. */
  readonly startedAt: EpochMs;
}

/** Claims of the ID token, and those of userinfo that it lacks. */
export interface ProviderClaims {
  readonly iss: string;
  readonly sub: string;
  readonly [name: string]: unknown;
}
