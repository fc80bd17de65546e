/**
 * Schemas of the subscription requests (contract section 9, 400). Secrets, and the part before a host's `@`,
 * are never shown.
 */
import { secretPlaceholder, formatValue } from '../../validation/format-value.ts';
import { type EndpointRules, checkEndpoint, withoutCredentials } from '../delivery/send/endpoint.ts';
import { Evento, SubscriptionId } from './model.ts';
import { formOf } from '../../validation/forms.ts';
import { t } from '../../validation/type.ts';

export type { EndpointRules };

const ENDPOINT_MAX = 500;
const SECRET_MAX = 100;

/** A header's value: visible ASCII, spaces only inside. */
const SECRET_PATTERN = '^[!-~](?:[ -~]*[!-~])?$';

const formatEndpoint = (value: unknown): string =>
  formatValue(typeof value === 'string' ? withoutCredentials(value) : value);

const HTTPS_TEXT = 'uma URL absoluta HTTPS na porta 443';
const DOMAIN = {
  forbidden: HTTPS_TEXT,
  lawful: HTTPS_TEXT,
  any: `${HTTPS_TEXT}, ou http ou https de qualquer porta em localhost`,
} as const;

const endpoint = (rules: EndpointRules) =>
  t.String({
    minLength: 1,
    maxLength: ENDPOINT_MAX,
    'x-domain': DOMAIN[rules.ownMachine],
    'x-faults': (text: string) => checkEndpoint(text, rules).map(({ message }) => message),
    'x-format-value': formatEndpoint,
    // The rules of URLs apply. No expression describes them completely.
    'x-printed': {
      format: 'uri',
      pattern: rules.ownMachine === 'any' ? '^[hH][tT][tT][pP][sS]?://' : '^[hH][tT][tT][pP][sS]://',
    },
    description: `URL HTTPS na porta 443 que recebe as notificações${rules.ownMachine === 'any' ? '; nesta instância, também http e qualquer porta em localhost' : ''}.`,
    examples: ['https://erp.empresa.com.br/notificacoes'],
  });

const secret = (description: string) => ({
  minLength: 1,
  maxLength: SECRET_MAX,
  pattern: SECRET_PATTERN,
  'x-domain': 'caracteres ASCII visíveis, com espaços só no meio',
  'x-format-value': secretPlaceholder,
  description,
});
const CHAVE_SECRETA = secret('Devolvida no cabeçalho Secret de cada notificação.');
const CHAVE_AUTENTICACAO = secret('Enviada no cabeçalho Authorization de cada notificação.');

const secretForm = formOf({ additionalProperties: false, 'x-format-value': secretPlaceholder });

/** An absent secret stays unchanged; `null` or `""` removes it. */
const changed = (keywords: typeof CHAVE_SECRETA) =>
  t.Optional(t.Unsafe<string | null>({ type: 'string', ...keywords, 'x-keeps-empty': true }));

/** Builds the schemas of the requests that create and change a subscription. */
export function subscriptionSchemas(rules: EndpointRules) {
  const target = { evento: Evento, endpoint: endpoint(rules) };
  const Request = secretForm('SubscriptionRequest', 'O que assinar, e para onde entregar.', {
    ...target,
    chaveSecreta: t.Optional(t.String(CHAVE_SECRETA)),
    chaveAutenticacao: t.Optional(t.String(CHAVE_AUTENTICACAO)),
  });
  const Change = secretForm(
    'SubscriptionChange',
    'A assinatura como passa a ser; uma chave ausente fica como está, null ou "" a remove.',
    {
      id: SubscriptionId,
      ...target,
      chaveSecreta: changed(CHAVE_SECRETA),
      chaveAutenticacao: changed(CHAVE_AUTENTICACAO),
    },
  );
  return { Request, Change };
}

type Schemas = ReturnType<typeof subscriptionSchemas>;
export type SubscriptionRequest = Schemas['Request']['static'];
export type SubscriptionChange = Schemas['Change']['static'];
