/**
 * Interface of a remote for its callers (contract section 18): each request has one of a few known results.
 * Behaviour of the remote is a value, never an exception; only an internal fault throws.
 */
import type { Static, StringOptions } from '@sinclair/typebox';
import { choice, form, nullable, text, integerForm } from '../../validation/forms.ts';
import { momentOf } from '../../validation/moment.ts';
import { secretPlaceholder } from '../../validation/format-value.ts';
import { t } from '../../validation/type.ts';

/** Names that the hourly limit counts by: operations of the specification (`operationId`). */
export type WireOperation = string;

export interface WireRequest {
  readonly operation: WireOperation;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path with its query, from the root of the interface: `/catp/api/ext/produto?…`. */
  readonly path: string;
  readonly body?: unknown;
  /** True for a list: its answer has a limit of 20 MiB, any other answer 1 MiB. */
  readonly isList?: true;
}

export interface Rest {
  readonly kind: 'rest';
  readonly until: number;
  readonly operation: WireOperation | 'all';
  readonly reason: string;
}

export type WireAnswer =
  /**
   * A readable answer of the remote itself: status below 500, JSON (or empty when the operation has no
   * body).
   */
  | { readonly kind: 'answer'; readonly status: number; readonly body: unknown }
  /**
   * The request left and no readable answer came (aborted, late, 5xx, HTML): its effect is unknown.
   * `until`: no request is sent before this time.
   */
  | { readonly kind: 'unknown'; readonly reason: string; readonly until?: number }
  /**
   * Nothing was done, or nothing was sent (hourly limit, perHour, daily stop, downtime, 429, not
   * reachable). Retry at `until`.
   */
  | Rest
  /**
   * Three sign-ins refused, an untrusted certificate, another ambiente, or this same instance: a person
   * must act.
   */
  | { readonly kind: 'stopped'; readonly reason: string }
  /**
   * The answer was cut at the limit that `reason` names. The same request is never repeated: its answer
   * would be as large.
   */
  | { readonly kind: 'tooLarge'; readonly reason: string };

/**
 * Connection to one remote: one request at a time, timed by the Clock. Counts are on disk before a request
 * is sent.
 */
export interface Wire {
  /** Sends a request. `abandonSignal` aborts when nobody waits for the answer. */
  ask(request: WireRequest, abandonSignal?: AbortSignal): Promise<WireAnswer>;
  /** Downloads an export to a file in the imports folder. 60 s without a byte end it. */
  download(request: WireRequest, file: string, abandonSignal?: AbortSignal): Promise<WireAnswer>;
}

/** Opens the connection of a remote by its number, for a comparison, a run or a test. */
export interface Wires {
  open(remoteId: number): Wire;
}

/** The requests that a remote accepts from some time on. */
export interface Pace {
  readonly perHour: number;
  readonly downtime: string | null;
  /** Requests in the clock hour of that time. */
  readonly used: (operation: WireOperation) => number;
  /** The end of the rest of the operation or of all. A past time: no rest. */
  readonly restsUntil: (operation: WireOperation) => number;
}

/** The connection settings of a remote. */
export interface Connection {
  /** The address without the path of an operation. */
  readonly url: string;
  /** The Role-Type header. */
  readonly perfil: string;
  readonly clientId: string | null;
  /** `null`: unreadable, because the keys of the folder changed. A person must enter it again. */
  readonly secret: ConnectionSecret | null;
  /** Authorities in PEM, in addition to those of the system. */
  readonly ca: string | null;
  /** The limit of requests of each operation in a clock hour. */
  readonly perHour: number;
  /** The downtime, for example `01:00-03:00` (Brasília). No request is sent during it. */
  readonly downtime: string | null;
  readonly otherEnvironment: boolean;
}

export type ConnectionSecret =
  | { readonly clientSecret: string }
  /** Both in PEM. */
  | { readonly certificate: string; readonly key: string };

/** The result of a test sign-in (contract section 18, Set up). */
export interface SignInTest {
  readonly ok: boolean;
  readonly message: string;
  readonly documento: string | null;
  readonly nome: string | null;
  readonly ambiente: string | null;
  readonly until: number | null;
}

/** Schemas of the connection members of a remote, for requests and responses. */
const ROLE = 'IMPEXP';
const URL_MAX = 500;
const ID_MAX = 200;
const PEM_MAX = 100_000;
const PER_HOUR_MAX = 1_000_000;
const URL_WORDS =
  'Endereço do servidor: https, ou http em loopback; sem ele o remoto é comparado por arquivos.';

const url = text(URL_WORDS, 'https://portal.exemplo.gov.br', {
  minLength: 1,
  maxLength: URL_MAX,
  'x-format-value': secretPlaceholder,
});
/** Characters that a header can carry. */
const HEADER = {
  pattern: '^[!-~](?:[ -~]*[!-~])?$',
  'x-domain': 'caracteres ASCII visíveis, com espaços só no meio',
};
const clientId = text('O Client-Id da chave de acesso no remoto.', 'chave-de-la', {
  minLength: 1,
  maxLength: ID_MAX,
  ...HEADER,
});
const perfil = choice([ROLE], 'O Role-Type com que se entra.', ROLE);
const perHour = integerForm('Quantas requisições de cada operação saem em uma hora, no máximo.', 900, {
  minimum: 1,
  maximum: PER_HOUR_MAX,
});
const STOP = '^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$';
const STOP_WORDS = 'A parada diária do remoto, no horário de Brasília, em que nada é enviado. null: não há.';
const downtime = t.Unsafe<string | null>({
  type: 'string',
  pattern: STOP,
  'x-domain': 'HH:MM-HH:MM',
  'x-keeps-empty': true,
  description: STOP_WORDS,
  examples: ['01:00-03:00'],
});
const downtimeForm = nullable(t.String({ pattern: STOP, examples: ['01:00-03:00'] }), {
  description: STOP_WORDS,
});
const otherEnvironment = t.Boolean({
  description: 'true: aceita um remoto de outro ambiente.',
  examples: [false],
});
const pem = (description: string, further: StringOptions = {}) =>
  t.String({ minLength: 1, maxLength: PEM_MAX, ...further, description });
/** The secret appears in no message, and is stored sealed or not at all. */
const SECRET = { maxLength: ID_MAX, 'x-format-value': secretPlaceholder } as const;

export const CONNECTION_MEMBERS = {
  url: t.Optional(url),
  clientId: t.Optional(clientId),
  clientSecret: t.Optional(
    t.String({ minLength: 1, ...SECRET, ...HEADER, description: 'O segredo da chave; nunca é mostrado.' }),
  ),
  certificate: t.Optional(
    pem('Em vez da chave de acesso: certificado e chave em PEM, ou um PFX em base64.', {
      'x-format-value': secretPlaceholder,
    }),
  ),
  password: t.Optional(t.String({ ...SECRET, description: 'A senha do PFX, ou da chave; não é guardada.' })),
  perfil: t.Optional(perfil),
  ca: t.Optional(
    t.Unsafe<string | null>({
      type: 'string',
      minLength: 1,
      maxLength: PEM_MAX,
      'x-keeps-empty': true,
      description: 'autoridades certificadoras aceitas além das usuais (PEM); null: nenhuma.',
    }),
  ),
  perHour: t.Optional(perHour),
  downtime: t.Optional(downtime),
  otherEnvironment: t.Optional(otherEnvironment),
};

export type ConnectionRequest = {
  readonly [M in keyof typeof CONNECTION_MEMBERS]?: Static<(typeof CONNECTION_MEMBERS)[M]> | undefined;
};

const CERTIFICATE_WORDS = 'O certificado com que se entra; null: por chave de acesso.';

const CertificateForm = form('RemoteCertificate', 'O certificado com que se entra.', {
  subject: text('De quem é.', 'CN=EMPRESA:00000000000191'),
  issuer: text('Quem o emitiu.', 'CN=AC Exemplo'),
  notAfter: momentOf('Até quando vale.'),
});

/**
 * Shown to administrators only, except `perHour` and `downtime`: these show the others that the remote has
 * an address.
 */
export const CONNECTION_FORM_MEMBERS = {
  url: t.Optional(url),
  clientId: t.Optional(nullable(clientId)),
  perfil: t.Optional(perfil),
  certificate: t.Optional(nullable(CertificateForm, { description: CERTIFICATE_WORDS })),
  ca: t.Optional(nullable(pem('autoridades certificadoras aceitas além das usuais (PEM).'))),
  perHour: t.Optional(perHour),
  downtime: t.Optional(downtimeForm),
  otherEnvironment: t.Optional(otherEnvironment),
};

export const TriedForm = form('RemoteTried', 'O que deu uma entrada no remoto.', {
  ok: t.Boolean({ description: 'Entrou.', examples: [true] }),
  message: text('O que houve.', 'Entrou.'),
  documento: nullable(text('Quem entrou, como o token diz; null: não diz.', '00000000191')),
  nome: nullable(text('O nome dele.', 'MARIA')),
  ambiente: nullable(text('O ambiente de lá.', 'validacao')),
  until: nullable(momentOf('Até quando vale a sessão.')),
  certificate: nullable(CertificateForm, { description: CERTIFICATE_WORDS }),
});
export type TriedForm = typeof TriedForm.static;
