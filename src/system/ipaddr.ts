/** IP addresses and networks. The library's expressions are compiled as it loads, and a start judges no address. */
export const ipaddr = () => require('ipaddr.js') as typeof import('ipaddr.js');

const isIpv4 = (text: string): boolean =>
  text.split('.').length === 4 &&
  text.split('.').every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256);

/** Where to listen: what looks like an address has to be one, a name is looked up then. Throws, saying what is accepted. */
export function parseHost(text: string): string {
  const host = text.trim();
  const isName = /^[\w.-]+$/.test(host) && /[a-z]/i.test(host);
  if (isIpv4(host) || isName || (host.includes(':') && ipaddr().isValid(host))) return host;
  throw new Error('aceita um endereço desta máquina, por exemplo 127.0.0.1, 0.0.0.0 ou ::, ou um nome dela');
}
