/** Address of the page to return to, in the parameter `voltar`. */

const PARAMETER = 'voltar';

/** Returns the page to return to. Only an address of this application is accepted. */
export function returnAddress(search: string): string | undefined {
  const address = new URLSearchParams(search).get(PARAMETER) ?? '';
  return /^\/(?![/\\])/.test(address) ? address : undefined;
}

/** Returns `address` with the page to return to. */
export const withReturn = (address: string, to: string): string =>
  `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams({ [PARAMETER]: to })}`;
