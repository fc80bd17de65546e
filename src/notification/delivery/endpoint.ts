import { shown } from '../../errors.ts';
import { isAlwaysForbidden } from './address-policy.ts';

export type EndpointFault =
  'not-a-url' | 'no-host' | 'not-https' | 'port' | 'user-info' | 'fragment' | 'address';

export interface EndpointProblem {
  readonly fault: EndpointFault;
  /** Portuguese. */
  readonly message: string;
}

const EXAMPLE = 'por exemplo "https://erp.empresa.com.br/notificacoes"';

/**
 * What keeps `endpoint` from being subscribed (contract section 9), in the order of the URL; empty when nothing does.
 * Parsed by the WHATWG rules, so that what is checked is what will be dialled. Its length is the schema's matter.
 */
export function checkEndpoint(endpoint: string): readonly EndpointProblem[] {
  const url = URL.parse(endpoint);
  if (url === null) return [unreadable(endpoint)];

  const problems: EndpointProblem[] = [];
  const refuse = (fault: EndpointFault, message: string): void => void problems.push({ fault, message });
  const { host } = literalOrName(url);

  if (url.protocol !== 'https:') {
    const scheme = url.protocol.slice(0, -1);
    refuse('not-https', `O endpoint deve usar HTTPS; o esquema recebido foi ${shown(scheme)} (${EXAMPLE}).`);
  } else if (url.port !== '') {
    refuse('port', `O endpoint deve usar a porta 443; a porta recebida foi ${url.port}.`);
  }
  if (url.username !== '' || url.password !== '') {
    const where = 'use chaveAutenticacao para enviar credenciais';
    refuse('user-info', `O endpoint não pode conter usuário ou senha antes do nome do servidor; ${where}.`);
  }
  if (host === '') refuse('no-host', `O endpoint não tem o nome do servidor (${EXAMPLE}).`);
  // The serialised form keeps the `#` of an empty fragment; `url.hash` does not.
  if (url.href.includes('#'))
    refuse('fragment', 'O endpoint não pode conter fragmento (a parte a partir de "#").');
  if (isLiteral(url) && isAlwaysForbidden(host)) {
    refuse(
      'address',
      `O endereço ${host} não pode receber notificações: informe um endereço alcançável na rede.`,
    );
  }
  return problems;
}

/** The host of `url` as a name or as an address without brackets, without the root's dot. */
export function literalOrName(url: URL): { readonly host: string; readonly isLiteral: boolean } {
  const { hostname } = url;
  if (hostname.startsWith('[')) return { host: hostname.slice(1, -1), isLiteral: true };
  return { host: hostname.replace(/\.$/, ''), isLiteral: isLiteral(url) };
}

/** After WHATWG parsing of a special scheme, a host that ends in a number is an IPv4 address of four parts. */
function isLiteral({ hostname }: URL): boolean {
  return hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname);
}

function unreadable(endpoint: string): EndpointProblem {
  const hasNoHost = /^\s*https:[\\/]*\s*($|[?#])/i.test(endpoint);
  if (hasNoHost) return { fault: 'no-host', message: `O endpoint não tem o nome do servidor (${EXAMPLE}).` };
  return {
    fault: 'not-a-url',
    message: `O endpoint deve ser uma URL absoluta HTTPS na porta 443 (${EXAMPLE}); o valor recebido foi ${shown(endpoint.replace(/\/\/[^/]*@/, '//(oculto)@'))}.`,
  };
}
