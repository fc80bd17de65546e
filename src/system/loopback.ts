/** Whether only this machine reaches an address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);

/** Whether what is asked there cannot be read or changed on the way: by TLS, or because it never leaves this machine. */
export const isSafeToAsk = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
