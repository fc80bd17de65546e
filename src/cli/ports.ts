/** The addresses that a command listens on. A failure is explained in one line, with the remedy. */
import { OperatorError, UsageError } from '../errors.ts';
import type { Settings } from '../settings/config.ts';
import { reasonOf, systemCode } from '../system/errors.ts';
import { isHostName } from '../system/ipaddr.ts';

/** An address to listen on. `flag` is the flag that sets the port. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly flag: '--port' | '--tls-port' | '--http-port';
}

/** Returns the addresses to listen on: that of HTTP first, then that of HTTPS, if any. */
export const listenAddressesOf = ({
  host,
  porta,
  'tls.porta': secure,
}: Settings): readonly [ListenAddress, ...ListenAddress[]] => [
  { host, port: porta, flag: '--port' },
  ...(secure === undefined ? [] : [{ host, port: secure, flag: '--tls-port' } as const]),
];

/** Throws when the two ports are equal: otherwise another program would seem to use it. */
export function requireTwoPorts({ porta, 'tls.porta': secure }: Settings): void {
  if (porta !== 0 && porta === secure)
    throw new UsageError(`porta e tls.porta são a mesma (${porta}); escolha outra para uma das duas.`);
}

/**
 * Throws when the address is in use. This is reported before anything is written (contract section 16). A
 * plain socket tests it, because each HTTP server that starts collects garbage.
 */
export async function requireFree(address: ListenAddress): Promise<void> {
  const { host: hostname, port } = address;
  // The runtime reports an unknown name with an arbitrary error.
  if (isHostName(hostname))
    await Bun.dns.lookup(hostname).catch((error: unknown) => {
      throw new OperatorError(noAddress(address), { cause: error });
    });
  const socket = { data: () => undefined };
  const probe = await listenOrExplain(address, () => Bun.listen({ hostname, port, exclusive: true, socket }));
  probe.stop(true);
}

/** Returns the result of `open`. Throws an explained error when it cannot listen. */
export async function listenOrExplain<T>(address: ListenAddress, open: () => T | Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    throw new OperatorError(refusal(error, address), { cause: error });
  }
}

const noAddress = ({ host }: ListenAddress): string =>
  `O endereço '${host}' não é desta máquina. Indique com --host um que seja, por exemplo 127.0.0.1 ou 0.0.0.0.`;

function refusal(error: unknown, address: ListenAddress): string {
  const { host, port, flag } = address;
  switch (systemCode(error)) {
    case 'EADDRINUSE':
      return `A porta ${port} de ${host} já está em uso por outro programa. Pare-o, ou escolha outra porta com ${flag} (0 = qualquer livre).`;
    case 'EACCES':
      return `Este usuário não pode abrir a porta ${port}: portas abaixo de 1024 costumam exigir privilégio. Escolha outra com ${flag}.`;
    case 'EADDRNOTAVAIL':
      return noAddress(address);
    default:
      return `Não foi possível escutar em ${host}:${port} (${reasonOf(error)}). Escolha outra porta com ${flag}.`;
  }
}
