/** Who is who (contract section 2). */
import type { EpochMs } from '../clock.ts';

/** Profiles of the Role-Type header, and whether a person, a company or both may have them. */
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
  readonly administrador: boolean;
}

/** Who signs in with a certificate. */
export interface CertificateHolder {
  /** CPF or CNPJ. */
  readonly documento: string;
  /** Of the certificate, hexadecimal. */
  readonly serial: string;
  /** Whether it may open an administrator's session: not all that bring one are believed that far. */
  readonly mayAdminister: boolean;
}

/** How somebody signs in: with a certificate of the connection, or one that a proxy brings. */
export type Way = 'key' | 'certificate' | 'proxy';

/** The certificate of a request: whose it is, or why it cannot be used, in Portuguese. */
export type ShownCertificate = { readonly way: Way } & (CertificateHolder | { readonly unfit: string });

/** A sign-in, successful or not, as its line of the log tells it: documents masked, never a secret. */
export interface Attempt {
  readonly way: Way;
  readonly user?: string;
  readonly clientId?: string;
  readonly serial?: string;
  /** Why the certificate cannot be used. */
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
}

export interface AccessKey {
  readonly clientId: string;
  readonly documento: string;
  readonly createdAt: EpochMs;
  /** From when on neither it nor a session of it is good; `null`: never. */
  readonly expiresAt: EpochMs | null;
  /** The hour in which it last opened a session. */
  readonly lastUsedAt: EpochMs | null;
}

/** A user at work: who calls, in which profile, for which companies. */
export interface Caller extends User {
  readonly perfil: Profile;
  /** Roots of the companies whose catalogue this caller may write. */
  readonly companies: ReadonlySet<string>;
  /** Client-Id, or the certificate's serial, that opened the session; `null` where there is none. */
  readonly key: string | null;
  /** Another person made that key, and saw its secret. */
  readonly isKeyOfAnother?: boolean;
}

const CNPJ_LENGTH = 14;

export const isCompanyDocument = (documento: string): boolean => documento.length === CNPJ_LENGTH;

const CNPJ_ROOT_LENGTH = 8;

/** The root of a company's own number. */
export const companyRootOf = (cnpj: string): string => cnpj.slice(0, CNPJ_ROOT_LENGTH);

/** Whether a profile is open to a person or a company certificate. */
export function admits(profile: Profile, documento: string): boolean {
  const kind = PROFILES[profile];
  return kind === 'both' || kind === (isCompanyDocument(documento) ? 'company' : 'person');
}

/** Who acts where no person does (contract section 14, `madeBy`). */
export const SYSTEM = 'sistema';
export const COMMAND_LINE = 'linha de comando';

/** What was done to an account, for the log: documents of persons are masked, secrets are not in it. */
export interface AccountChange {
  readonly action: 'include' | 'change' | 'remove' | 'revoke' | 'end';
  /** Kind and key, as in contract section 16: `usuario ***.000.001-**`. */
  readonly subject: string;
  readonly by: string;
  readonly details: Readonly<Record<string, string | boolean>>;
}

/** A CPF as public bodies print it, its middle alone; anything else as it is. */
export const masked = (document: string): string =>
  document.replace(/^\d{3}(\d{3})(\d{3})\d{2}$/, '***.$1.$2-**');

/** Whoever has the data folder at hand may write what is in it. */
export const localOperator = (companies: ReadonlySet<string>): Caller => ({
  documento: '',
  nome: 'Operador local',
  tipo: 'PRIV',
  orgao: null,
  administrador: false,
  perfil: CATALOGUE_PROFILE,
  companies,
  key: null,
});
