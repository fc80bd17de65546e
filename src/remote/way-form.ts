/** The members of a remote that say how it is reached, as they are sent and shown (contract section 18, Set up). */
import { type Static, Type as t } from '@sinclair/typebox';
import { choice, nullable, text, whole } from '../validation/forms.ts';
import { momentOf } from '../validation/moment.ts';

const ROLE = 'IMPEXP';
const URL_MAX = 500;
const ID_MAX = 200;
const PEM_MAX = 100_000;
const PER_HOUR_MAX = 1_000_000;
const URL_WORDS =
  'Endereço do servidor: https, ou http em loopback; sem ele o remoto é comparado por arquivos.';

const url = text(URL_WORDS, 'https://portal.exemplo.gov.br', { minLength: 1, maxLength: URL_MAX });
const clientId = text('O Client-Id da chave de acesso de lá.', 'chave-de-la', {
  minLength: 1,
  maxLength: ID_MAX,
});
const perfil = choice([ROLE], 'O Role-Type com que se entra.', ROLE);
const perHour = whole('Quantas requisições de cada operação saem em uma hora, no máximo.', 900, {
  ...{ minimum: 1, maximum: PER_HOUR_MAX },
});
const STOP = '^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$';
const STOP_WORDS = 'A parada diária de lá, em Brasília: nela nada sai. null: não há.';
const downtime = t.Unsafe<string | null>({
  ...{ type: 'string', pattern: STOP, 'x-domain': 'HH:MM-HH:MM', 'x-keeps-empty': true },
  ...{ description: STOP_WORDS, examples: ['01:00-03:00'] },
});
const shownDowntime = nullable(t.String({ pattern: STOP }), { description: STOP_WORDS });
const otherEnvironment = t.Boolean({
  description: 'true: o remoto é de outro ambiente, e se quer assim.',
  examples: [false],
});
const pem = (description: string) => t.String({ minLength: 1, maxLength: PEM_MAX, description });

export const WAY_MEMBERS = {
  url: t.Optional(url),
  clientId: t.Optional(clientId),
  clientSecret: t.Optional(
    t.String({ minLength: 1, maxLength: ID_MAX, description: 'O segredo da chave; nunca é mostrado.' }),
  ),
  certificate: t.Optional(pem('Em vez da chave de acesso: certificado e chave em PEM, ou um PFX em base64.')),
  password: t.Optional(
    t.String({ maxLength: ID_MAX, description: 'A senha do PFX, ou da chave; não é guardada.' }),
  ),
  perfil: t.Optional(perfil),
  ca: t.Optional(pem('PEM de autoridades aceitas além das usuais.')),
  perHour: t.Optional(perHour),
  downtime: t.Optional(downtime),
  otherEnvironment: t.Optional(otherEnvironment),
};
export const WAY_NAMES = Object.keys(WAY_MEMBERS) as (keyof typeof WAY_MEMBERS)[];

export type WayRequest = {
  readonly [M in keyof typeof WAY_MEMBERS]?: Static<(typeof WAY_MEMBERS)[M]> | undefined;
};

export const CertificateShown = t.Object(
  {
    subject: text('De quem é.', 'CN=EMPRESA:00000000000191'),
    issuer: text('Quem o emitiu.', 'CN=AC Exemplo'),
    notAfter: momentOf('Até quando vale.'),
  },
  { 'x-form': 'RemoteCertificate', description: 'O certificado com que se entra.' },
);

/** Shown to administrators alone. */
export const SHOWN_WAY_MEMBERS = {
  url: t.Optional(url),
  clientId: t.Optional(nullable(clientId)),
  perfil: t.Optional(perfil),
  certificate: t.Optional(nullable(CertificateShown)),
  ca: t.Optional(nullable(pem('PEM de autoridades aceitas além das usuais.'))),
  perHour: t.Optional(perHour),
  downtime: t.Optional(shownDowntime),
  otherEnvironment: t.Optional(otherEnvironment),
};

export const TriedForm = t.Object(
  {
    ok: t.Boolean({ description: 'Entrou.', examples: [true] }),
    message: text('O que houve.', 'Entrou.'),
    documento: nullable(text('Quem entrou, como o token diz; null: não diz.', '00000000191')),
    nome: nullable(text('O nome dele.', 'MARIA')),
    ambiente: nullable(text('O ambiente de lá.', 'validacao')),
    until: nullable(momentOf('Até quando vale a sessão.')),
    certificate: nullable(CertificateShown),
  },
  { 'x-form': 'RemoteTried', description: 'O que deu uma entrada no remoto.' },
);
export type TriedForm = typeof TriedForm.static;
