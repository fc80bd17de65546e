import { formatValue } from '../../../validation/format-value.ts';
import { isAlwaysForbidden, isForbiddenLiteral } from './address-policy.ts';
import { type OwnMachine, isOwnMachine } from './own-machine.ts';

export interface EndpointRules {
  readonly ownMachine: OwnMachine;
}

export type EndpointFault =
  'not-a-url' | 'no-host' | 'not-https' | 'port' | 'user-info' | 'fragment' | 'address';

export interface EndpointProblem {
  readonly fault: EndpointFault;
  /** Portuguese. */
  readonly message: string;
}

const EXAMPLE = 'por exemplo "https://erp.empresa.com.br/notificacoes"';

/** The message in `dev` explains how to reach a receiver on this machine (contract section 15). */
const LOCAL_HINT =
  ' Para receber nesta máquina, inicie catp dev com --local-receivers (aceita http e qualquer porta em localhost), ' +
  'ou leve um nome até ela com --map erp.exemplo:443=127.0.0.1:8443.';

/** The hint when local receivers are accepted and this endpoint is not one. */
const ELSEWHERE_HINT =
  ' Com --local-receivers, http e outra porta só são aceitos em localhost e em endereços de loopback.';

/**
 * The accepted spelling. The WHATWG rules alone would also accept `https:h` and `https:///h`, and would drop
 * tabs.
 */
const FULL_SPELLING = /^https?:\/\/[^/?#]/i;
/** An `@` directly after the slashes, which the WHATWG rules drop. */
const EMPTY_USER_INFO = /^https?:\/\/:?@/i;
/** Characters that the WHATWG rules silently turn into a slash, or drop. */
// oxlint-disable-next-line no-control-regex -- the expression finds control characters
const REWRITTEN = /^[^?#]*\\|[\u0000-\u001f]|^ | $/;

/**
 * Returns the reasons why `endpoint` cannot be subscribed (contract section 9), in the order of the URL;
 * empty when it can. Parses by the WHATWG rules, so that the checked address is the dialled one. The schema
 * checks the length.
 */
export function checkEndpoint(endpoint: string, { ownMachine }: EndpointRules): readonly EndpointProblem[] {
  const url = URL.parse(endpoint);
  if (url === null || REWRITTEN.test(endpoint)) return [unreadable(endpoint)];
  if (isHttp(url) && !FULL_SPELLING.test(endpoint)) return [unreadable(endpoint)];

  const problems: EndpointProblem[] = [];
  const refuse = (fault: EndpointFault, message: string): void => void problems.push({ fault, message });
  const { host } = literalOrName(url);
  const isLocal = isHttp(url) && isOwnMachine(host);
  const hint = ownMachine === 'any' ? ELSEWHERE_HINT : isLocal && ownMachine === 'lawful' ? LOCAL_HINT : '';

  if (isLocal && ownMachine === 'any') {
    if (url.port === '0') refuse('port', 'O endpoint deve ter uma porta de 1 a 65535; a recebida foi 0.');
  } else if (url.protocol !== 'https:') {
    const scheme = url.protocol.slice(0, -1);
    refuse(
      'not-https',
      `O endpoint deve usar HTTPS; o esquema recebido foi ${formatValue(scheme)} (${EXAMPLE}).${hint}`,
    );
  } else if (url.port !== '') {
    refuse('port', `O endpoint deve usar a porta 443; a porta recebida foi ${url.port}.${hint}`);
  }
  if (url.username !== '' || url.password !== '' || EMPTY_USER_INFO.test(endpoint)) {
    const where = 'use chaveAutenticacao para enviar credenciais';
    refuse('user-info', `O endpoint não pode conter usuário ou senha antes do nome do servidor; ${where}.`);
  }
  if (host === '') refuse('no-host', `O endpoint não tem o nome do servidor (${EXAMPLE}).`);
  // The serialised form keeps the `#` of an empty fragment; `url.hash` does not.
  if (url.href.includes('#'))
    refuse('fragment', 'O endpoint não pode conter fragmento (a parte a partir de "#").');
  if (isLiteral(url) && isForbiddenLiteral(host, ownMachine !== 'forbidden')) {
    const why = isAlwaysForbidden(host)
      ? 'informe um endereço alcançável na rede'
      : 'é da própria máquina; informe um endereço da rede, ou um nome que entrega.mapa leve a um receptor local';
    refuse('address', `O endereço ${host} não pode receber notificações: ${why}.`);
  }
  return problems;
}

const isHttp = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'http:';

/** Returns the host of `url` as a name or as an address, without brackets and without the root's dot. */
export function literalOrName(url: URL): { readonly host: string; readonly isLiteral: boolean } {
  const { hostname } = url;
  if (hostname.startsWith('[')) return { host: hostname.slice(1, -1), isLiteral: true };
  return { host: hostname.replace(/\.$/, ''), isLiteral: isLiteral(url) };
}

/**
 * Detects an address: WHATWG parsing of a special scheme turns a host that ends in a number into an IPv4
 * address of four parts.
 */
function isLiteral({ hostname }: URL): boolean {
  return hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname);
}

/**
 * Hides everything up to the last `@`, which may hold a password. In a text that is not a URL its end is
 * unknown.
 */
export const withoutCredentials = (endpoint: string): string => endpoint.replace(/^.*@/su, '(oculto)@');

function unreadable(endpoint: string): EndpointProblem {
  const hasNoHost = /^https?:\/\/(?:$|[/?#])/i.test(endpoint);
  if (hasNoHost) return { fault: 'no-host', message: `O endpoint não tem o nome do servidor (${EXAMPLE}).` };
  return {
    fault: 'not-a-url',
    message: `O endpoint deve ser uma URL absoluta HTTPS na porta 443, escrita com https:// e o nome do servidor, sem barras invertidas nem espaços em volta (${EXAMPLE}); o valor recebido foi ${formatValue(withoutCredentials(endpoint))}.`,
  };
}
