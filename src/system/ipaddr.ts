/**
 * Parses IP addresses and networks. Loaded lazily: the library compiles its expressions when it loads, and a
 * start parses no address.
 */
export const ipaddr = () => require('ipaddr.js') as typeof import('ipaddr.js');

const isIpv4 = (text: string): boolean =>
  text.split('.').length === 4 &&
  text.split('.').every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256);

/** Returns true for a text that can only be the name of a machine. */
export const isHostName = (text: string): boolean => /^[\w.-]+$/.test(text) && /[a-z]/i.test(text);

/**
 * Checks a listen host. A text that looks like an address must be valid; a name is resolved later. Throws an
 * error that states the accepted forms.
 */
export function parseHost(text: string): string {
  const host = text.trim();
  if (isIpv4(host) || isHostName(host) || (host.includes(':') && ipaddr().isValid(host))) return host;
  throw new Error('aceita um endereço desta máquina, por exemplo 127.0.0.1, 0.0.0.0 ou ::, ou um nome dela');
}
