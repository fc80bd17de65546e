/** Types of users, companies, keys and callers (contract section 2). */
import type { EpochMs } from '../clock.ts';
import type { Proposed } from '../change.ts';
import type { Right } from '../right.ts';

/** Profiles of the Role-Type header, and the kind of party for each: person, company or both. */
export const PROFILES = {
  IMPEXP: 'person',
  DEPOSIT: 'both',
  OPERPORT: 'both',
  TRANSPORT: 'both',
  TRANSPEST: 'person',
  AGECARGA: 'person',
  AGEREMESS: 'both',
  AJUDESPAC: 'person',
  INSTFINANC: 'person',
  CONTATOOEA: 'person',
  RESPLEGAL: 'person',
  HABILITAD: 'person',
  TERCEIROS: 'company',
  EMPRCOMEL: 'company',
} as const satisfies Record<string, 'person' | 'company' | 'both'>;

export type Profile = keyof typeof PROFILES;

export const isProfile = (text: string): text is Profile => Object.hasOwn(PROFILES, text);

/** The profile in which a private party works on its catalogue. */
export const CATALOGUE_PROFILE: Profile = 'IMPEXP';

export type PartyKind = 'PRIV' | 'PUBL';

export interface User {
  /** CPF (11 digits) of a person, or CNPJ (14) of a company's certificate. */
  readonly documento: string;
  readonly nome: string;
  readonly tipo: PartyKind;
  /** Public body of a public agent. */
  readonly orgao: string | null;
  /** Address for messages; unique among users. */
  readonly email: string | null;
  readonly administrador: boolean;
}

/** The holder of a certificate that signs in. */
export interface CertificateHolder {
  /** CPF or CNPJ. */
  readonly documento: string;
  /** Serial number of the certificate, hexadecimal. */
  readonly serial: string;
  /**
   * True if the certificate may open an administrator's session: not every source of certificates is trusted for
   * that.
   */
  readonly mayAdminister: boolean;
}

/**
 * Method of a sign-in: a key, a certificate of the connection, a certificate that a proxy passes on, a provider, or
 * a password.
 */
export type SignInMethod = 'key' | 'certificate' | 'proxy' | 'oidc' | 'senha';

/** The certificate of a request: its holder, or in Portuguese why it is unusable. */
export type ReceivedCertificate = { readonly way: SignInMethod } & (
  CertificateHolder | { readonly unfit: string }
);

/** A sign-in, successful or not, as its log line shows it: documents masked, never a secret. */
export interface Attempt {
  readonly way: SignInMethod;
  readonly user?: string;
  readonly clientId?: string;
  readonly serial?: string;
  /** The reason why the certificate is unusable. */
  readonly unfit?: string;
}

export interface Company {
  readonly cpfCnpjRaiz: string;
  readonly nome: string;
  /** Full number of the head office, for a CNPJ. */
  readonly cnpj: string | null;
}

export interface Representation {
  readonly documento: string;
  readonly cpfCnpjRaiz: string;
  readonly perfil: Profile;
  /** `null`: the profile is not that of the catalogue. */
  readonly papel: Right | null;
}

/** The members that name a representation. */
export type RepresentationKey = Omit<Representation, 'papel'>;

export interface AccessKey {
  readonly clientId: string;
  readonly documento: string;
  readonly createdAt: EpochMs;
  /** The moment at which the key and its sessions expire. `null`: never. */
  readonly expiresAt: EpochMs | null;
  /** The hour in which it last opened a session. */
  readonly lastUsedAt: EpochMs | null;
  /** True without `lastUsedAt` if an older version, which recorded no use, made the key. */
  readonly isUseUnrecorded: 0 | 1;
}

/** A signed-in user: who calls, in which profile, for which companies. */
export interface Caller extends Omit<User, 'email'> {
  readonly perfil: Profile;
  /** The right of this caller over each company that it represents, by its root. */
  readonly companies: ReadonlyMap<string, Right>;
  /** Returns the names of at most three people who have a right over a company. */
  readonly peopleWith?: (cpfCnpjRaiz: string, right: Right) => readonly string[];
  /** Client-Id, certificate serial, `senha` or `oidc`: what opened the session. `null`: no session. */
  readonly key: string | null;
  /** True if another person created that key and saw its secret. */
  readonly isKeyOfAnother?: boolean;
  /** The approved proposal that a background job of this caller carries out. */
  readonly proposal?: Proposed | undefined;
  /** Throws 403 unless this caller is still an administrator. Present in operations of administrators. */
  readonly requireAdministrator?: () => void;
}

const CNPJ_LENGTH = 14;

export const isCompanyDocument = (documento: string): boolean => documento.length === CNPJ_LENGTH;

const CNPJ_ROOT_LENGTH = 8;

/** Returns the root of a company's own number. */
export const companyRootOf = (cnpj: string): string => cnpj.slice(0, CNPJ_ROOT_LENGTH);

/** Returns true when a profile is open to that person or company certificate. */
export function admits(profile: Profile, documento: string): boolean {
  const kind = PROFILES[profile];
  return kind === 'both' || kind === (isCompanyDocument(documento) ? 'company' : 'person');
}

/** The actor of automatic changes (contract section 14, `madeBy`). */
export const SYSTEM = 'sistema';
export const COMMAND_LINE = 'linha de comando';

/** A change of an account for the log: documents of persons are masked, secrets are left out. */
export interface AccountChange {
  readonly action: 'include' | 'change' | 'remove' | 'revoke' | 'end';
  /** Kind and key, as in contract section 16: `usuario ***.000.001-**`. */
  readonly subject: string;
  readonly by: string;
  readonly details: Readonly<Record<string, string | boolean>>;
}

/** Masks a CPF as public bodies print it, with only its middle. Returns anything else unchanged. */
export const masked = (document: string): string =>
  document.replace(/^\d{3}(\d{3})(\d{3})\d{2}$/, '***.$1.$2-**');

/** Returns the caller of the command line: an operator with access to the data folder may write all of it. */
export const localOperator = (companies: Iterable<string>): Caller => ({
  documento: '',
  nome: 'Operador local',
  tipo: 'PRIV',
  orgao: null,
  administrador: false,
  perfil: CATALOGUE_PROFILE,
  companies: new Map([...companies].map((company) => [company, 'aprovacao'])),
  key: null,
});
